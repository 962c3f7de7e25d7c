import HearthErrors
import HearthSharing
import HearthTestSupport
import HearthTime
import HearthWire
import Synchronization
import Testing

@Suite struct `Projects of a shared server` {
  private static let secret = "operator-operator-operator-operator"
  private let clock = ManualClock()

  /// What was called, in its order.
  private final class Calls: Sendable {
    private let kept = Mutex<[String]>([])
    var all: [String] { kept.withLock(\.self) }
    func add(_ name: String) { kept.withLock { $0.append(name) } }
  }

  private func open(
    _ id: String, ttl: String = "1h", in projects: SharedProjects
  ) throws -> (project: SharedProject, token: String) {
    let order = try ProjectOrder(JSONObject(["projectId": .string(id), "ttl": .string(ttl)]))
    let opened = order.opened(at: clock.now)
    try projects.add(opened.project)
    return opened
  }

  private func code(_ body: () throws(APIError) -> Void) -> ErrorCode? {
    do throws(APIError) {
      try body()
      return nil
    } catch {
      return error.code
    }
  }

  @Test func `are reached with their own token and with the operator's`() throws {
    let projects = SharedProjects(operatorToken: Self.secret, clock: clock)
    let one = try open("demo-one", in: projects)
    let two = try open("demo-two", in: projects)
    let there = Destination.project("demo-one")
    #expect(try projects.admit("Bearer \(one.token)", to: there).name.hasPrefix("token "))
    #expect(try projects.admit("bearer \(Self.secret)", to: there).name == "operator")
    for stranger in [
      nil, "", "Bearer ", "Bearer owner", "Basic \(one.token)", one.token,
      "Bearer \(one.token.dropLast())A\u{301}", "Bearer \(one.project.hash.text)",
    ] {
      #expect(
        code { () throws(APIError) in _ = try projects.admit(stranger, to: there) }
          == .unauthenticated, "\(stranger ?? "nothing")")
    }
    #expect(
      code { () throws(APIError) in _ = try projects.admit("Bearer \(two.token)", to: there) }
        == .permissionDenied)
    #expect(
      code { () throws(APIError) in _ = try projects.admit("Bearer \(two.token)", to: .server) }
        == .permissionDenied)
    #expect(
      code { () throws(APIError) in
        _ = try projects.admit("Bearer \(Self.secret)", to: .project("demo-other"))
      } == .permissionDenied)
  }

  @Test func `are refused from the second of their end on`() throws {
    let projects = SharedProjects(operatorToken: Self.secret, clock: clock)
    let opened = try open("demo-one", ttl: "90s", in: projects)
    clock.advance(by: .milliseconds(89_999))
    #expect(projects.find("demo-one") != nil)
    clock.advance(by: .milliseconds(1))
    #expect(projects.find("demo-one") == nil)
    #expect(
      code { () throws(APIError) in
        _ = try projects.admit("Bearer \(opened.token)", to: .anyProject)
      } == .unauthenticated)
    // Until it is cleared nobody gets its id.
    #expect(code { () throws(APIError) in try projects.add(opened.project) } == .unavailable)
    projects.remove(opened.project)
    _ = try open("demo-one", in: projects)
    #expect(
      code { () throws(APIError) in
        _ = try projects.admit("Bearer \(opened.token)", to: .project("demo-one"))
      } == .unauthenticated)
  }

  @Test func `are cleared once, by the clock of the machine`() async throws {
    let projects = SharedProjects(operatorToken: Self.secret, clock: clock)
    let cleared = Calls()
    let opened = try open("demo-one", ttl: "60s", in: projects).project
    let early = try open("demo-two", ttl: "120s", in: projects).project
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        await projects.run { project in
          if project.end() { cleared.add(project.id) }
        }
      }
      #expect(early.end())
      group.addTask { [clock] in
        await clock.advance(by: .seconds(60), whenWaitingFor: [.seconds(60)])
      }
      await opened.waitUntilOver()
      group.cancelAll()
    }
    #expect(cleared.all == ["demo-one"])
    #expect(!opened.end() && !early.end())
  }

  @Test func `end their streams, and none that has gone`() {
    let project = SharedProject(
      id: "demo-one", hash: TokenHash(of: "x"), openedAt: clock.now,
      expires: clock.now + .seconds(60), quota: nil)
    let ended = Calls()
    let forget = project.atEnd { ended.add("gone") }
    _ = project.atEnd { ended.add("open") }
    forget()
    #expect(project.end())
    _ = project.atEnd { ended.add("late") }
    #expect(ended.all == ["open", "late"])
  }

  @Test(arguments: [
    #"{"ttl": "0s"}"#, #"{"ttl": "400d"}"#, #"{"ttl": 5}"#, #"{"ttl": ""}"#, #"{"ttl": "soon"}"#,
    #"{"quotaBytes": 0}"#, #"{"quotaBytes": "5"}"#, #"{"quotaBytes": 1.5}"#,
    #"{"projectId": ""}"#, #"{"projectId": 1}"#, #"{"token": "mine"}"#,
  ])
  func `are not opened by an order that is wrong`(_ text: String) throws {
    let body = try #require(try JSON.parse(text).object)
    #expect(code { () throws(APIError) in _ = try ProjectOrder(body) } == .invalidArgument)
  }

  @Test func `have an id and a day where nothing is said`() throws {
    let order = try ProjectOrder(JSONObject())
    #expect(order.id.hasPrefix("demo-") && order.lifetime == .seconds(86_400))
    #expect(order.quota == nil)
    let one = order.opened(at: clock.now)
    #expect(one.token != order.opened(at: clock.now).token)
    #expect(one.token.utf8.count == 50 && !one.project.hash.text.contains(one.token))
  }
}

@Suite struct `The page that asks for a token` {
  @Test(arguments: [
    ("/console/", true), ("/mailbox?project=demo-x", true), ("//evil.example/", false),
    ("https://evil.example/console/", false), ("/console/\\evil", false), ("/\\evil", false),
    ("/emulator/v1/projects", false), ("/console/\r\nSet-Cookie: a=b", false),
  ])
  func `leads to pages of this server only`(_ target: String, _ isOwn: Bool) {
    #expect(SignInPage.isOwn(target) == isOwn)
    #expect(SignInPage.html(to: target).contains("evil") == false)
  }

  @Test func `reads one cookie, and none where somebody has added one`() {
    #expect(SignInPage.token(inCookies: "a=b; hearth-token=abc; c=d") == "abc")
    #expect(SignInPage.token(inCookies: "hearth-token=abc; hearth-token=def") == nil)
    #expect(SignInPage.token(inCookies: "xhearth-token=abc") == nil)
    #expect(
      SignInPage.setCookie("t", seconds: 60, isSecure: true)
        == "hearth-token=t; Path=/; Max-Age=60; HttpOnly; SameSite=Strict; Secure")
  }
}

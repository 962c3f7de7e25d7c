import HearthAppCheck
import HearthErrors
import HearthOperations
import HearthTestSupport
import HearthTokens
import HearthWire
import Testing

@Suite struct `Tokens of App Check` {
  private static let app = "1:448618578101:web:cc6c1dc7a65cc83c"

  private func project() throws -> TestProject { try TestProject(AppCheckSchema.migrations) }

  private func token(_ project: TestProject, isLimited: Bool = false) async throws -> String {
    let request = WireRequest(
      body: JSONObject(["debugToken": "any", "limitedUse": .bool(isLimited)]),
      path: ["app": Self.app])
    let answer = try await project.perform(ExchangeDebugToken.self, request: request)
    return try #require(answer.json["token"]?.string)
  }

  private func judge(_ project: TestProject) -> AppCheckJudge {
    AppCheckJudge(project.server, store: project.store)
  }

  @Test func `count for their project until they expire`() async throws {
    let project = try project()
    let (token, judge) = (try await token(project), judge(project))
    #expect(await judge.verdict(on: token, in: "demo") == .verified(app: Self.app))
    #expect(await judge.verdict(on: token, in: "other") == .foreign)
    project.clock.advance(by: .seconds(3599))
    #expect(await judge.verdict(on: token, in: "demo").isVerified)
    project.clock.advance(by: .seconds(1))
    #expect(await judge.verdict(on: token, in: "demo") == .expired)
  }

  @Test(arguments: [
    ("", AppCheckVerdict.missing), ("eyJlcnJvciI6IlVOS05PV05fRVJST1IifQ==", .placeholder),
    ("a.b.c", .malformed), ("eyJhbGciOiJub25lIn0.e30.", .malformed),
    ("eyJhbGciOiJSUzI1NiJ9.e30.AAAA", .foreign),
  ])
  func `are told from other texts`(text: String, verdict: AppCheckVerdict) async throws {
    #expect(await judge(try project()).verdict(on: text, in: "demo") == verdict)
  }

  @Test func `are consumed once, of a hundred calls at once`() async throws {
    let project = try project()
    let (token, judge) = (try await token(project, isLimited: true), judge(project))
    let verdicts = await withTaskGroup(of: AppCheckVerdict.self) { group in
      for _ in 1...100 { group.addTask { await judge.consuming(token, in: "demo") } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(verdicts.count(where: \.isVerified) == 1)
    #expect(verdicts.count { $0 == .consumed } == 99)
  }

  @Test func `that may be used again are`() async throws {
    let project = try project()
    let (token, judge) = (try await token(project), judge(project))
    for _ in 1...2 { #expect(await judge.consuming(token, in: "demo").isVerified) }
  }

  /// Nothing of App Check costs anything before somebody asks for it.
  @Test func `have keys when somebody wants them`() async throws {
    let project = try project()
    #expect(project.server.appCheck.keys.known == nil)
    #expect(
      await judge(project).verdict(on: "eyJhbGciOiJSUzI1NiJ9.e30.AAAA", in: "demo") == .foreign)
    #expect(project.server.appCheck.keys.known == nil)
    _ = try await token(project)
    #expect(project.server.appCheck.keys.known != nil)
  }
}

import HTTPTypes
import HearthConsole
import HearthErrors
import HearthOperations
import HearthSQLite
import HearthTime
import HearthWire

extension Dispatcher {
  /// All projects that anything is known of: the default one, then those that apps used last, then
  /// the others by name.
  func projects() throws(APIError) -> OutgoingReply {
    let stored = try store.transaction { transaction throws(APIError) in
      try Schema.projectIds(in: transaction)
    }
    let active = journal.requests.activity()
    let known = Set(stored)
    var names = [server.defaultProject]
    // A project that was only looked at holds nothing.
    names += active.map(\.project).filter(known.contains)
    names += stored
    var seen: Set<String> = []
    names = names.filter { seen.insert($0).inserted }
    var times = JSONObject()
    for (project, time) in active where seen.contains(project) {
      times.append(project, .string(time.iso8601))
    }
    return ReplyWriter.json(
      .members([
        "projects": .strings(names), "defaultProject": .string(server.defaultProject),
        "lastActivity": .object(times),
      ]))
  }

  // MARK: Requests

  /// The log. What the console itself asked is shown with `all=true` only.
  func requests(_ request: WireRequest, _ method: String) -> OutgoingReply {
    let project = project(of: request)
    if method == "DELETE" { journal.requests.clear(project) }
    return ReplyWriter.json(
      journal.requests.json(of: project, withConsole: request.query["all"] == "true"))
  }

  // MARK: Console

  func console(_ request: WireRequest) throws(APIError) -> OutgoingReply {
    guard let asset = ConsoleAsset.all[request.path["asset"] ?? "index.html"] else {
      throw APIError(.routeNotFound)
    }
    var reply = ReplyWriter.text(asset.text, contentType: asset.contentType)
    reply.headers[.contentSecurityPolicy] = ConsoleAsset.contentSecurityPolicy
    reply.headers[.xContentTypeOptions] = "nosniff"
    reply.headers[.cacheControl] = "no-cache"
    return reply
  }

  // MARK: Clock

  func clock(_ request: WireRequest, _ method: String) throws(APIError) -> OutgoingReply {
    let project = project(of: request)
    switch method {
    case "PATCH": try changeClock(of: project, request.body)
    case "DELETE": server.clocks.reset(project)
    default: break
    }
    let setting = server.clocks.setting(of: project)
    let state = JSON.members([
      "now": .string(server.clocks.now(of: project).iso8601),
      "offset": .string(ISODuration.text(milliseconds: setting.offset)),
      "frozen": .bool(setting.stopped != nil),
    ])
    if method != "GET" {
      server.changes.publish([.event(project: project, name: "clock.changed", state)])
    }
    return ReplyWriter.json(state)
  }

  private func changeClock(of project: String, _ body: JSONObject) throws(APIError) {
    for name in body.members.map(\.key) where !["advance", "now", "frozen"].contains(name) {
      throw APIError(.invalidArgument, "unknown member '\(name)'")
    }
    var steps: [() -> Void] = []
    if let value = body["frozen"] {
      guard let isFrozen = value.bool else {
        throw APIError(.invalidArgument, "/frozen must be boolean")
      }
      steps.append { server.clocks.setStopped(project, isFrozen) }
    }
    if let value = body["now"] {
      guard let time = value.string.flatMap(Timestamp.init(iso8601:)) else {
        throw APIError(.invalidArgument, "/now must be a time such as 2027-01-31T09:30:00Z")
      }
      steps.append { server.clocks.set(project, to: time) }
    }
    if let value = body["advance"] {
      guard let duration = value.string.flatMap(Duration.init(written:)) else {
        throw APIError(.invalidArgument, "/advance must be a duration such as 2h, 1d or PT2H")
      }
      steps.append { server.clocks.advance(project, by: duration) }
    }
    // All or nothing.
    let before = server.clocks.setting(of: project)
    for step in steps { step() }
    guard Self.years.contains(server.clocks.now(of: project).seconds) else {
      server.clocks.restore(before, of: project)
      throw APIError(
        .invalidArgument,
        "\(body["advance"] == nil ? "/now" : "/advance") leaves the years 1 to 9998")
    }
  }

  /// The years that timestamps on the wire can tell, but for the last one: a clock that runs must
  /// not come to their end.
  private static let years: ClosedRange<Int64> = -62_135_596_800...253_370_764_799

  // MARK: Faults

  func faults(_ request: WireRequest, _ method: String) throws(APIError) -> OutgoingReply {
    let project = project(of: request)
    switch method {
    case "PUT": try faults.replace(project, with: .object(request.body))
    case "POST": try faults.add(.object(request.body), to: project)
    case "DELETE": faults.clear(project)
    default: break
    }
    let rules = faults.rules(of: project)
    if method != "GET" {
      server.changes.publish([.event(project: project, name: "faults.changed", rules)])
    }
    return ReplyWriter.json(rules)
  }

  // MARK: Shutdown

  /// Stops the server, as the official Firestore emulator does. No web page may: browsers say that
  /// a request comes from one, whichever origin it has.
  func shutdown(_ call: IncomingCall) throws(APIError) -> OutgoingReply {
    guard call.headers[.origin] == nil, call.headers[.secFetchSite] == nil,
      hosts.isLoopback(call.host)
    else {
      throw APIError(.forbiddenHost, "this endpoint answers to programs on this machine only")
    }
    guard let onShutdown else {
      throw APIError(.forbiddenHost, "this server ends with the program that started it")
    }
    onShutdown()
    return ReplyWriter.text("Shutting down...", contentType: "text/plain; charset=utf-8")
  }

  // MARK: Events

  /// What happens in a project, as server-sent events, for as long as somebody listens.
  func events(_ request: WireRequest) -> OutgoingReply {
    let project = project(of: request)
    let changes = server.changes.stream()
    let clock = server.clock
    let (chunks, output) = AsyncStream.makeStream(
      of: [UInt8].self, bufferingPolicy: .bufferingNewest(1024))
    output.yield(Array(": hearth\n\n".utf8))
    let work = Task {
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          for await change in changes {
            if let event = Self.event(change, project) { output.yield(event) }
          }
        }
        group.addTask {
          // So that a proxy does not take the silence for an end.
          while !Task.isCancelled {
            await clock.wait(until: clock.now + .seconds(20))
            output.yield(Array(": still here\n\n".utf8))
          }
        }
      }
    }
    output.onTermination = { _ in work.cancel() }
    var reply = OutgoingReply(status: 200)
    reply.headers[.contentType] = "text/event-stream; charset=utf-8"
    reply.headers[.cacheControl] = "no-cache"
    reply.stream = ReplyStream(chunks: chunks) { output.finish() }
    return reply
  }

  private static func event(_ change: Change, _ project: String) -> [UInt8]? {
    let name: String
    let data: JSON
    switch change {
    case .messageCaptured(project, let id):
      name = "message.captured"
      data = .members(["id": .string(String(id))])
    case .event(project, let given, let json), .eventEverywhere(let given, let json):
      name = given
      data = json
    case .messageCaptured, .event: return nil
    }
    return Array("event: \(name)\ndata: \(data.text)\n\n".utf8)
  }
}

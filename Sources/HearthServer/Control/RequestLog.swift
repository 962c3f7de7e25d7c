import HearthCore
import Synchronization

/// The latest calls of each project, for people who wonder what their app sent.
final class RequestLog: Sendable {
  private static let capacity = 1000
  private static let mostProjects = 256
  /// Longer bodies are not kept.
  private static let longestBody = 8192

  struct Entry: Sendable {
    let id: Int64
    let time: Timestamp
    let call: AnsweredCall
    let bytes: Int
  }

  /// What is counted for an entry besides its texts.
  private static let overhead = 250

  private struct State {
    var nextID: Int64 = 1
    var projects: [String: Project] = [:]
    var bytes = 0
  }

  private struct Project {
    var entries: [Entry] = []
    var bytes = 0

    mutating func dropFirst(_ count: Int) {
      bytes -= entries.prefix(count).reduce(0) { $0 + $1.bytes }
      // In place: to copy those that stay would count each up and down.
      entries.removeFirst(count)
    }
  }

  /// Of all projects together.
  private let mostBytes: Int
  private let state = Mutex(State())

  init(bytes: Int) { mostBytes = bytes }

  func add(_ call: AnsweredCall, at time: Timestamp) {
    var call = call
    if call.body.count > Self.longestBody { call.body = [] }
    let bytes =
      Self.overhead + call.path.base.utf8.count + (call.resource?.utf8.count ?? 0)
      + call.body.count
    state.withLock { state in
      let entry = Entry(id: state.nextID, time: time, call: call, bytes: bytes)
      state.projects[call.project, default: Project()].entries.append(entry)
      state.projects[call.project]?.bytes += bytes
      state.bytes += bytes
      state.nextID += 1
      // Not each time: moving a thousand entries up costs more than a request.
      if state.nextID % Int64(Self.capacity) == 0 || state.bytes > mostBytes { trim(&state) }
    }
  }

  private func trim(_ state: inout State) {
    for project in Array(state.projects.keys) {
      let excess = (state.projects[project]?.entries.count ?? 0) - Self.capacity
      if excess > 0 { state.projects[project]?.dropFirst(excess) }
    }
    // Those that were quiet for longest go first.
    let quietest = state.projects.sorted {
      $0.value.entries.last?.id ?? 0 < $1.value.entries.last?.id ?? 0
    }
    for (project, _) in quietest.prefix(max(0, state.projects.count - Self.mostProjects)) {
      state.projects[project] = nil
    }
    state.bytes = state.projects.values.reduce(0) { $0 + $1.bytes }
    if state.bytes > mostBytes { makeRoom(&state) }
  }

  /// Each project may keep the same share; what some do not use is for the others. A little more is
  /// dropped than need be, so that it is not done for each call.
  private func makeRoom(_ state: inout State) {
    var room = mostBytes / 8 * 7
    let smallest = state.projects.sorted { $0.value.bytes < $1.value.bytes }.map(\.key)
    for (index, project) in smallest.enumerated() {
      let share = room / (smallest.count - index)
      while let entries = state.projects[project], entries.bytes > share {
        state.projects[project]?.dropFirst((entries.entries.count + 7) / 8)
      }
      room -= state.projects[project]?.bytes ?? 0
    }
    state.bytes = state.projects.values.reduce(0) { $0 + $1.bytes }
  }

  func json(of project: String) -> JSON {
    let entries = state.withLock { $0.projects[project]?.entries.suffix(Self.capacity) ?? [] }
    return .members(["requests": .array(entries.map(\.json))])
  }
}

extension RequestLog.Entry {
  fileprivate var json: JSON {
    let (seconds, attoseconds) = call.duration.components
    let milliseconds = Double(seconds) * 1000 + (Double(attoseconds) / 1e15 * 100).rounded() / 100
    let target = call.query.isEmpty ? String(call.path) : "\(call.path)?\(call.query)"
    return .members([
      "id": .int(id),
      "time": .string(time.iso8601),
      "method": .string(call.method),
      "path": .string(Redaction.target(target)),
      "operation": .string(call.operation),
      "resource": call.resource.json,
      "status": .int(Int64(call.status)),
      "milliseconds": .double(milliseconds),
      "error": (call.error?.name).json,
      "body": (try? JSON.parse(call.body)).map(Redaction.json),
    ])
  }
}

/// Hides what nobody should read in a log: passwords, tokens and codes.
enum Redaction {
  private static let secrets: Set<String> = [
    "salt", "signerKey", "postBody", "requestUri", "temporaryProof", "testPhoneNumbers",
    "mfaPendingCredential",
    "sessionCookie", "sharedSecretKey",
  ]

  /// Names tell: every back end has its own spelling of a new password.
  private static func isSecret(_ name: String) -> Bool {
    let lowercased = name.lowercased()
    return secrets.contains(name) || lowercased.contains("password")
      || lowercased.contains("secret") || lowercased.hasSuffix("token")
      || lowercased.hasSuffix("code")
  }
  private static let hidden = "(hidden)"

  static func json(_ json: JSON) -> JSON {
    switch json {
    case .object(let object):
      var shown = JSONObject()
      for (name, value) in object.members {
        shown.append(name, isSecret(name) ? .string(hidden) : self.json(value))
      }
      return .object(shown)
    case .array(let elements): return .array(elements.map(self.json))
    default: return json
    }
  }

  static func target(_ target: String) -> String {
    guard let mark = target.firstIndex(of: "?") else { return target }
    var query = FormFields(parsing: target[target.index(after: mark)...])
    query.pairs = query.pairs.map {
      isSecret($0.name) ? FormFields.Pair(name: $0.name, value: hidden) : $0
    }
    return "\(target[..<mark])?\(query.text)"
  }
}

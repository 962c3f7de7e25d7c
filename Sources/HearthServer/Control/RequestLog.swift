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
    let method: String
    let target: String
    let operation: String
    let status: Int
    let duration: Duration
    /// The message of a refusal.
    let error: String?
    let body: [UInt8]
  }

  private struct State {
    var nextID: Int64 = 1
    var projects: [String: [Entry]] = [:]
  }

  private let state = Mutex(State())

  func add(
    _ project: String, _ call: IncomingCall, _ operation: String, at time: Timestamp,
    status: Int, duration: Duration, error: String?
  ) {
    state.withLock { state in
      let entry = Entry(
        id: state.nextID, time: time, method: call.method,
        target: call.query.isEmpty ? String(call.path) : "\(call.path)?\(call.query)",
        operation: operation, status: status, duration: duration, error: error,
        body: call.body.count <= Self.longestBody ? call.body : [])
      state.nextID += 1
      if state.projects[project] == nil, state.projects.count >= Self.mostProjects { return }
      state.projects[project, default: []].append(entry)
      // Not each time: moving a thousand entries up costs more than a request.
      if let count = state.projects[project]?.count, count >= Self.capacity * 2 {
        state.projects[project]?.removeFirst(count - Self.capacity)
      }
    }
  }

  func json(of project: String) -> JSON {
    let entries = state.withLock { $0.projects[project]?.suffix(Self.capacity) ?? [] }
    return .members(["requests": .array(entries.map(\.json))])
  }
}

extension RequestLog.Entry {
  fileprivate var json: JSON {
    let (seconds, attoseconds) = duration.components
    let milliseconds = Double(seconds) * 1000 + (Double(attoseconds) / 1e15 * 100).rounded() / 100
    return .members([
      "id": .int(id),
      "time": .string(time.iso8601),
      "method": .string(method),
      "path": .string(Redaction.target(target)),
      "operation": .string(operation),
      "status": .int(Int64(status)),
      "milliseconds": .double(milliseconds),
      "error": error.json,
      "body": (try? JSON.parse(body)).map(Redaction.json),
    ])
  }
}

/// Hides what nobody should read in a log: passwords, tokens and codes.
enum Redaction {
  private static let secrets: Set<String> = [
    "password", "newPassword", "passwordHash", "salt", "signerKey", "idToken", "id_token",
    "refreshToken", "refresh_token", "accessToken", "access_token", "token", "oobCode", "code",
    "verificationCode", "sessionCookie", "postBody", "pendingToken", "mfaPendingCredential",
    "temporaryProof", "sharedSecretKey", "clientSecret",
  ]
  private static let hidden = "(hidden)"

  static func json(_ json: JSON) -> JSON {
    switch json {
    case .object(let object):
      var shown = JSONObject()
      for (name, value) in object.members {
        shown.append(name, secrets.contains(name) ? .string(hidden) : self.json(value))
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
      secrets.contains($0.name) ? FormFields.Pair(name: $0.name, value: hidden) : $0
    }
    return "\(target[..<mark])?\(query.text)"
  }
}

package import HearthWire
import Synchronization

/// How many calls brought a token of App Check that counts, by call and caller, as the console of
/// production shows it. It owns the counts, is bounded, and may be called on any thread.
package final class AppCheckReport: Sendable {
  /// What a call was counted as.
  package enum Kind: String, Sendable, CaseIterable {
    case verified
    /// With a token that does not count.
    case invalid
    /// Without one, by an SDK of Firebase that could send it.
    case outdatedClient
    /// Without one, by something else.
    case unknownOrigin
  }

  /// What is counted together.
  package struct Call: Hashable, Sendable {
    let service: AppCheckService
    let operation: String
    /// The app of the token; what the caller says of itself where there is none.
    let caller: String

    package init(_ service: AppCheckService, operation: String, caller: String) {
      self.service = service
      self.operation = operation
      self.caller = String(caller.prefix(100))
    }
  }

  private static let mostCalls = 500
  private static let mostProjects = 256

  private struct Counts {
    var numbers: [Kind: Int64] = [:]
    var refused: Int64 = 0
    /// The verdict on the latest call that was not verified.
    var verdict: String?

    var unverified: Int64 {
      numbers.reduce(0) { $1.key == .verified ? $0 : $0 + $1.value }
    }
  }

  private let projects = Mutex<[String: [Call: Counts]]>([:])

  init() {}

  package func note(
    _ kind: Kind, of call: Call, in project: String, verdict: String, isRefused: Bool
  ) {
    projects.withLock { projects in
      if projects[project] == nil, projects.count >= Self.mostProjects { projects = [:] }
      var calls = projects.removeValue(forKey: project) ?? [:]
      defer { projects[project] = calls }
      var place = call
      if calls[call] == nil, calls.count >= Self.mostCalls {
        place = Call(call.service, operation: "others", caller: "others")
      }
      var counts = calls.removeValue(forKey: place) ?? Counts()
      counts.numbers[kind, default: 0] += 1
      if isRefused { counts.refused += 1 }
      if kind != .verified { counts.verdict = verdict }
      calls[place] = counts
    }
  }

  package func clear(_ project: String) { projects.withLock { $0[project] = nil } }

  // MARK: Reading

  /// The calls with the most unverified ones first.
  private func calls(of project: String) -> [(call: Call, counts: Counts)] {
    let calls = projects.withLock { $0[project] ?? [:] }
    return calls.map { ($0.key, $0.value) }.sorted { left, right in
      let (first, second) = (left.1.unverified, right.1.unverified)
      if first != second { return first > second }
      return (left.0.operation, left.0.caller) < (right.0.operation, right.0.caller)
    }
  }

  package func json(of project: String) -> JSON {
    let calls = calls(of: project)
    func total(_ kind: Kind) -> Int64 { calls.reduce(0) { $0 + ($1.counts.numbers[kind] ?? 0) } }
    var object = JSONObject(
      members: Kind.allCases.map { ($0.rawValue, JSON.int(total($0))) })
    object.append("refused", value: .int(calls.reduce(0) { $0 + $1.counts.refused }))
    object.append("unverified", value: .int(calls.reduce(0) { $0 + $1.counts.unverified }))
    object.append("calls", value: .array(calls.map { Self.json($0.call, counts: $0.counts) }))
    return .object(object)
  }

  private static func json(_ call: Call, counts: Counts) -> JSON {
    var object = JSONObject([
      "service": .string(call.service.rawValue), "operation": .string(call.operation),
      "caller": .string(call.caller),
    ])
    for kind in Kind.allCases {
      object.append(kind.rawValue, value: .int(counts.numbers[kind] ?? 0))
    }
    object.append("refused", value: .int(counts.refused))
    if let verdict = counts.verdict { object.append("verdict", value: .string(verdict)) }
    return .object(object)
  }
}

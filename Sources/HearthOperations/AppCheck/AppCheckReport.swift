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
      // Few are too long: characters are counted only there.
      self.caller = caller.utf8.count > 100 ? String(caller.prefix(100)) : caller
    }

    /// An operation is one of a service, so what the service adds need not be hashed.
    package func hash(into hasher: inout Hasher) {
      hasher.combine(operation)
      hasher.combine(caller)
    }
  }

  private static let mostCalls = 500
  private static let mostProjects = 256

  private struct Counts {
    private var verified: Int64 = 0
    private var invalid: Int64 = 0
    private var outdatedClient: Int64 = 0
    private var unknownOrigin: Int64 = 0
    private(set) var refused: Int64 = 0
    /// The verdict on the latest call that was not verified.
    private(set) var verdict: String?

    var unverified: Int64 { invalid + outdatedClient + unknownOrigin }

    subscript(kind: Kind) -> Int64 {
      switch kind {
      case .verified: verified
      case .invalid: invalid
      case .outdatedClient: outdatedClient
      case .unknownOrigin: unknownOrigin
      }
    }

    static func + (one: Counts, other: Counts) -> Counts {
      var sum = one
      sum.verified += other.verified
      sum.invalid += other.invalid
      sum.outdatedClient += other.outdatedClient
      sum.unknownOrigin += other.unknownOrigin
      sum.refused += other.refused
      sum.verdict = one.verdict ?? other.verdict
      return sum
    }

    mutating func note(_ kind: Kind, verdict: String, isRefused: Bool) {
      switch kind {
      case .verified: verified += 1
      case .invalid: invalid += 1
      case .outdatedClient: outdatedClient += 1
      case .unknownOrigin: unknownOrigin += 1
      }
      if isRefused { refused += 1 }
      if kind != .verified { self.verdict = verdict }
    }
  }

  private struct Project {
    private(set) var calls: [Call: Counts] = [:]

    mutating func note(_ kind: Kind, of call: Call, verdict: String, isRefused: Bool) {
      // In its place: a copy of all counts for each call would be slow.
      calls[place(of: call), default: Counts()].note(kind, verdict: verdict, isRefused: isRefused)
    }

    mutating func add(_ other: Project) {
      for (call, counts) in other.calls {
        let place = place(of: call)
        calls[place] = (calls[place] ?? Counts()) + counts
      }
    }

    private func place(of call: Call) -> Call {
      guard calls.count >= AppCheckReport.mostCalls, calls[call] == nil else { return call }
      return Call(call.service, operation: "others", caller: "others")
    }
  }

  private struct State {
    var projects: [String: Project] = [:]
    /// What was counted for projects that are gone: tests may have deleted theirs before somebody
    /// asks.
    var past = Project()

    mutating func pass(_ project: String) {
      if let gone = projects.removeValue(forKey: project) { past.add(gone) }
    }
  }

  private let state = Mutex(State())

  package init() {}

  package func note(
    _ kind: Kind, of call: Call, in project: String, verdict: String, isRefused: Bool
  ) {
    state.withLock { state in
      if state.projects.count >= Self.mostProjects, state.projects[project] == nil {
        for project in state.projects.keys { state.pass(project) }
      }
      state.projects[project, default: Project()].note(
        kind, of: call, verdict: verdict, isRefused: isRefused)
    }
  }

  package func clear(_ project: String) { state.withLock { $0.projects[project] = nil } }

  /// To be called when a project is deleted.
  package func pass(_ project: String) { state.withLock { $0.pass(project) } }

  // MARK: Reading

  package func json(of project: String) -> JSON {
    Self.json(state.withLock { $0.projects[project]?.calls ?? [:] })
  }

  /// Of all projects, also those that are gone. What is the same call in several is counted together.
  package var json: JSON {
    let all = state.withLock { state in
      state.projects.values.reduce(into: state.past) { $0.add($1) }
    }
    return Self.json(all.calls)
  }

  /// The calls with the most unverified ones first.
  private static func json(_ calls: [Call: Counts]) -> JSON {
    let calls = calls.sorted { left, right in
      let (first, second) = (left.value.unverified, right.value.unverified)
      if first != second { return first > second }
      return (left.key.operation, left.key.caller) < (right.key.operation, right.key.caller)
    }
    func total(_ kind: Kind) -> Int64 { calls.reduce(0) { $0 + $1.value[kind] } }
    var object = JSONObject(
      members: Kind.allCases.map { ($0.rawValue, JSON.int(total($0))) })
    object.append("refused", value: .int(calls.reduce(0) { $0 + $1.value.refused }))
    object.append("unverified", value: .int(calls.reduce(0) { $0 + $1.value.unverified }))
    object.append("calls", value: .array(calls.map { json($0.key, counts: $0.value) }))
    return .object(object)
  }

  private static func json(_ call: Call, counts: Counts) -> JSON {
    var object = JSONObject([
      "service": .string(call.service.rawValue), "operation": .string(call.operation),
      "caller": .string(call.caller),
    ])
    for kind in Kind.allCases {
      object.append(kind.rawValue, value: .int(counts[kind]))
    }
    object.append("refused", value: .int(counts.refused))
    if let verdict = counts.verdict { object.append("verdict", value: .string(verdict)) }
    return .object(object)
  }
}

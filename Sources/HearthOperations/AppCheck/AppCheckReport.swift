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
      var place = call
      if calls.count >= AppCheckReport.mostCalls, calls[call] == nil {
        place = Call(call.service, operation: "others", caller: "others")
      }
      // In its place: a copy of all counts for each call would be slow.
      calls[place, default: Counts()].note(kind, verdict: verdict, isRefused: isRefused)
    }
  }

  private let projects = Mutex<[String: Project]>([:])

  init() {}

  package func note(
    _ kind: Kind, of call: Call, in project: String, verdict: String, isRefused: Bool
  ) {
    projects.withLock { projects in
      if projects.count >= Self.mostProjects, projects[project] == nil { projects = [:] }
      projects[project, default: Project()].note(
        kind, of: call, verdict: verdict, isRefused: isRefused)
    }
  }

  package func clear(_ project: String) { projects.withLock { $0[project] = nil } }

  // MARK: Reading

  /// The calls with the most unverified ones first.
  private func calls(of project: String) -> [(call: Call, counts: Counts)] {
    let calls = projects.withLock { $0[project]?.calls ?? [:] }
    return calls.map { ($0.key, $0.value) }.sorted { left, right in
      let (first, second) = (left.1.unverified, right.1.unverified)
      if first != second { return first > second }
      return (left.0.operation, left.0.caller) < (right.0.operation, right.0.caller)
    }
  }

  package func json(of project: String) -> JSON {
    let calls = calls(of: project)
    func total(_ kind: Kind) -> Int64 { calls.reduce(0) { $0 + $1.counts[kind] } }
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
      object.append(kind.rawValue, value: .int(counts[kind]))
    }
    object.append("refused", value: .int(counts.refused))
    if let verdict = counts.verdict { object.append("verdict", value: .string(verdict)) }
    return .object(object)
  }
}

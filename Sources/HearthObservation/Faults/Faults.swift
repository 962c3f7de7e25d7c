import HearthCrypto
package import HearthErrors
import HearthOperations
package import HearthWire
import Synchronization

/// The faults of all projects. The same seed gives the same faults in every run, whatever the threads
/// do: a draw is made under the lock that guards the rules.
package final class Faults: Sendable {
  private struct Active {
    let rule: FaultRule
    var hits = 0
    /// How many requests have matched, for `every`.
    var matches = 0
    var random: SplitMix

    /// Whether it acts on the next request that matches, which counts.
    mutating func draw() -> Bool {
      if isSpent { return false }
      matches += 1
      if let every = rule.every, matches % every != 0 { return false }
      guard random.fraction() < rule.share else { return false }
      hits += 1
      return true
    }

    var isSpent: Bool { rule.times.map { hits >= $0 } ?? false }

    /// The rule as it was given, and how often it has acted.
    var json: JSON {
      var object = rule.json.object ?? JSONObject()
      object["hits"] = .int(Int64(hits))
      if let times = rule.times { object["remaining"] = .int(Int64(max(0, times - hits))) }
      return .object(object)
    }
  }

  /// Whether what this task does is spared, as it is for the console.
  @TaskLocal package static var sparesCaller = false

  package let targets: FaultTargets
  private let projects = Mutex<[String: [Active]]>([:])
  /// Whether no project has faults: requests look here first.
  private let none = Atomic(true)

  package init(_ targets: FaultTargets) { self.targets = targets }

  package var isEmpty: Bool { none.load(ordering: .relaxed) }

  /// Whether a project has any faults.
  func hasFaults(in project: String) -> Bool {
    !isEmpty && projects.withLock { $0[project] != nil }
  }

  package func rules(of project: String) -> JSON {
    let active = projects.withLock { $0[project] ?? [] }
    return .members(["faults": .array(active.map(\.json))])
  }

  /// With `keepHits`, rules go on counting where an answer says that they were. What `every` and seeds
  /// count begins again.
  package func replace(_ project: String, with json: JSON) throws(APIError) {
    for name in json.object?.members.map(\.key) ?? [] where !["faults", "keepHits"].contains(name) {
      throw APIError(
        .invalidArgument, detail: "unknown member '\(name)'; known are faults and keepHits")
    }
    guard json["keepHits"] == nil || json["keepHits"]?.bool != nil else {
      throw APIError(.invalidArgument, detail: "/keepHits must be true or false")
    }
    let keepsHits = json["keepHits"]?.bool == true
    guard let list = json["faults"]?.array else {
      throw APIError(.invalidArgument, detail: "/faults must be an array")
    }
    var active: [Active] = []
    for (index, entry) in list.enumerated() {
      let rule = try FaultRule(entry, at: "/faults/\(index)", targets: targets)
      let hits = keepsHits ? try Self.hits(entry, at: "/faults/\(index)/hits") : 0
      active.append(Active(rule: rule, hits: hits, random: SplitMix(seed: rule.seed)))
    }
    projects.withLock { projects in
      projects[project] = active.isEmpty ? nil : active
      none.store(projects.isEmpty, ordering: .relaxed)
    }
  }

  private static func hits(_ json: JSON, at pointer: String) throws(APIError) -> Int {
    switch json["hits"] {
    case nil: return 0
    case .int(let hits)? where (0...Int64(Int32.max)).contains(hits): return Int(hits)
    default: throw APIError(.invalidArgument, detail: "\(pointer) must be a number of requests")
    }
  }

  /// The rules of a project and how often each has acted, to be kept with a snapshot.
  package func state(of project: String) -> JSON {
    let active = projects.withLock { $0[project] ?? [] }
    return .array(
      active.map { .members(["rule": $0.rule.json, "hits": .int(Int64($0.hits))]) })
  }

  /// Makes what `state` told the rules of a project. What their seeds bring about begins again.
  package func restore(_ state: JSON, of project: String) {
    let active = (state.array ?? []).compactMap { entry -> Active? in
      guard let rule = try? FaultRule(entry["rule"] ?? .null, at: "", targets: targets) else {
        return nil
      }
      return Active(
        rule: rule, hits: Int(entry["hits"]?.integer ?? 0), random: SplitMix(seed: rule.seed))
    }
    projects.withLock { projects in
      projects[project] = active.isEmpty ? nil : active
      none.store(projects.isEmpty, ordering: .relaxed)
    }
  }

  /// Adds one rule after the others, which go on as they are; those that are spent are dropped.
  package func add(_ json: JSON, to project: String) throws(APIError) {
    let rule = try FaultRule(json, at: "", targets: targets)
    projects.withLock { projects in
      projects[project, default: []].removeAll(where: \.isSpent)
      projects[project, default: []].append(Active(rule: rule, random: SplitMix(seed: rule.seed)))
      none.store(false, ordering: .relaxed)
    }
  }

  package func clear(_ project: String) {
    projects.withLock { projects in
      projects[project] = nil
      none.store(projects.isEmpty, ordering: .relaxed)
    }
  }

  /// What happens to a request: every rule that matches it, in their order, up to one that ends it.
  package func effects(
    in project: String, _ operation: String, email: @autoclosure () -> String?
  ) -> [Injection] {
    guard !isEmpty else { return [] }
    let email = email()
    return projects.withLock { projects in
      guard var active = projects[project] else { return [] }
      var injections: [Injection] = []
      for index in active.indices where active[index].rule.matches(operation, email: email) {
        guard active[index].draw() else { continue }
        let effect = Effect(active[index].rule.effect, random: &active[index].random)
        injections.append(
          Injection(effect: effect, rule: "#\(index + 1) \(active[index].rule.words)"))
        // Those after it do not act, and are not used up.
        if effect.isEnd { break }
      }
      projects[project] = active
      return injections
    }
  }

  /// Whether a commit of a caller fails.
  package func contends(in project: String, email: @autoclosure () -> String?) -> Bool {
    guard !isEmpty, !Self.sparesCaller else { return false }
    let email = email()
    return projects.withLock { projects in
      guard var active = projects[project] else { return false }
      let index = active.indices.first { index in
        active[index].rule.isContention && active[index].rule.matches(email: email)
          && active[index].draw()
      }
      projects[project] = active
      return index != nil
    }
  }

  /// A rule that acts on a request.
  package struct Injection: Sendable {
    package let effect: Effect
    /// Which rule it is, for the log.
    package let rule: String
  }

  /// An effect with its random values drawn.
  package enum Effect: Sendable {
    case wait(Duration)
    case refuse(APIError)
    case drop(afterwards: Bool)
    case slow(bytesPerSecond: Int)

    /// Whether the request gets no further.
    fileprivate var isEnd: Bool {
      switch self {
      case .refuse, .drop(afterwards: false): true
      case .wait, .drop(afterwards: true), .slow: false
      }
    }

    fileprivate init(_ effect: FaultRule.Effect, random: inout SplitMix) {
      switch effect {
      case .latency(let low, let high): self = .wait(low + (high - low) * random.fraction())
      case .error(let code): self = .refuse(APIError(code))
      case .status(let status, let text):
        self = .refuse(APIError(injectedStatus: status, message: text))
      case .drop(let afterwards): self = .drop(afterwards: afterwards)
      case .slowBody(let rate): self = .slow(bytesPerSecond: rate)
      case .contention: self = .refuse(APIError(.aborted))
      }
    }
  }
}

/// Something that is to go wrong in a project.
public struct Fault: Sendable, Equatable {
  /// What goes wrong.
  public enum Effect: Sendable, Equatable {
    /// The operation waits first.
    case latency(Duration)
    /// The operation waits for a random time first.
    case latencyBetween(Duration, Duration)
    /// Refused with this code, such as `EMAIL_NOT_FOUND` or `UNAVAILABLE`.
    case error(String)
    /// Refused with this status, 400 to 599.
    case status(Int)
    /// The connection closes before the operation runs.
    case dropBefore
    /// The operation succeeds, then the connection closes.
    case dropAfter
    /// The answer is sent with so many bytes a second.
    case slowBody(bytesPerSecond: Int)
    /// This share of the commits of Firestore is aborted.
    case contention(Double)
  }

  /// The id of an operation, with `*` for any characters, such as `*.signUp` or `firestore.*`.
  public var operation: String
  /// What goes wrong.
  public var effect: Effect
  /// How often at most; nil for each time.
  public var times: Int?
  /// The share of the requests, from 0 to 1; nil for all.
  public var share: Double?
  /// The random seed for what is random.
  public var seed: Int?
  /// Only requests about this address.
  public var email: String?

  /// A fault of an operation.
  ///
  /// - Parameters:
  ///   - operation: its id, with `*` for any characters.
  ///   - effect: what goes wrong.
  ///   - times: how often at most; nil for each time.
  ///   - share: the share of the requests, from 0 to 1; nil for all.
  ///   - seed: the random seed for what is random.
  ///   - email: only requests about this address.
  public init(
    _ operation: String, _ effect: Effect, times: Int? = nil, share: Double? = nil,
    seed: Int? = nil, email: String? = nil
  ) {
    self.operation = operation
    self.effect = effect
    self.times = times
    self.share = share
    self.seed = seed
    self.email = email
  }
}

extension HearthClient {
  /// Adds a fault to those of the project.
  ///
  /// ```swift
  /// try await hearth.addFault(Fault("*.signUp", .error("UNAVAILABLE"), times: 1))
  /// ```
  ///
  /// - Parameter fault: the fault.
  /// - Throws: ``HearthError`` for an unknown operation or error code.
  public func addFault(_ fault: Fault) async throws {
    try await control("POST", "faults", fault.json, answering: Nothing.self)
  }

  /// Replaces the faults of the project.
  ///
  /// - Parameter faults: all faults from now on.
  /// - Throws: ``HearthError`` for an unknown operation or error code.
  public func setFaults(_ faults: [Fault]) async throws {
    try await control("PUT", "faults", ["faults": faults.map(\.json)], answering: Nothing.self)
  }

  /// Removes all faults of the project.
  ///
  /// - Throws: ``HearthError``.
  public func clearFaults() async throws {
    try await control("DELETE", "faults", answering: Nothing.self)
  }
}

extension Fault {
  fileprivate var json: [String: any Sendable] {
    var body: [String: any Sendable] = ["effect": effect.json]
    // The project's contention has no operation.
    if case .contention = effect {} else { body["operation"] = operation }
    body["times"] = times
    body["share"] = share
    body["seed"] = seed
    body["email"] = email
    return body
  }
}

extension Fault.Effect {
  fileprivate var json: [String: any Sendable] {
    switch self {
    case .latency(let time): ["latency": Self.text(time)]
    case .latencyBetween(let least, let most):
      ["latency": ["min": Self.text(least), "max": Self.text(most)]]
    case .error(let code): ["error": code]
    case .status(let status): ["status": status]
    case .dropBefore: ["drop": "before"]
    case .dropAfter: ["drop": "after"]
    case .slowBody(let bytes): ["slowBody": "\(bytes)B/s"]
    case .contention(let share): ["contention": share]
    }
  }

  private static func text(_ time: Duration) -> String { "\(Int64(time / .milliseconds(1)))ms" }
}

import HearthErrors
import HearthTime
import HearthWire

/// A fault that a test asks for: which requests, and what happens to them.
struct FaultRule: Sendable {
  enum Effect: Sendable {
    /// Wait, between these, before the operation runs.
    case latency(Duration, Duration)
    /// Refuse with a code of the error table.
    case error(ErrorCode)
    /// Refuse with a bare status of HTTP or SMTP, and a text of its own or the usual one.
    case status(Int, text: String?)
    /// Close the connection before the operation runs, or when it has run.
    case drop(afterwards: Bool)
    /// Send the answer at so many bytes a second.
    case slowBody(Int)
    /// Have a commit of Firestore fail as one that others are in the way of.
    case contention
  }

  private let operationPattern: FaultPattern
  let effect: Effect
  /// Which part of the matching requests, from 0 to 1.
  let share: Double
  let seed: UInt64
  /// Each request that matches and has a number divisible by this one, counted from 1; nil for all.
  let every: Int?
  /// How often at most; nil for always.
  let times: Int?
  /// Only requests about addresses like this one.
  private let email: FaultPattern?
  /// As it was given, to be shown again.
  let json: JSON

  /// Reads a rule; the pointer says where it is, for the message of a mistake.
  init(_ given: JSON, at pointer: String, targets: FaultTargets) throws(APIError) {
    guard var object = given.object else { throw Self.fault(pointer, problem: "must be an object") }
    let known = ["operation", "effect", "share", "seed", "every", "times", "email"]
    // What is shown of a rule can be given back; counts begin again.
    for name in Self.counts { object[name] = nil }
    var json = JSON.object(object)
    for name in object.members.map(\.key) where !known.contains(name) {
      throw Self.fault("\(pointer)/\(name)", problem: "is not a member of a fault")
    }
    operationPattern = try Self.operation(
      json["operation"], contends: json["effect"]?["contention"] != nil, targets: targets,
      pointer: "\(pointer)/operation")
    effect = try Self.effect(json["effect"] ?? .null, pointer: "\(pointer)/effect")
    share = try Self.share(json, effect: effect, pointer: pointer)
    switch json["seed"] {
    case nil: seed = 0
    case .int(let value)?: seed = UInt64(bitPattern: value)
    default: throw Self.fault("\(pointer)/seed", problem: "must be an integer")
    }
    every = try Self.count("every", json: json, pointer: pointer)
    times = try Self.count("times", json: json, pointer: pointer)
    switch json["email"] {
    case nil: email = nil
    case .string(let text)?: email = FaultPattern(text: text.lowercased())
    default: throw Self.fault("\(pointer)/email", problem: "must be an address")
    }
    if json["operation"] == nil {
      object["operation"] = .string(operationPattern.text)
      json = .object(object)
    }
    self.json = json
  }

  private static func operation(
    _ json: JSON?, contends: Bool, targets: FaultTargets, pointer: String
  ) throws(APIError) -> FaultPattern {
    if json == nil, contends { return FaultPattern(text: "firestore.*") }
    guard let operation = json?.string.nonEmpty else {
      throw fault(pointer, problem: "must be the id of an operation, or a glob")
    }
    let pattern = FaultPattern(text: operation)
    guard targets.hasMatch(pattern) else {
      throw fault(pointer, problem: advice(targets.near(pattern)))
    }
    guard !contends || FirestoreOperations.commits.contains(where: pattern.matches) else {
      throw fault(pointer, problem: "must match an operation that commits, such as *.commit")
    }
    return pattern
  }

  /// Of contention the effect may say it itself.
  private static func share(
    _ json: JSON, effect: Effect, pointer: String
  ) throws(APIError) -> Double {
    var given = json["share"]
    var place = "\(pointer)/share"
    if case .contention = effect, let own = json["effect"]?["contention"], own.bool == nil {
      guard given == nil else {
        throw fault(place, problem: "is set by \"contention\" already")
      }
      given = own
      place = "\(pointer)/effect/contention"
    }
    switch given {
    case nil: return 1
    case .int(let value)? where (0...1).contains(value): return Double(value)
    case .double(let value)? where (0...1).contains(value): return value
    default: throw fault(place, problem: "must be a number from 0 to 1")
    }
  }

  private static func count(
    _ name: String, json: JSON, pointer: String
  ) throws(APIError) -> Int? {
    switch json[name] {
    case nil: return nil
    case .int(let value)? where value > 0: return Int(value)
    default: throw fault("\(pointer)/\(name)", problem: "must be a positive integer")
    }
  }

  /// Members that an answer has and a request need not have.
  static let counts = ["hits", "remaining"]

  private static func advice(_ near: [String]) -> String {
    "matches no operation; "
      + (near.isEmpty
        ? "see `hearth routes`" : "did you mean \(near.joined(separator: " or "))?")
  }

  /// For the log: what it is for, and what it does.
  var words: String {
    "\(operationPattern.text) \(json["effect"]?.text ?? "")"
  }

  private static let effects = "latency, error, status, drop, slowBody and contention"

  private static func effect(_ json: JSON, pointer: String) throws(APIError) -> Effect {
    let members = json.object?.members.filter { $0.key != "text" } ?? []
    guard members.count == 1, let member = members.first else {
      throw fault(pointer, problem: "must have exactly one of \(effects)")
    }
    guard member.key == "status" || json["text"] == nil else {
      throw fault("\(pointer)/text", problem: "is allowed with \"status\" only")
    }
    switch (member.key, member.value) {
    case ("latency", .string(let text)):
      guard let time = WaitTime(text)?.duration else { break }
      return .latency(time, time)
    case ("latency", .object(let range)):
      guard let low = range["min"]?.string.flatMap(WaitTime.init)?.duration,
        let high = range["max"]?.string.flatMap(WaitTime.init)?.duration, low <= high
      else { break }
      return .latency(low, high)
    case ("error", .string(let name)):
      guard let code = ErrorCode(rawValue: name) else {
        throw fault(
          "\(pointer)/error", problem: "has the unknown error code '\(name)'\(advice(onCode: name))"
        )
      }
      return .error(code)
    case ("status", .int(let status)) where (400...599).contains(status):
      guard let text = json["text"] else { return .status(Int(status), text: nil) }
      guard let words = text.string, words.utf8.count <= 500 else {
        throw fault("\(pointer)/text", problem: "must be a string of at most 500 bytes")
      }
      return .status(Int(status), text: words)
    case ("contention", .bool(true)), ("contention", .int), ("contention", .double):
      return .contention
    case ("contention", _):
      throw fault("\(pointer)/contention", problem: "must be true or a number from 0 to 1")
    case ("drop", .string("before")): return .drop(afterwards: false)
    case ("drop", .string("after")): return .drop(afterwards: true)
    case ("slowBody", .string(let text)):
      guard let rate = rate(text) else { break }
      return .slowBody(rate)
    default: break
    }
    throw fault("\(pointer)/\(member.key)", problem: expectation(of: member.key))
  }

  /// What the value of an effect has to be.
  private static func expectation(of effect: String) -> String {
    switch effect {
    case "latency": "must be a duration such as 300ms, or an object with min and max"
    case "error": "must be the name of an error code"
    case "status": "must be a number from 400 to 599"
    case "drop": "must be before or after"
    case "slowBody": "must be a rate such as 1KB/s or 512B/s"
    default: "is not an effect; the effects are \(effects)"
    }
  }

  private static func advice(onCode name: String) -> String {
    let near = ErrorCode.allCases.map(\.rawValue).advice(on: name)
    guard near.isEmpty else { return near }
    return "; known are codes of Auth, such as EMAIL_NOT_FOUND, and of gRPC, such as UNAVAILABLE"
  }

  /// `512B/s`, `1KB/s`.
  private static func rate(_ text: String) -> Int? {
    for (unit, factor) in [("KB/s", 1024), ("B/s", 1)] where text.hasSuffix(unit) {
      guard let amount = Int(text.dropLast(unit.count)), (1...1_000_000).contains(amount) else {
        return nil
      }
      return amount * factor
    }
    return nil
  }

  private static func fault(_ pointer: String, problem: String) -> APIError {
    APIError(.invalidArgument, detail: "\(pointer) \(problem)")
  }

  /// Whether it acts on commits, and not on calls.
  var isContention: Bool { if case .contention = effect { true } else { false } }

  func matches(email: String?) -> Bool {
    self.email?.matches(email?.lowercased() ?? "") ?? true
  }

  func matches(_ operation: String, email: String?) -> Bool {
    !isContention && matches(email: email) && operationPattern.matches(operation)
  }
}

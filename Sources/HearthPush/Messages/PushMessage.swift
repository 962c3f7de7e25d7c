import HearthErrors
import HearthWire

/// To whom a message goes.
enum PushTarget: Sendable, Equatable {
  case fid(String)
  case token(String)
  case topic(String)
  case condition(String)

  var kind: String {
    switch self {
    case .fid: "fid"
    case .token: "token"
    case .topic: "topic"
    case .condition: "condition"
    }
  }

  var value: String {
    switch self {
    case .fid(let value), .token(let value), .topic(let value), .condition(let value): value
    }
  }

  /// As the list of messages shows it, and the filter `to` asks for it.
  var recipient: String {
    if case .topic(let name) = self { return "topic:\(name)" }
    return value
  }
}

/// A message that passed the checks of production. Names of its fields are in snake case.
struct PushMessage: Sendable {
  let json: JSONObject
  let target: PushTarget
  let condition: TopicCondition?

  init(_ message: JSONObject) throws(APIError) {
    json = message
    target = try Self.target(of: message)
    if case .condition(let text) = target {
      guard let condition = TopicCondition(text) else {
        throw APIError(
          .invalidArgument,
          message: "Invalid condition expression provided: it takes up to five topics, as in "
            + "'a' in topics && 'b' in topics.")
      }
      self.condition = condition
    } else {
      condition = nil
    }
    try MessageRules.check(self)
  }

  var data: [(key: String, value: String)] {
    Self.strings(json["data"])
  }

  static func strings(_ map: JSON?) -> [(key: String, value: String)] {
    (map?.object?.members ?? []).compactMap { member in
      member.value.string.map { (member.key, $0) }
    }
  }

  /// Whether it goes to all devices that subscribed.
  var isForTopics: Bool {
    switch target {
    case .topic, .condition: true
    case .fid, .token: false
    }
  }

  private static func target(of message: JSONObject) throws(APIError) -> PushTarget {
    let given = ["fid", "token", "topic", "condition"].filter { message[$0] != nil }
    if given.count > 1 {
      let text =
        "Invalid value at 'message' (oneof), oneof field 'target' is already set. Cannot set "
        + "'\(given[1])'"
      throw .invalidFields([("message", text)])
    }
    guard let name = given.first, let value = message[name]?.string, !value.isEmpty else {
      throw APIError(.invalidArgument, message: "Recipient of the message is not set.")
    }
    switch name {
    case "fid": return .fid(value)
    case "token": return .token(value)
    case "condition": return .condition(value)
    default:
      guard TopicName.isValid(value) else {
        throw APIError(.invalidArgument, message: "Invalid topic name provided.")
      }
      return .topic(value)
    }
  }
}

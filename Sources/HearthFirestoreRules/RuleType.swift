/// The types of the language; the raw value is the name that `is` takes.
enum RuleType: String, Sendable, CaseIterable {
  case null, bool, int, float, string, bytes, timestamp, duration, latlng, path, list, set, map,
    vector
  case mapDiff = "map_diff"
}

/// What may stand to the right of `is`.
enum TypeTest: Sendable, Equatable {
  case exactly(RuleType)
  /// `number`: int or float.
  case number
  /// `constraint`: a type of Google's that no value has here.
  case nothing

  /// In the order of Google's message.
  static let names = [
    "bool", "bytes", "constraint", "duration", "float", "int", "latlng", "list", "vector", "set",
    "number", "map", "string", "timestamp", "path", "map_diff",
  ]

  init?(named name: String) {
    switch name {
    case "number": self = .number
    case "constraint": self = .nothing
    default:
      guard Self.names.contains(name), let type = RuleType(rawValue: name) else { return nil }
      self = .exactly(type)
    }
  }

  func accepts(_ type: RuleType) -> Bool {
    switch self {
    case .exactly(let wanted): type == wanted
    case .number: type == .int || type == .float
    case .nothing: false
    }
  }
}

extension RuleValue {
  var type: RuleType {
    switch self {
    case .null: .null
    case .bool: .bool
    case .int: .int
    case .float: .float
    case .string: .string
    case .bytes: .bytes
    case .timestamp: .timestamp
    case .duration: .duration
    case .latlng: .latlng
    case .path: .path
    case .list: .list
    case .set: .set
    case .map: .map
    case .vector: .vector
    case .mapDiff: .mapDiff
    }
  }
}

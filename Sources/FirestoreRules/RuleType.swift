/// The types of the language; the raw value is the name that `is` takes.
enum RuleType: String, Sendable, CaseIterable {
  case null, bool, int, float, string, bytes, timestamp, duration, latlng, path, list, set, map
  case mapDiff = "map_diff"
}

/// What may stand to the right of `is`.
enum TypeTest: Sendable, Equatable {
  case exactly(RuleType)
  /// `number`: int or float.
  case number

  init?(named name: String) {
    if name == "number" {
      self = .number
    } else if let type = RuleType(rawValue: name), type != .mapDiff {
      self = .exactly(type)
    } else {
      return nil
    }
  }

  func accepts(_ type: RuleType) -> Bool {
    switch self {
    case .exactly(let wanted): type == wanted
    case .number: type == .int || type == .float
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
    case .mapDiff: .mapDiff
    }
  }
}

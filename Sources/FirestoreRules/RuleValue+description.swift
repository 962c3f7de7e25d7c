/// Values as the language writes them, for logs.
extension RuleValue: CustomStringConvertible {
  package var description: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .int(let value): "\(value)"
    case .float(let value): "\(value)"
    case .string(let value): "\"\(value)\""
    case .bytes(let value): "bytes(\(value.count))"
    case .timestamp(let seconds, let nanos): "timestamp(\(seconds), \(nanos))"
    case .duration(let seconds, let nanos): "duration(\(seconds), \(nanos))"
    case .latlng(let latitude, let longitude): "latlng(\(latitude), \(longitude))"
    case .path(let segments): segments.map { "/" + $0 }.joined()
    case .list(let elements): "[" + elements.map(\.description).joined(separator: ", ") + "]"
    case .set(let elements):
      "set(" + elements.map(\.description).sorted().joined(separator: ", ") + ")"
    case .map(let fields):
      "{" + fields.sorted { $0.key < $1.key }.map { "\($0): \($1)" }.joined(separator: ", ") + "}"
    case .mapDiff: "a diff"
    }
  }
}

/// Values as the language writes them, for logs.
extension RuleValue: CustomStringConvertible {
  package var description: String { description(limit: .max) }

  /// No more than about `limit` bytes: a value may share its parts and be huge when it is written.
  func description(limit: Int) -> String {
    var text = ""
    write(to: &text, limit)
    return text
  }

  private func write(to text: inout String, _ limit: Int) {
    guard text.utf8.count < limit else { return }
    switch self {
    case .null: text += "null"
    case .bool(let value): text += "\(value)"
    case .int(let value): text += "\(value)"
    case .float(let value): text += "\(value)"
    case .string(let value): text += "\"\(Self.cut(value, limit: limit - text.utf8.count))\""
    case .bytes(let value): text += "bytes(\(value.count))"
    case .timestamp(let seconds, let nanos): text += "timestamp(\(seconds), \(nanos))"
    case .duration(let seconds, let nanos): text += "duration(\(seconds), \(nanos))"
    case .latlng(let latitude, let longitude): text += "latlng(\(latitude), \(longitude))"
    case .path(let segments): text += Self.cut(segments.map { "/" + $0 }.joined(), limit: limit)
    case .list(let elements):
      Self.write(elements, opening: "[", closing: "]", to: &text, limit: limit)
    case .set(let elements):
      text += "set("
      text +=
        elements.prefix(limit).map { $0.description(limit: limit) }.sorted()
        .joined(separator: ", ") + ")"
    case .map(let fields): Self.write(fields, to: &text, limit: limit)
    case .vector(let numbers): text += "vector(\(numbers.count))"
    case .mapDiff: text += "a diff"
    }
  }

  private static func write(
    _ elements: [RuleValue], opening: String, closing: String, to text: inout String,
    limit: Int
  ) {
    text += opening
    for (index, element) in elements.enumerated() {
      guard text.utf8.count < limit else {
        text += "…"
        break
      }
      if index > 0 { text += ", " }
      element.write(to: &text, limit)
    }
    text += closing
  }

  private static func write(
    _ fields: [String: RuleValue], to text: inout String, limit: Int
  ) {
    text += "{"
    for (index, field) in fields.sorted(by: { $0.key < $1.key }).enumerated() {
      guard text.utf8.count < limit else {
        text += "…"
        break
      }
      text += (index > 0 ? ", " : "") + "\(field.key): "
      field.value.write(to: &text, limit)
    }
    text += "}"
  }

  private static func cut(_ text: String, limit: Int) -> String {
    text.utf8.count <= limit ? text : String(text.unicodeScalars.prefix(max(limit, 0))) + "…"
  }
}

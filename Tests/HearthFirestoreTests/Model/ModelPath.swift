import HearthFirestore
import HearthFirestoreProtos
import SwiftProtobuf

/// A field path of the model: its segments, read from text in the plainest way.
struct ModelPath: Equatable {
  let segments: [String]

  static let name = ModelPath(segments: ["__name__"])

  init(segments: [String]) { self.segments = segments }

  /// Segments of tests hold no backslash, and no dot unless they stand in backticks.
  init(_ text: String) {
    var segments = [""]
    var isQuoted = false
    for character in text {
      switch character {
      case "`": isQuoted.toggle()
      case "." where !isQuoted: segments.append("")
      default: segments[segments.count - 1].append(character)
      }
    }
    self.segments = segments
  }

  /// Everything in backticks but for `__name__`, which would be a field then.
  var text: String {
    self == .name ? "__name__" : segments.map { "`\($0)`" }.joined(separator: ".")
  }

  static func precedes(_ left: ModelPath, _ right: ModelPath) -> Bool {
    left.segments.lexicographicallyPrecedes(right.segments)
  }
}

extension Fields {
  func find(_ path: ModelPath) -> Value? {
    var fields = self
    for name in path.segments.dropLast() {
      guard case .mapValue(let map)? = fields[name]?.valueType else { return nil }
      fields = map.fields
    }
    return path.segments.last.flatMap { fields[$0] }
  }

  /// Maps spring up on the way to a value; nothing springs up on the way to a removal. A vector is
  /// not a map.
  func replacing(_ path: ModelPath, with value: Value?) -> Fields {
    guard let first = path.segments.first else { return self }
    var fields = self
    if path.segments.count == 1 {
      fields[first] = value
      return fields
    }
    var inner: Fields?
    if let known = fields[first], ModelOrder.vector(known) == nil,
      case .mapValue(let map)? = known.valueType
    {
      inner = map.fields
    }
    if value == nil, inner == nil { return self }
    let rest = ModelPath(segments: Array(path.segments.dropFirst()))
    fields[first] = .object((inner ?? [:]).replacing(rest, with: value))
    return fields
  }
}

import FirestoreProtos
import HearthCore

/// A path to a field: `a.b`, with segments that are no plain names in backticks.
struct FieldPath: Sendable, Hashable, Comparable, CustomStringConvertible {
  let segments: [String]

  static let documentName = FieldPath(segments: ["__name__"])

  init(segments: [String]) { self.segments = segments }

  init(_ text: String) throws(APIError) {
    var segments: [String] = []
    var current: [UInt8] = []
    var isQuoted = false
    var wasQuoted = false
    var bytes = Array(text.utf8)[...]
    func fault() -> APIError { .invalid("Invalid property path \"\(text)\".") }
    while let byte = bytes.popFirst() {
      switch byte {
      case UInt8(ascii: "`"):
        if !isQuoted, !current.isEmpty || wasQuoted { throw fault() }
        wasQuoted = isQuoted
        isQuoted.toggle()
      case UInt8(ascii: "\\") where isQuoted:
        guard let escaped = bytes.popFirst() else { throw fault() }
        current.append(escaped)
      case UInt8(ascii: ".") where !isQuoted:
        guard !current.isEmpty, wasQuoted || Self.isPlain(current) else { throw fault() }
        segments.append(String(decoding: current, as: UTF8.self))
        current = []
        wasQuoted = false
      default:
        if wasQuoted { throw fault() }
        current.append(byte)
      }
    }
    guard !isQuoted, !current.isEmpty, wasQuoted || Self.isPlain(current) else { throw fault() }
    segments.append(String(decoding: current, as: UTF8.self))
    guard segments.allSatisfy({ $0.utf8.count <= 1500 }) else { throw fault() }
    self.segments = segments
  }

  var isDocumentName: Bool { self == .documentName }

  var description: String { segments.map(Self.quoted).joined(separator: ".") }

  private static func quoted(_ segment: String) -> String {
    if isPlain(Array(segment.utf8)) { return segment }
    let escaped = segment.replacing("\\", with: "\\\\").replacing("`", with: "\\`")
    return "`\(escaped)`"
  }

  /// Whether a segment needs no backticks.
  private static func isPlain(_ segment: [UInt8]) -> Bool {
    guard let first = segment.first, !isDigit(first) else { return false }
    return segment.allSatisfy {
      isDigit($0) || $0 == UInt8(ascii: "_")
        || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  static func < (left: FieldPath, right: FieldPath) -> Bool {
    left.segments.lexicographicallyPrecedes(right.segments)
  }

  /// Whether the other path is this one or lies below it.
  func contains(_ other: FieldPath) -> Bool { other.segments.starts(with: segments) }
}

extension Fields {
  func value(at path: FieldPath) -> Value? { value(at: path.segments[...]) }

  private func value(at segments: ArraySlice<String>) -> Value? {
    guard let first = segments.first, let value = self[first] else { return nil }
    if segments.count == 1 { return value }
    guard case .mapValue(let map)? = value.valueType else { return nil }
    return map.fields.value(at: segments.dropFirst())
  }

  /// Sets the value, and makes the maps on the way; nil removes it.
  mutating func set(_ value: Value?, at path: FieldPath) { set(value, at: path.segments[...]) }

  private mutating func set(_ value: Value?, at segments: ArraySlice<String>) {
    guard let first = segments.first else { return }
    if segments.count == 1 {
      self[first] = value
      return
    }
    var inner: Fields = [:]
    // A vector is one value: what is put into it replaces it.
    if let known = self[first], known.vector == nil, case .mapValue(let map)? = known.valueType {
      inner = map.fields
    } else if value == nil {
      return
    }
    inner.set(value, at: segments.dropFirst())
    self[first] = .map(inner)
  }
}

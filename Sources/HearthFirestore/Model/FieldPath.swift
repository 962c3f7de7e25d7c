import HearthErrors
import HearthFirestoreProtos
import HearthLimits
import HearthWire

/// A path to a field: `a.b`, with backticks around segments that are not plain names.
struct FieldPath: Sendable, Hashable, Comparable, CustomStringConvertible {
  let segments: [String]

  static let documentName = FieldPath(segments: ["__name__"])

  init(segments: [String]) { self.segments = segments }

  /// Parses a path, and refuses what no stored field can have.
  init(_ text: String) throws(APIError) {
    guard !text.isEmpty else { throw .invalid("Invalid empty property path string.") }
    guard text.utf8.count < Limit.fieldPath.value else {
      throw .invalid(Limit.fieldPath.refusal())
    }
    segments = try Self.segments(of: text)
    guard segments.count <= Limit.fieldPathElements.value else {
      throw .invalid(Limit.fieldPathElements.refusal())
    }
    if !isDocumentName, let reserved = segments.first(where: Self.isReserved) {
      throw .invalid("Invalid reserved name in field path \(reserved)")
    }
  }

  /// Whether a name is kept for Google's own use: `__x__`.
  static func isReserved(_ name: String) -> Bool {
    let name = name.utf8
    return name.count > 4 && name.starts(with: "__".utf8) && name.suffix(2).elementsEqual("__".utf8)
  }

  /// Checks the name of a field that an answer shall have.
  static func checkName(_ name: String, of place: String) throws(APIError) {
    guard name.utf8.count <= Limit.fieldName.value else {
      throw .invalid(Limit.fieldName.refusal(place))
    }
    guard !isReserved(name) else { throw .invalid("The \(place).name \"\(name)\" is reserved.") }
  }

  private static func segments(of text: String) throws(APIError) -> [String] {
    var segments: [String] = []
    var current: [UInt8] = []
    var isQuoted = false
    var wasQuoted = false
    var bytes = Array(text.utf8)[...]
    func fault() -> APIError {
      .invalid(
        "Invalid property path \"\(text)\". Unquoted property paths must match regex "
          + "([a-zA-Z_][a-zA-Z_0-9]*), and quoted property paths must match regex "
          + "(`(?:[^`\\\\]|(?:\\\\.))+`)")
    }
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
    return segments
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
    guard let first = segment.first, !first.isASCIIDigit else { return false }
    return segment.allSatisfy { $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "_") }
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

/// A value of the rules language.
///
/// Equality is that of elements of a set, and of `diff()`: numbers compare by value whatever their
/// type, NaN equals itself, strings compare byte by byte (Swift's own `==` takes different spellings
/// of one character for equal, Firestore does not), sets without order. The language's `==` is
/// stricter (``RuleValue/equals(_:_:)``).
package indirect enum RuleValue: Sendable, Hashable {
  case null
  case bool(Bool)
  case int(Int64)
  case float(Double)
  case string(String)
  case bytes([UInt8])
  /// Time since 1970; `nanos` is 0 ..< 1 000 000 000.
  case timestamp(seconds: Int64, nanos: Int32)
  /// A span of time; `nanos` has the sign of `seconds`.
  case duration(seconds: Int64, nanos: Int32)
  case latlng(latitude: Double, longitude: Double)
  /// All segments from `databases` on, without slashes.
  case path([String])
  case list([RuleValue])
  case set(Set<RuleValue>)
  case map([String: RuleValue])
  case vector([Double])
  case mapDiff(MapDiff)
}

/// What `newer.diff(older)` found.
package struct MapDiff: Sendable, Hashable {
  package let addedKeys: Set<String>
  package let removedKeys: Set<String>
  package let changedKeys: Set<String>
  package let unchangedKeys: Set<String>

  package init(from older: [String: RuleValue], to newer: [String: RuleValue]) {
    let shared = Set(newer.keys).intersection(older.keys)
    addedKeys = Set(newer.keys).subtracting(shared)
    removedKeys = Set(older.keys).subtracting(shared)
    changedKeys = shared.filter { newer[$0] != older[$0] }
    unchangedKeys = shared.subtracting(changedKeys)
  }

  var count: Int {
    addedKeys.count + removedKeys.count + changedKeys.count + unchangedKeys.count
  }
}

extension RuleValue {
  /// What rules see of a document: the map that `resource`, `request.resource` and `get()`.
  ///
  /// - Parameters:
  ///   - path: the segments below `/databases/{database}/documents`.
  ///   - databaseID: the id of the database, usually `(default)`.
  ///   - data: the fields.
  /// - Returns: a map with the keys data, id and `__name__`.
  package static func document(
    at path: [String], in databaseID: String = "(default)", data: [String: RuleValue]
  ) -> RuleValue {
    .map([
      "data": .map(data),
      "id": .string(path.last ?? ""),
      "__name__": .path(["databases", databaseID, "documents"] + path),
    ])
  }

  package static func == (left: RuleValue, right: RuleValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.int(let a), .int(let b)): a == b
    case (.float(let a), .float(let b)): a == b || a.isNaN && b.isNaN
    case (.int(let a), .float(let b)), (.float(let b), .int(let a)): Int64(exactly: b) == a
    case (.string(let a), .string(let b)): a.hasSameBytes(as: b)
    case (.bytes(let a), .bytes(let b)): a == b
    case (.timestamp(let a, let b), .timestamp(let c, let d)): a == c && b == d
    case (.duration(let a, let b), .duration(let c, let d)): a == c && b == d
    case (.latlng(let a, let b), .latlng(let c, let d)): a == c && b == d
    case (.path(let a), .path(let b)): a.elementsEqual(b) { $0.hasSameBytes(as: $1) }
    case (.list(let a), .list(let b)): a == b
    case (.set(let a), .set(let b)): a == b
    case (.map(let a), .map(let b)): a == b
    case (.vector(let a), .vector(let b)): a == b
    case (.mapDiff(let a), .mapDiff(let b)): a == b
    default: false
    }
  }

  /// Equal values must hash alike, so an int hashes as the float it may be equal to, and all NaNs as
  /// one.
  package func hash(into hasher: inout Hasher) {
    switch self {
    case .null: break
    case .bool(let value): hasher.combine(value)
    case .int(let value):
      // Those that no float is equal to hash for themselves: many of them round to one float.
      if Int64(exactly: Double(value)) == value {
        hasher.combine(Double(value))
      } else {
        hasher.combine(value)
      }
    case .float(let value): hasher.combine(value.isNaN ? .nan : value)
    case .string(let value): value.hashBytes(into: &hasher)
    case .bytes(let value): hasher.combine(value)
    case .timestamp(let seconds, let nanos), .duration(let seconds, let nanos):
      hasher.combine(seconds)
      hasher.combine(nanos)
    case .latlng(let latitude, let longitude):
      hasher.combine(latitude)
      hasher.combine(longitude)
    case .path(let segments):
      for segment in segments { segment.hashBytes(into: &hasher) }
    case .list(let elements): hasher.combine(elements)
    case .set(let elements): hasher.combine(elements)
    case .map(let fields): hasher.combine(fields)
    case .vector(let numbers): hasher.combine(numbers)
    case .mapDiff(let diff): hasher.combine(diff)
    }
  }
}

extension String {
  func hasSameBytes(as other: String) -> Bool {
    withBytes(and: other) { $0.elementsEqual($1) }
  }

  /// As ``hasSameBytes(as:)`` compares. Swift's own hash looks for other spellings of each
  /// character, which takes many times as long.
  fileprivate func hashBytes(into hasher: inout Hasher) {
    var text = self
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(0xFF as UInt8)
  }

  func withBytes<Result>(
    and other: String,
    _ body: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    var (left, right) = (self, other)
    return left.withUTF8 { left in right.withUTF8 { right in body(left, right) } }
  }
}

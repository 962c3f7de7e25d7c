import HearthFirestoreProtos
import HearthWire
import SwiftProtobuf

extension Value {
  static func map(_ fields: Fields) -> Value {
    Value.with { $0.mapValue = MapValue.with { $0.fields = fields } }
  }

  static func array(_ values: [Value]) -> Value {
    Value.with { $0.arrayValue = ArrayValue.with { $0.values = values } }
  }

  static func reference(_ name: String) -> Value { Value.with { $0.referenceValue = name } }
  static func integer(_ value: Int64) -> Value { Value.with { $0.integerValue = value } }
  static func double(_ value: Double) -> Value { Value.with { $0.doubleValue = value } }
  static var null: Value { Value.with { $0.nullValue = .nullValue } }

  static func timestamp(microseconds: Int64) -> Value {
    Value.with { $0.timestampValue = ProtoTimestamp(microseconds: microseconds) }
  }

  /// The numbers of a vector, which is a map with a mark.
  var vector: [Value]? {
    guard case .mapValue(let map)? = valueType, map.fields.count == 2,
      map.fields["__type__"]?.stringValue == "__vector__",
      case .arrayValue(let array)? = map.fields["value"]?.valueType
    else { return nil }
    return array.values
  }

  /// The number as a double; nil when it is not a number.
  var number: Double? {
    switch valueType {
    case .integerValue(let value)?: Double(value)
    case .doubleValue(let value)?: value
    default: nil
    }
  }

  /// The same to the last bit: for `==`, NaN is not itself, `0.0` is `-0.0`, and different
  /// spellings of a character are one.
  func isIdentical(to other: Value) -> Bool {
    switch (valueType, other.valueType) {
    case (.doubleValue(let left)?, .doubleValue(let right)?): left.bitPattern == right.bitPattern
    case (.stringValue(let left)?, .stringValue(let right)?),
      (.referenceValue(let left)?, .referenceValue(let right)?):
      left.hasSameBytes(as: right)
    case (.geoPointValue(let left)?, .geoPointValue(let right)?):
      left.latitude.bitPattern == right.latitude.bitPattern
        && left.longitude.bitPattern == right.longitude.bitPattern
    case (.arrayValue(let left)?, .arrayValue(let right)?):
      left.values.elementsEqual(right.values) { $0.isIdentical(to: $1) }
    case (.mapValue(let left)?, .mapValue(let right)?): left.fields.isIdentical(to: right.fields)
    default: self == other
    }
  }

  /// The same for values that queries take for equal, and mostly not for two others. It is made much
  /// faster than ``orderedBytes``.
  var fingerprint: Int {
    var hasher = Hasher()
    switch valueType {
    case .stringValue(var text)?:
      text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    case .bytesValue(let bytes)?: hasher.combine(bytes)
    case .integerValue?, .doubleValue?:
      // All NaN are one value.
      hasher.combine(number.map { $0.isNaN ? .infinity : $0 })
    default: break
    }
    return hasher.finalize()
  }

  /// As observed, an empty map or array is not nothing where it has a name of its own.
  fileprivate var storageSizeOfField: Int {
    switch valueType {
    case .arrayValue?, .mapValue?: max(1, storageSize)
    default: storageSize
    }
  }

  /// What counts towards the size of a document.
  /// https://firebase.google.com/docs/firestore/storage-size
  var storageSize: Int {
    switch valueType {
    case .nullValue?, .booleanValue?, nil: 1
    case .integerValue?, .doubleValue?, .timestampValue?: 8
    case .stringValue(let text)?: text.utf8.count + 1
    case .bytesValue(let bytes)?: bytes.count
    case .referenceValue(let name)?: DocumentSize.ofReference(name)
    case .geoPointValue?: 16
    case .arrayValue(let array)?: array.values.reduce(0) { $0 + $1.storageSize }
    // A vector takes what its numbers take.
    case .mapValue(let map)?: vector.map { 8 * $0.count } ?? map.fields.storageSize
    default: 1
    }
  }
}

extension Fields {
  /// The same fields, whatever their order.
  func isIdentical(to other: Fields) -> Bool {
    guard count == other.count else { return false }
    let isInOrder = zip(entries, other.entries).allSatisfy { $0.key.hasSameBytes(as: $1.key) }
    if isInOrder {
      return zip(entries, other.entries).allSatisfy { $0.value.isIdentical(to: $1.value) }
    }
    let positions = other.positions
    return allSatisfy { name, value in positions[name]?.isIdentical(to: value) ?? false }
  }

  var storageSize: Int { reduce(0) { $0 + $1.key.utf8.count + 1 + $1.value.storageSizeOfField } }
}

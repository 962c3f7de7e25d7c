import FirestoreProtos
import HearthCore
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

  /// The number as a double; nil when it is none.
  var number: Double? {
    switch valueType {
    case .integerValue(let value)?: Double(value)
    case .doubleValue(let value)?: value
    default: nil
    }
  }

  /// Equal as queries see it: `1` and `1.0` are.
  func isEquivalent(to other: Value) -> Bool { orderedBytes == other.orderedBytes }

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

  /// What counts towards the size of a document.
  /// https://firebase.google.com/docs/firestore/storage-size
  var storageSize: Int {
    switch valueType {
    case .nullValue?, .booleanValue?, nil: 1
    case .integerValue?, .doubleValue?, .timestampValue?: 8
    case .stringValue(let text)?: text.utf8.count + 1
    case .bytesValue(let bytes)?: bytes.count
    case .referenceValue(let name)?: name.utf8.count + 16
    case .geoPointValue?: 16
    case .arrayValue(let array)?: array.values.reduce(0) { $0 + $1.storageSize }
    case .mapValue(let map)?: map.fields.storageSize
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

  var storageSize: Int { reduce(0) { $0 + $1.key.utf8.count + 1 + $1.value.storageSize } }
}

/// What production refuses to store.
enum DocumentLimits {
  static let largestDocument = 1_048_576
  /// Of maps and arrays, one in the other; the field that holds the outermost does not count.
  private static let deepest = 20

  /// Checks the fields, and cuts timestamps to the precision that is kept.
  static func checked(_ fields: Fields, of path: ResourcePath) throws(APIError) -> Fields {
    let checked = try self.fields(fields, depth: 1)
    let name = path.segments.reduce(16) { $0 + $1.utf8.count + 1 }
    let size = name + checked.storageSize + 32
    guard size <= largestDocument else {
      throw .invalid(
        "Document '\(path.text)' cannot be written because its size (\(grouped(size)) bytes) "
          + "exceeds the maximum allowed size of \(grouped(largestDocument)) bytes.")
    }
    return checked
  }

  private static func grouped(_ number: Int) -> String {
    var digits = Array(String(number))
    var position = digits.count - 3
    while position > 0 {
      digits.insert(",", at: position)
      position -= 3
    }
    return String(digits)
  }

  private static func fields(_ fields: Fields, depth: Int) throws(APIError) -> Fields {
    var result = Fields()
    result.reserveCapacity(fields.count)
    for (name, value) in fields.unique {
      guard !name.isEmpty else { throw .invalid("A field name must not be empty.") }
      guard name.utf8.count <= 1500 else {
        throw .invalid("A field name is longer than 1500 bytes.")
      }
      if name.hasPrefix("__"), name.hasSuffix("__"), name.utf8.count >= 4, name != "__type__" {
        throw .invalid("Property name \"\(name)\" is reserved: it begins and ends with __.")
      }
      result.append(name, try self.value(value, depth: depth, isInArray: false))
    }
    return result
  }

  private static func value(
    _ value: Value, depth: Int, isInArray: Bool
  ) throws(APIError) -> Value {
    switch value.valueType {
    case nil: throw .invalid("A value has no type.")
    case .timestampValue(let time)?:
      guard (-62_135_596_800...253_402_300_799).contains(time.seconds),
        (0...999_999_999).contains(time.nanos)
      else { throw .invalid("A timestamp is outside of the years 1 to 9999.") }
      return .timestamp(microseconds: time.microseconds)
    case .geoPointValue(let point)?:
      guard (-90...90).contains(point.latitude), (-180...180).contains(point.longitude) else {
        throw .invalid("Latitude must be within -90 and 90, longitude within -180 and 180.")
      }
    case .referenceValue(let name)?: _ = try ResourcePath.document(name)
    case .arrayValue(let array)?:
      guard !isInArray else { throw .invalid("Cannot convert an array value in an array value.") }
      guard depth <= deepest else { throw tooDeep }
      var values: [Value] = []
      values.reserveCapacity(array.values.count)
      for element in array.values {
        values.append(try self.value(element, depth: depth + 1, isInArray: true))
      }
      return .array(values)
    case .mapValue(let map)?:
      guard depth <= deepest else { throw tooDeep }
      if map.fields["__type__"] != nil {
        guard let numbers = value.vector else {
          throw .invalid("A map with \"__type__\" must be a vector.")
        }
        guard numbers.count <= 2048, numbers.allSatisfy({ $0.number != nil }) else {
          throw .invalid("A vector must hold at most 2048 numbers.")
        }
        return value
      }
      return .map(try fields(map.fields, depth: depth + 1))
    case .fieldReferenceValue?, .variableReferenceValue?, .functionValue?, .pipelineValue?:
      throw .invalid("A value of this type cannot be stored.")
    default: break
    }
    return value
  }

  private static var tooDeep: APIError {
    .invalid("Property values are nested deeper than \(deepest) levels.")
  }
}

import HearthFirestoreProtos
import HearthFirestoreRules
import HearthWire
import SwiftProtobuf

extension RuleValue {
  /// A stored value, as rules see it. What only pipelines have is null, as it is never stored.
  init(_ value: Value) {
    switch value.valueType {
    case .nullValue?, nil: self = .null
    case .booleanValue(let value)?: self = .bool(value)
    case .integerValue(let value)?: self = .int(value)
    case .doubleValue(let value)?: self = .float(value)
    case .stringValue(let text)?: self = .string(text)
    case .bytesValue(let bytes)?: self = .bytes([UInt8](bytes))
    case .timestampValue(let time)?: self = .timestamp(seconds: time.seconds, nanos: time.nanos)
    case .geoPointValue(let point)?:
      self = .latlng(latitude: point.latitude, longitude: point.longitude)
    case .referenceValue(let name)?:
      // Rules know paths from `databases` on.
      self = .path(Array(name.splitAtSlashes.dropFirst(2)))
    case .arrayValue(let array)?: self = .list(array.values.map { RuleValue($0) })
    case .mapValue(let map)?:
      if let vector = map.ruleVector {
        self = .vector(vector)
      } else {
        self = .map(map.fields.mapValues { RuleValue($0) })
      }
    case .fieldReferenceValue?, .variableReferenceValue?, .functionValue?, .pipelineValue?:
      self = .null
    }
  }

  /// A claim of a token, or JSON of a trial. Numbers without a fraction are integers.
  init(_ json: JSON) {
    switch json {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .int(let value): self = .int(value)
    // Also 1.0, as in the official emulator.
    case .double(let value): self = Int64(exactly: value).map { .int($0) } ?? .float(value)
    case .string(let text): self = .string(text)
    case .array(let elements): self = .list(elements.map { RuleValue($0) })
    case .object(let object):
      self = .map(
        Dictionary(
          object.members.map { ($0.key, RuleValue($0.value)) }, uniquingKeysWith: { $1 }))
    }
  }
}

extension MapValue {
  /// The numbers of a vector, which is kept as a map of this form; nil for any other map.
  fileprivate var ruleVector: [Double]? {
    guard fields.count == 2, case .stringValue("__vector__")? = fields["__type__"]?.valueType,
      case .arrayValue(let array)? = fields["value"]?.valueType
    else { return nil }
    var numbers: [Double] = []
    for value in array.values {
      switch value.valueType {
      case .doubleValue(let number)?: numbers.append(number)
      case .integerValue(let number)?: numbers.append(Double(number))
      default: return nil
      }
    }
    return numbers
  }
}

extension StoredDocument {
  /// The document as rules see it as `resource`, or as what `get()` returns.
  var ruleValue: RuleValue {
    .document(
      at: path.segments, in: path.database.database, data: fields.mapValues { RuleValue($0) })
  }
}

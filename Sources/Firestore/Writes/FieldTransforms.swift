import FirestoreProtos
import HearthCore
import SwiftProtobuf

/// Changes that depend on what is stored.
enum FieldTransforms {
  private static let most = 500

  /// Applies the transforms in their order, and returns what each tells the client.
  static func apply(
    _ transforms: [FieldTransform], to fields: inout Fields, time: Int64
  ) throws(APIError) -> [Value] {
    guard transforms.count <= most else {
      throw .invalid("A document must not have more than \(most) transforms.")
    }
    var results: [Value] = []
    for transform in transforms {
      let path = try FieldPath(transform.fieldPath)
      guard !path.isDocumentName else { throw .invalid("__name__ cannot be transformed.") }
      let known = fields.value(at: path)
      let (value, result) = try apply(transform, to: known, time: time)
      fields.set(value, at: path)
      results.append(result)
    }
    return results
  }

  private static func apply(
    _ transform: FieldTransform, to known: Value?, time: Int64
  ) throws(APIError) -> (value: Value, result: Value) {
    switch transform.transformType {
    case .setToServerValue(.requestTime)?:
      // Production keeps milliseconds here.
      let now = Value.timestamp(microseconds: time - time % 1000)
      return (now, now)
    case .increment(let operand)?:
      guard operand.number != nil else { throw .invalid("increment needs a number.") }
      let sum = sum(known, operand)
      return (sum, sum)
    case .maximum(let operand)?:
      let value = try extreme(known, operand) { $0.isLess(than: $1) }
      return (value, value)
    case .minimum(let operand)?:
      let value = try extreme(known, operand) { $1.isLess(than: $0) }
      return (value, value)
    case .appendMissingElements(let array)?:
      var values = elements(known)
      for element in array.values where !values.contains(where: { $0.isEquivalent(to: element) }) {
        values.append(element)
      }
      return (.array(values), .null)
    case .removeAllFromArray(let array)?:
      let values = elements(known).filter { value in
        !array.values.contains { $0.isEquivalent(to: value) }
      }
      return (.array(values), .null)
    case .setToServerValue?: throw .invalid("An unknown server value.")
    case nil: throw .invalid("A field transform must have a type.")
    }
  }

  /// What is no number counts as absent. Integers stay at their largest and smallest.
  private static func sum(_ known: Value?, _ operand: Value) -> Value {
    guard let known, let number = known.number else { return operand }
    if case .integerValue(let left)? = known.valueType,
      case .integerValue(let right)? = operand.valueType
    {
      let (sum, overflow) = left.addingReportingOverflow(right)
      return .integer(overflow ? (right > 0 ? .max : .min) : sum)
    }
    return .double(number + (operand.number ?? 0))
  }

  /// The stored value stays where the two are equal; NaN wins over every number.
  private static func extreme(
    _ known: Value?, _ operand: Value, replaces: ([UInt8], [UInt8]) -> Bool
  ) throws(APIError) -> Value {
    guard let number = operand.number else { throw .invalid("maximum and minimum need a number.") }
    guard let known, let stored = known.number else { return operand }
    if stored.isNaN { return known }
    if number.isNaN { return operand }
    return replaces(known.orderedBytes, operand.orderedBytes) ? operand : known
  }

  private static func elements(_ value: Value?) -> [Value] {
    guard case .arrayValue(let array)? = value?.valueType else { return [] }
    return array.values
  }
}

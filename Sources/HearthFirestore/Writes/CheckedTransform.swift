import HearthErrors
import HearthFirestoreProtos
import HearthLimits
import HearthOperations
import SwiftProtobuf

/// One change of a field that depends on what is stored. Its operands are checked when it is made,
/// so that `apply` cannot fail: it runs in the transaction of the store.
struct CheckedTransform: Sendable {
  /// Operands are as the client sent them; those of arrays are checked as stored values.
  private enum Kind: Sendable {
    /// The time of the commit, the same for all of its writes.
    case requestTime
    case increment(Value)
    case maximum(Value)
    case minimum(Value)
    /// `appendMissingElements`: what is not an array counts as an empty one.
    case union([Value])
    case remove([Value])
  }

  let path: FieldPath
  private let kind: Kind

  /// The transforms of one document.
  ///
  /// - Throws: INVALID_ARGUMENT for more than production takes, for one without an operation, and
  ///   for fields that overlap.
  static func all(_ messages: [FieldTransform]) throws(APIError) -> [CheckedTransform] {
    guard messages.count <= Limit.transforms.value else {
      throw .invalid(Limit.transforms.refusal())
    }
    var transforms: [CheckedTransform] = []
    transforms.reserveCapacity(messages.count)
    for message in messages { transforms.append(try CheckedTransform(message)) }
    try checkOverlap(transforms)
    return transforms
  }

  private init(_ message: FieldTransform) throws(APIError) {
    path = try FieldPath(message.fieldPath)
    guard !path.isDocumentName else { throw .invalid("__name__ cannot be transformed.") }
    kind =
      switch message.transformType {
      case .setToServerValue(.requestTime)?: .requestTime
      case .increment(let operand)?: .increment(try Self.number(operand))
      case .maximum(let operand)?: .maximum(try Self.number(operand))
      case .minimum(let operand)?: .minimum(try Self.number(operand))
      case .appendMissingElements(let array)?: .union(try Self.elements(array, path: path))
      case .removeAllFromArray(let array)?: .remove(try Self.elements(array, path: path))
      case .setToServerValue?:
        throw .invalid("ServerValue type must be specified for set_to_server_value transformation.")
      case nil: throw .invalid("Operation type must be specified for field transformation.")
      }
  }

  private static func number(_ operand: Value) throws(APIError) -> Value {
    guard operand.valueType != nil else { throw .unsetValue }
    guard operand.number != nil else { throw .invalid("Input must be int64 or double.") }
    return operand
  }

  private static func elements(
    _ array: ArrayValue, path: FieldPath
  ) throws(APIError) -> [Value] {
    var elements: [Value] = []
    for element in array.values {
      elements.append(try ValueCheck.stored(element: element, at: path))
    }
    return elements
  }

  /// A field and one within it cannot both be transformed. In order, what lies within a field comes
  /// right after it.
  private static func checkOverlap(_ transforms: [CheckedTransform]) throws(APIError) {
    guard transforms.count > 1 else { return }
    // Several transforms of the same field are allowed, and are applied in their order.
    let paths = Set(transforms.map(\.path)).sorted()
    for (path, next) in zip(paths, paths.dropFirst()) where path.contains(next) {
      throw .invalid(
        "Cannot transform property \(path) and its nested property at the same time.")
    }
  }

  /// Whether the field becomes a server timestamp.
  var isRequestTime: Bool { if case .requestTime = kind { true } else { false } }

  /// Changes the field, and returns what clients receive. The time is that of server timestamps, in
  /// microseconds.
  ///
  /// - Returns: the entry of `transform_results`, which is null for transforms of arrays.
  func apply(to fields: inout Fields, time: Int64) -> Value {
    let (value, result) = changed(fields.value(at: path), time: time)
    fields.set(value, at: path)
    return result
  }

  private func changed(_ known: Value?, time: Int64) -> (value: Value, result: Value) {
    switch kind {
    case .requestTime:
      let now = Value.timestamp(microseconds: time)
      return (now, now)
    case .increment(let operand):
      let sum = Self.sum(known, operand: operand)
      return (sum, sum)
    case .maximum(let operand):
      let value = Self.extreme(known, operand: operand) { $0.isLess(than: $1) }
      return (value, value)
    case .minimum(let operand):
      let value = Self.extreme(known, operand: operand) { $1.isLess(than: $0) }
      return (value, value)
    case .union(let elements):
      var values = Self.elements(known)
      // Equal is what queries see as equal: `1` and `1.0` are. Of a long array only what may be
      // equal to an element is looked at closely: many writes of a commit may add to it.
      let prints = Set(elements.lazy.map(\.fingerprint))
      var places = Set(
        values.lazy.filter { prints.contains($0.fingerprint) }.map(\.orderedBytes))
      // An element that appears twice in the request is added once.
      for element in elements where places.insert(element.orderedBytes).inserted {
        values.append(element)
      }
      return (.array(values), .null)
    case .remove(let elements):
      let prints = Set(elements.lazy.map(\.fingerprint))
      let places = Set(elements.lazy.map(\.orderedBytes))
      let values = Self.elements(known).filter {
        !prints.contains($0.fingerprint) || !places.contains($0.orderedBytes)
      }
      return (.array(values), .null)
    }
  }

  /// What is not a number counts as absent. Integers stay at their largest and smallest. A sum is a
  /// double unless both are integers.
  private static func sum(_ known: Value?, operand: Value) -> Value {
    guard let known, let number = known.number else { return operand }
    if case .integerValue(let left)? = known.valueType,
      case .integerValue(let right)? = operand.valueType
    {
      let (sum, overflow) = left.addingReportingOverflow(right)
      return .integer(overflow ? (right > 0 ? .max : .min) : sum)
    }
    return .double(number + (operand.number ?? 0))
  }

  /// The stored value stays where the two are equal; NaN wins over every number. `replaces` gets
  /// their places in the order of values, the stored one first.
  private static func extreme(
    _ known: Value?, operand: Value, replaces: ([UInt8], [UInt8]) -> Bool
  ) -> Value {
    guard let known, let stored = known.number else { return operand }
    if stored.isNaN { return known }
    if operand.number?.isNaN ?? false { return operand }
    return replaces(known.orderedBytes, operand.orderedBytes) ? operand : known
  }

  /// The elements of a stored array; none of what is not an array, which a transform replaces.
  private static func elements(_ value: Value?) -> [Value] {
    guard case .arrayValue(let array)? = value?.valueType else { return [] }
    return array.values
  }
}

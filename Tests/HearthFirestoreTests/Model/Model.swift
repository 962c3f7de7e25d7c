import Foundation
import HearthFirestore
import HearthFirestoreProtos
import SwiftProtobuf

/// A document of the model.
struct ModelDocument {
  let name: String
  var fields: Fields
  var created: Int64
  var updated: Int64

  var exact: String { "\(name.exact) \(fields.exact) \(created) \(updated)" }

  func find(_ path: ModelPath) -> Value? {
    path == .name ? .with { $0.referenceValue = name } : fields.find(path)
  }
}

/// Why a write is refused: the status that the client gets.
struct Refusal: Error, Equatable {
  let status: String
}

/// A naive Firestore: all documents in a dictionary, keyed by the bytes of their names.
struct Model {
  private(set) var documents: [[UInt8]: ModelDocument] = [:]
  /// So that random choices among them are the same in each run.
  private(set) var inOrder: [ModelDocument] = []

  subscript(path: String) -> ModelDocument? { documents[name(path).bytes] }

  /// What a write tells the client.
  struct Result {
    let updateTime: Int64?
    let transforms: [Value]

    var exact: String { "\(updateTime ?? 0) \(transforms.map(\.exact))" }
  }

  /// All writes, one after the other, or none.
  mutating func commit(_ writes: [Write], at time: Int64) throws -> [Result] {
    guard !writes.contains(where: Self.isMalformed), let writes = Self.collapsed(writes) else {
      throw Refusal(status: "INVALID_ARGUMENT")
    }
    var changed = self
    let stamp = stamp(of: writes, at: time)
    var results = try writes.map { try changed.apply($0, at: time, stamp: stamp) }
    let names = writes.map { Self.documentName(of: $0).bytes }
    for index in writes.indices {
      guard let last = names.lastIndex(of: names[index]), last != index else { continue }
      results[index] = Result(
        updateTime: results[last].updateTime, transforms: results[index].transforms)
    }
    changed.inOrder = changed.documents.keys.sorted { $0.lexicographicallyPrecedes($1) }
      .compactMap { changed.documents[$0] }
    self = changed
    return results
  }

  /// A field and one within it cannot both be transformed.
  private static func isMalformed(_ write: Write) -> Bool {
    let paths = write.updateTransforms.map { ModelPath($0.fieldPath).segments }
    return paths.contains { path in
      paths.contains { $0.count > path.count && $0.starts(with: path) }
    }
  }

  /// The writes without the conditions on a version that an earlier one of the same document has
  /// too; nil where two of them cannot be in one commit.
  private static func collapsed(_ writes: [Write]) -> [Write]? {
    var last: [[UInt8]: Write] = [:]
    var version: [[UInt8]: Int64] = [:]
    var collapsed: [Write] = []
    for var write in writes {
      let name = Self.documentName(of: write).bytes
      let condition = write.currentDocument
      let required = condition.updateTime.microseconds
      let isVersion = condition.conditionType == .updateTime(condition.updateTime)
      if let before = last[name] {
        guard canFollow(before, next: write) else { return nil }
        if isVersion {
          guard version[name] == required else { return nil }
          write.clearCurrentDocument()
        }
      } else if isVersion {
        version[name] = required
      }
      last[name] = write
      collapsed.append(write)
    }
    return collapsed
  }

  private static func canFollow(_ before: Write, next: Write) -> Bool {
    if case .verify? = before.operation { return false }
    if case .verify? = next.operation { return false }
    let wantsNone = next.currentDocument.conditionType == .exists(false)
    let wantsOne = next.hasCurrentDocument && !wantsNone
    guard case .delete? = before.operation else { return !wantsNone }
    guard case .delete? = next.operation else { return !wantsOne }
    return next.currentDocument.conditionType != .exists(true)
  }

  private static func documentName(of write: Write) -> String {
    switch write.operation {
    case .update(let document)?: document.name
    case .delete(let name)?, .verify(let name)?: name
    default: ""
    }
  }

  /// What server timestamps are: whole milliseconds, unless that is not later than a document that
  /// gets one.
  private func stamp(of writes: [Write], at time: Int64) -> Int64 {
    let milliseconds = time / 1000 * 1000
    let isTooEarly = writes.contains { write in
      let hasStamp = write.updateTransforms.contains { transform in
        if case .setToServerValue? = transform.transformType { true } else { false }
      }
      guard hasStamp, let known = documents[Self.documentName(of: write).bytes] else {
        return false
      }
      return known.updated >= milliseconds
    }
    return isTooEarly ? time : milliseconds
  }

  private mutating func apply(
    _ write: Write, at time: Int64, stamp: Int64
  ) throws -> Result {
    let name = Self.documentName(of: write)
    let known = documents[name.bytes]
    if write.hasCurrentDocument { try Self.check(write.currentDocument, known: known) }
    switch write.operation {
    case .delete?:
      documents[name.bytes] = nil
      return Result(updateTime: nil, transforms: [])
    case .update(let document)?:
      var fields = document.fields
      if write.hasUpdateMask {
        fields = known?.fields ?? [:]
        for path in write.updateMask.fieldPaths.map(ModelPath.init) {
          fields = fields.replacing(path, with: document.fields.find(path))
        }
      }
      var results: [Value] = []
      for transform in write.updateTransforms {
        let path = ModelPath(transform.fieldPath)
        let (value, result) = Self.transformed(
          fields.find(path), transform: transform, stamp: stamp)
        fields = fields.replacing(path, with: value)
        results.append(result)
      }
      // What changes nothing keeps its time.
      let isSame = known.map { $0.fields.exact == fields.exact } ?? false
      let updated = isSame ? known?.updated ?? time : time
      documents[name.bytes] = ModelDocument(
        name: name, fields: fields, created: known?.created ?? time, updated: updated)
      return Result(updateTime: updated, transforms: results)
    default:
      return Result(updateTime: known?.updated ?? time, transforms: [])
    }
  }

  private static func check(_ precondition: Precondition, known: ModelDocument?) throws {
    switch precondition.conditionType {
    case .exists(true)? where known == nil: throw Refusal(status: "NOT_FOUND")
    case .exists(false)? where known != nil: throw Refusal(status: "ALREADY_EXISTS")
    case .updateTime(let time)? where known.map { $0.updated < time.microseconds } ?? false:
      throw Refusal(status: "INVALID_ARGUMENT")
    case .updateTime(let time)? where known?.updated != time.microseconds:
      throw Refusal(status: "FAILED_PRECONDITION")
    default: break
    }
  }

  // MARK: Transforms

  private static func transformed(
    _ known: Value?, transform: FieldTransform, stamp: Int64
  ) -> (value: Value, result: Value) {
    switch transform.transformType {
    case .setToServerValue?:
      let value = Value.time(stamp / 1_000_000, nanos: Int32(stamp % 1_000_000) * 1000)
      return (value, value)
    case .increment(let operand)?:
      let value = sum(known, operand: operand)
      return (value, value)
    case .maximum(let operand)?:
      let value = extreme(known, operand: operand, wanted: 1)
      return (value, value)
    case .minimum(let operand)?:
      let value = extreme(known, operand: operand, wanted: -1)
      return (value, value)
    case .appendMissingElements(let array)?:
      var elements = known?.arrayValue.values ?? []
      for value in array.values where !elements.contains(where: { same($0, value) }) {
        elements.append(value)
      }
      return (.list(elements), .nothing)
    case .removeAllFromArray(let array)?:
      let elements = (known?.arrayValue.values ?? []).filter { element in
        !array.values.contains { same($0, element) }
      }
      return (.list(elements), .nothing)
    default: return (.nothing, .nothing)
    }
  }

  private static func same(_ left: Value, _ right: Value) -> Bool {
    ModelOrder.compare(left, right) == 0
  }

  static func number(_ value: Value) -> Double? {
    switch value.valueType {
    case .integerValue(let value)?: Double(value)
    case .doubleValue(let value)?: value
    default: nil
    }
  }

  /// What is not a number counts as missing; integers stop at their ends.
  private static func sum(_ known: Value?, operand: Value) -> Value {
    guard let known, let left = number(known), let right = number(operand) else { return operand }
    if case .integerValue(let a)? = known.valueType, case .integerValue(let b)? = operand.valueType
    {
      let (sum, overflow) = a.addingReportingOverflow(b)
      return .int(overflow ? (b < 0 ? .min : .max) : sum)
    }
    return .float(left + right)
  }

  /// Of equal numbers the stored one stays; with NaN the outcome is NaN.
  private static func extreme(_ known: Value?, operand: Value, wanted: Int) -> Value {
    guard let known, let left = number(known), let right = number(operand) else { return operand }
    if left.isNaN { return known }
    if right.isNaN { return operand }
    return ModelOrder.compare(operand, known) == wanted ? operand : known
  }
}

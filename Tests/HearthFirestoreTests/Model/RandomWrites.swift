import HearthCrypto
import HearthFirestore
import HearthFirestoreProtos
import HearthTestSupport
import SwiftProtobuf

/// A small world: few documents, few fields and few values, so that everything meets everything.
enum World {
  /// Among them two spellings of one character, and the numbers of an old kind of id.
  static let ids = [
    "a", "b", "B", "_", "é", "e\u{301}", "😀", "10", "9", "__id7__", "__id-3__", "a\u{0}b", "a\u{1}",
  ]
  static let paths =
    ids.map { "c/\($0)" } + ids.prefix(6).map { "c/a/sub/\($0)" }
    + ["a", "b", "__id7__"].map { "c/b/c/\($0)" } + ["a", "e\u{301}"].map { "z/\($0)" }
    + ["c/é/sub/a", "c/e\u{301}/sub/a", "z/a/sub/x/c/deep"]
  static let fields = [
    ["n"], ["n"], ["k"], ["k"], ["s"], ["tags"], ["tags"], ["m"], ["m", "x"], ["m", "y z"],
    ["m", "\u{1}\u{30}"], ["é"],
  ].map { ModelPath(segments: $0) }
}

extension SplitMix {
  /// Values that are often equal to one another, or nearly.
  mutating func commonValue(depth: Int = 1) -> Value {
    switch number(0...(depth > 0 ? 19 : 14)) {
    case 0: return .nothing
    case 1: return .bool(chance(50))
    case 2...5: return .int(pick([0, 1, 1, 2, 3, -1, 1 << 53, (1 << 53) + 1, .max]))
    case 6, 7: return .float(pick([1, 1.5, -0.0, 0, .nan, 0x1p53, .infinity, -1]))
    case 8: return .time(pick([0, 1, -1]), nanos: pick([0, 1000]))
    case 9...11: return .text(pick(["", "a", "b", "ab", "é", "e\u{301}", "😀", "\u{FFFF}"]))
    case 12: return .data(pick([[], [0], [0xFF, 0xFF], [0xFF, 0xFF, 1], [1]]))
    case 13: return .document(pick(World.paths))
    case 14: return .place(pick([0, -0.0, 1]), longitude: pick([0, 1]))
    case 15...17: return .list((0..<number(0...3)).map { _ in commonValue(depth: depth - 1) })
    case 18: return .vector((0..<number(1...2)).map { _ in .float(pick([0, 1, 2])) })
    default: return .object(commonMap(depth: depth - 1))
    }
  }

  private mutating func commonMap(depth: Int) -> Fields {
    var fields: Fields = [:]
    for key in ["x", "y z", "w"] where chance(50) { fields[key] = commonValue(depth: depth) }
    return fields
  }

  mutating func fields() -> Fields {
    var fields: Fields = [:]
    for _ in 0..<number(0...6) {
      fields = fields.replacing(pick(World.fields), with: commonValue())
    }
    return fields
  }

  /// Writes of one commit; now and then a condition that does not hold.
  mutating func writes(_ model: Model) -> [Write] {
    (0..<(chance(60) ? 1 : number(2...5))).map { _ in write(model) }
  }

  private mutating func write(_ model: Model) -> Write {
    let path = pick(World.paths)
    var write = Write()
    switch number(0...9) {
    case 0, 1: write = .delete(path)
    case 2: write.verify = name(path)
    case 3...5: write = .set(path, fields: fields())
    default:
      write = .set(path, fields: fields())
      write.updateMask = mask()
    }
    if case .update? = write.operation, chance(35) {
      write.updateTransforms = (0..<number(1...3)).map { _ in transform() }
    }
    let isVerify = write.operation == .verify(name(path))
    if isVerify || chance(25) { write.currentDocument = precondition(model[path]) }
    return write
  }

  /// Now and then a path twice, or one within another.
  private mutating func mask() -> DocumentMask {
    .with { $0.fieldPaths = (0..<number(0...4)).map { _ in pick(World.fields).text } }
  }

  private mutating func transform() -> FieldTransform {
    var transform = FieldTransform()
    transform.fieldPath = pick(World.fields).text
    let number =
      chance(60)
      ? Value.int(pick([1, -1, 5, .max, .min])) : .float(pick([0.5, -0.0, .nan, 1, .infinity]))
    let elements = (0..<self.number(0...3)).map { _ in commonValue(depth: 0) }
    switch self.number(0...5) {
    case 0: transform.setToServerValue = .requestTime
    case 1: transform.increment = number
    case 2: transform.maximum = number
    case 3: transform.minimum = number
    case 4: transform.appendMissingElements = .with { $0.values = elements }
    default: transform.removeAllFromArray = .with { $0.values = elements }
    }
    return transform
  }

  private mutating func precondition(_ known: ModelDocument?) -> Precondition {
    var condition = Precondition()
    if chance(50) {
      condition.exists = chance(80) ? known != nil : known == nil
    } else {
      let time = (known?.updated ?? 1) + (chance(80) ? 0 : 1)
      condition.updateTime = ProtoTimestamp(microseconds: time)
    }
    return condition
  }
}

import HearthCrypto
import HearthFirestoreProtos
import HearthTestSupport
import SwiftProtobuf
import Testing

@testable import HearthFirestore

/// The order of fields, written down in the plainest way: a list of names and values.
private struct ModelFields {
  var pairs: [(name: String, value: Value)] = []

  var exact: String {
    pairs.map { "\($0.name.exact): \($0.value.ordered)" }.joined(separator: ", ")
  }

  mutating func set(_ name: String, value: Value?) {
    let place = pairs.firstIndex { $0.name.exact == name.exact }
    switch (place, value) {
    case (let place?, let value?): pairs[place].value = value
    case (let place?, nil): pairs.remove(at: place)
    case (nil, let value?): pairs.append((name, value))
    case (nil, nil): break
    }
  }
}

extension Value {
  /// As `exact`, but with the members of maps in their order.
  fileprivate var ordered: String {
    switch valueType {
    case .mapValue(let map)?: map.fields.ordered
    case .arrayValue(let array)?: "[" + array.values.map(\.ordered).joined(separator: ", ") + "]"
    default: exact
    }
  }
}

extension Fields {
  fileprivate var ordered: String {
    "{" + map { "\($0.key.exact): \($0.value.ordered)" }.joined(separator: ", ") + "}"
  }
}

@Suite struct `The fields of a document` {
  private let names = ["z", "a", "m", "10", "9", "é", "e\u{301}", "", "B", "b"]

  @Test(arguments: UInt64(0)..<8) func `stand in the order in which they were set`(seed: UInt64) {
    var random = SplitMix(seed: seed &+ 700)
    for _ in 0..<40 {
      var model = ModelFields()
      var fields = Fields()
      for step in 0..<random.number(0...30) {
        let name = random.pick(names)
        let value: Value? = random.chance(25) ? nil : .int(Int64(step))
        model.set(name, value: value)
        fields[name] = value
        #expect(fields[name]?.exact == value?.exact)
      }
      #expect(fields.ordered == "{\(model.exact)}", "seed \(seed)")
      #expect(fields.keys.map(\.exact) == model.pairs.map(\.name.exact))
      #expect(fields.values.count == fields.count && fields.isEmpty == model.pairs.isEmpty)
    }
  }

  @Test func `of two spellings of one character are two`() {
    var fields: Fields = ["é": 1]
    fields["e\u{301}"] = 2
    #expect(fields.count == 2)
    #expect(fields["é"]?.integerValue == 1)
    #expect(!fields.isIdentical(to: ["é": 1, "e": 2]))
  }

  @Test func `are the same in another order`() {
    let fields: Fields = ["a": 1, "b": .object(["x": 1, "y": 2])]
    #expect(fields.isIdentical(to: ["b": .object(["y": 2, "x": 1]), "a": 1]))
    #expect(!fields.isIdentical(to: ["b": .object(["y": 2, "x": 2]), "a": 1]))
    #expect(!fields.isIdentical(to: ["a": 1]))
    #expect(fields != ["b": .object(["x": 1, "y": 2]), "a": 1])
  }

  /// A map on the wire may name a key twice: the last value counts, at the place of the first.
  @Test(arguments: [2, 40]) func `with a name twice are one`(count: Int) {
    var fields = Fields()
    for number in 0..<count { fields.append("f\(number)", 1) }
    fields.append("f0", 2)
    #expect(fields["f0"]?.integerValue == 2)
    #expect(fields.positions["f0"]?.integerValue == 2)
    #expect(fields.unique.count == count)
    #expect(fields.unique[0].key == "f0" && fields.unique[0].value.integerValue == 2)
    #expect(fields.unique.unique == fields.unique)
  }

  @Test(arguments: [
    (["b"], #"{"z": 1, "b": 7, "m": {"y": 1, "a": 2}}"#),
    (["x", "b"], #"{"z": 1, "b": 7, "m": {"y": 1, "a": 2}, "x": 9}"#),
    (["x", "c"], #"{"z": 1, "b": 2, "m": {"y": 1, "a": 2}, "c": 8, "x": 9}"#),
    (["z", "gone"], #"{"b": 2, "m": {"y": 1, "a": 2}}"#),
    (["m.a", "m.n"], #"{"z": 1, "b": 2, "m": {"y": 1, "a": 5, "n": 6}}"#),
    (["m.y"], #"{"z": 1, "b": 2, "m": {"a": 2}}"#),
    (["m"], #"{"z": 1, "b": 2, "m": {"n": 6, "a": 5}}"#),
    (["m", "m.y"], #"{"z": 1, "b": 2, "m": {"n": 6, "a": 5}}"#),
    (["z.deep"], #"{"z": 1, "b": 2, "m": {"y": 1, "a": 2}}"#),
    (["new.q.r"], #"{"z": 1, "b": 2, "m": {"y": 1, "a": 2}, "new": {"q": {"r": 3}}}"#),
    (["b.q"], #"{"z": 1, "b": 2, "m": {"y": 1, "a": 2}}"#),
    ([], #"{"z": 1, "b": 2, "m": {"y": 1, "a": 2}}"#),
  ])
  func `that are merged keep their places, and new ones come last`(
    mask: [String], wanted: String
  ) throws {
    let known: Fields = ["z": 1, "b": 2, "m": .object(["y": 1, "a": 2])]
    let given: Fields = [
      "c": 8, "b": 7, "x": 9, "m": .object(["n": 6, "a": 5]),
      "new": .object(["q": .object(["s": 4, "r": 3])]),
    ]
    let merged = known.merging(given, by: try mask.map { try FieldPath($0) })
    #expect(merged.ordered == wanted)
  }

  @Test(arguments: UInt64(0)..<8) func `are merged as one path after the other`(seed: UInt64) throws
  {
    var random = SplitMix(seed: seed &+ 800)
    for _ in 0..<60 {
      let (known, given) = (random.fields(), random.fields())
      var paths: [ModelPath] = []
      for _ in 0..<random.number(0...4) {
        let path = random.pick(World.fields)
        if !paths.contains(where: { $0.touches(path) }) { paths.append(path) }
      }
      let wanted = paths.reduce(known) { $0.replacing($1, with: given.find($1)) }
      let mask = try paths.map { try FieldPath($0.text) }
      let merged = known.merging(given, by: mask)
      #expect(merged.exact == wanted.exact, "seed \(seed): \(paths)")
      #expect(
        merged.keys.filter { known[$0] != nil } == known.keys.filter { merged[$0] != nil })
      let shown = paths.reduce(Fields()) { fields, path in
        known.find(path).map { fields.replacing(path, with: $0) } ?? fields
      }
      #expect(known.masked(by: FieldTree(mask: mask)).exact == shown.exact)
    }
  }

  /// Each of these took a second and more when every name was looked for along all fields.
  @Test func `that are many are merged in one walk`() throws {
    var known = Fields()
    var given = Fields()
    for number in 0..<10_000 {
      known.append("field\(number)", 1)
      given.append("field\(9_999 - number)", 2)
    }
    let mask = known.keys.map { FieldPath(segments: [$0]) }
    let merged = known.merging(given, by: mask)
    #expect(merged.keys == known.keys)
    #expect(merged.values.allSatisfy { $0.integerValue == 2 })
    #expect(merged.isIdentical(to: given))
    #expect(merged.masked(by: FieldTree(mask: mask)).count == 10_000)
    #expect(given.unique == given)
  }
}

extension ModelPath {
  fileprivate func touches(_ other: ModelPath) -> Bool {
    other.segments.starts(with: segments) || segments.starts(with: other.segments)
  }
}

@Suite struct `A document` {
  private let rig: Rig

  init() throws { rig = try Rig() }

  private func stored() async throws -> String {
    try await rig.run(.of("c"))[0].fields.ordered
  }

  private func update(_ fields: Fields, mask: [String]) async throws {
    var write = Write.set("c/a", fields: fields)
    write.updateMask.fieldPaths = mask
    _ = try await rig.commit([write])
  }

  @Test(arguments: UInt64(0)..<4) func `has its fields as they were set`(seed: UInt64) async throws
  {
    var random = SplitMix(seed: seed &+ 900)
    for _ in 0..<10 {
      var fields = random.fields().filter { _ in random.chance(90) }
      fields["list"] = .list([
        .object(["z": 1, "a": .object(["y": 1, "b": 2])]), .object(["b": 1, "a": 2]),
      ])
      _ = try await rig.commit([.set("c/a", fields: fields)])
      #expect(try await stored() == fields.ordered, "seed \(seed)")
    }
  }

  @Test func `keeps the places of fields that are updated`() async throws {
    try await rig.set(["c/a": ["z": 1, "b": 2, "m": .object(["y": 1, "a": 2])]])
    try await update(["b": 3], mask: ["b"])
    #expect(try await stored() == #"{"z": 1, "b": 3, "m": {"y": 1, "a": 2}}"#)
    try await update([:], mask: ["z"])
    try await update(["z": 4], mask: ["z"])
    #expect(try await stored() == #"{"b": 3, "m": {"y": 1, "a": 2}, "z": 4}"#)
  }

  @Test func `gets new fields of transforms at its end`() async throws {
    try await rig.set(["c/a": ["z": 1, "b": 2]])
    var write = Write.set("c/a", fields: [:])
    write.updateMask = DocumentMask()
    write.updateTransforms = ["t", "b", "a"].map { field in
      .with {
        $0.fieldPath = field
        $0.increment = 1
      }
    }
    _ = try await rig.commit([write])
    #expect(try await stored() == #"{"z": 1, "b": 3, "t": 1, "a": 1}"#)
  }

  @Test func `is selected in its own order`() async throws {
    try await rig.set(["c/a": ["z": 1, "b": 2, "m": .object(["y": 1, "a": 2, "k": 3])]])
    var query = StructuredQuery.of("c")
    query.select.fields = ["m.k", "b", "m.y", "z"].map { path in .with { $0.fieldPath = path } }
    let found = try await rig.run(query)
    #expect(found[0].fields.ordered == #"{"z": 1, "b": 2, "m": {"y": 1, "k": 3}}"#)
  }

  @Test func `is aggregated in the order asked`() async throws {
    try await rig.set(["c/a": ["n": 1]])
    let aggregations = ["zz", "s", "a", "", "k"].map { alias in
      Aggregation.with {
        $0.alias = alias
        $0.count = .init()
      }
    }
    let result = try await rig.aggregate(.of("c"), aggregations: aggregations)
    #expect(result.keys == ["zz", "s", "a", "field_1", "k"])
  }
}

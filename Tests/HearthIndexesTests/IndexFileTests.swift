import HearthCrypto
import HearthIndexes
import HearthTestSupport
import HearthWire
import Testing

@Suite("firestore.indexes.json")
struct IndexFileTests {
  private static func read(_ text: String) throws -> IndexConfiguration {
    try IndexConfiguration(reading: Array(text.utf8))
  }

  @Test func readsEveryForm() throws {
    let configuration = try Self.read(
      #"""
      // Of the shop
      {"other": 1, "indexes": [
        {"collectionGroup": "a", "fields": [
          {"fieldPath": "x", "order": "ASCENDING"}, {"fieldPath": "y.z", "order": "DESCENDING"}]},
        {"collectionId": "b", "queryScope": "COLLECTION_GROUP", "density": "SPARSE_ALL", "fields": [
          {"fieldPath": "l", "mode": "ARRAY_CONTAINS"}, {"fieldPath": "n", "mode": "ASCENDING"}]},
        {"collectionGroup": "v", "fields": [
          {"fieldPath": "e", "vectorConfig": {"dimension": 3, "flat": {}}}]}],
       "fieldOverrides": [
        {"collectionGroup": "a", "fieldPath": "gone", "ttl": true, "indexes": []},
        /* all */ {"collectionGroup": "b", "fieldPath": "*", "indexes": [
          {"order": "ASCENDING"}, {"arrayConfig": "CONTAINS", "queryScope": "COLLECTION_GROUP"}]}]}
      """#)
    #expect(
      configuration.indexes.map { IndexField.text($0.completeFields) } == [
        "(x ASC, y.z DESC, __name__ DESC)", "(l ARRAY_CONTAINS, n ASC, __name__ ASC)",
        "(__name__ ASC, e VECTOR<3>)",
      ])
    #expect(configuration.indexes.map(\.scope) == [.collection, .collectionGroup, .collection])
    #expect(configuration.timeToLiveFields == ["a": "gone"])
    #expect(
      configuration.overrides.last?.entries == [
        .init(.ascending, scope: .collection), .init(.contains, scope: .collectionGroup),
      ])
  }

  static let mistakes: [(text: String, message: String)] = [
    ("[]", "must be an object"),
    ("{}", "must contain \"indexes\" property."),
    (#"{"indexes": 3}"#, "indexes: must be an array"),
    (#"{"indexes": [3]}"#, "indexes[0]: must be an object"),
    (
      #"{"indexes": [{"fields": [{"fieldPath": "a", "order": "ASCENDING"}]}]}"#,
      "indexes[0]: Must contain \"collectionGroup\": "
        + #"{"fields":[{"fieldPath":"a","order":"ASCENDING"}]}"#
    ),
    (
      #"{"indexes": [{"collectionGroup": "a"}]}"#,
      #"indexes[0]: Must contain "fields": {"collectionGroup":"a"}"#
    ),
    (
      #"{"indexes": [{"collectionGroup": "a", "queryScope": "ALL", "fields": [{"fieldPath": "f", "order": "ASCENDING"}]}]}"#,
      "indexes[0].queryScope: Field \"queryScope\" must be one of COLLECTION, COLLECTION_GROUP: "
        + #"{"collectionGroup":"a","queryScope":"ALL","fields":[{"fieldPath":"f","order":"ASCENDING"}]}"#
    ),
    (
      #"{"indexes": [{"collectionGroup": "a", "fields": [{"fieldPath": "f"}]}]}"#,
      "indexes[0].fields[0]: Must contain exactly one of "
        + #""order,arrayConfig,searchConfig,vectorConfig": {"fieldPath":"f"}"#
    ),
    (
      #"{"indexes": [{"collectionGroup": "a", "fields": [{"fieldPath": "f", "order": "UP"}]}]}"#,
      "indexes[0].fields[0].order: Field \"order\" must be one of ASCENDING, DESCENDING: "
        + #"{"fieldPath":"f","order":"UP"}"#
    ),
    (
      #"{"indexes": [{"collectionGroup": "a", "fields": [{"fieldPath": "f", "vectorConfig": {"dimension": "3", "flat": {}}}]}]}"#,
      "indexes[0].fields[0].vectorConfig.dimension: Property \"dimension\" must be of type number"
    ),
    (
      #"{"indexes": [{"collectionGroup": "a", "unique": true, "fields": [{"fieldPath": "f", "order": "ASCENDING"}]}]}"#,
      "indexes[0].unique: The `unique` index configuration is not supported yet."
    ),
    (
      #"{"indexes": [], "fieldOverrides": [{"collectionGroup": "a", "fieldPath": "f", "indexes": [], "ttl": "true"}]}"#,
      "fieldOverrides[0].ttl: Property \"ttl\" must be of type boolean"
    ),
    (
      #"{"indexes": [], "fieldOverrides": [{"collectionGroup": "a", "fieldPath": "f"}]}"#,
      #"fieldOverrides[0]: Must contain "indexes": {"collectionGroup":"a","fieldPath":"f"}"#
    ),
    (
      #"{"indexes": [], "fieldOverrides": [{"collectionGroup": "a", "fieldPath": "f", "indexes": [{"queryScope": "COLLECTION"}]}]}"#,
      "fieldOverrides[0].indexes[0]: Must contain exactly one of \"arrayConfig,order\": "
        + #"{"queryScope":"COLLECTION"}"#
    ),
    ("{", "not JSON: Unexpected end of JSON input at position 1"),
  ]

  @Test(arguments: mistakes)
  func tellsMistakes(text: String, message: String) {
    let error = #expect(throws: IndexFileError.self) { try Self.read(text) }
    #expect(error?.description == message)
  }

  @Test func tellsAllMistakes() {
    let error = #expect(throws: IndexFileError.self) {
      try Self.read(#"{"indexes": [3, {}], "fieldOverrides": [{}]}"#)
    }
    #expect(
      error?.mistakes.map(\.path) == [
        "indexes[0]", "indexes[1]", "indexes[1]", "fieldOverrides[0]", "fieldOverrides[0]",
        "fieldOverrides[0]",
      ])
  }

  @Test func sortsAsGooglesToolDoes() throws {
    func index(_ group: String, scope: QueryScope, fields: [IndexField]) -> CompositeIndex {
      CompositeIndex(group, scope: scope, fields: fields)
    }
    let (a, b) = (IndexedPath(segments: ["a"]), IndexedPath(segments: ["B"]))
    let sorted = [
      index("_x", scope: .collection, fields: [IndexField(a, mode: .ascending)]),
      index("a", scope: .collectionGroup, fields: [IndexField(b, mode: .ascending)]),
      index("a", scope: .collection, fields: [IndexField(a, mode: .ascending)]),
      index(
        "a", scope: .collection,
        fields: [IndexField(a, mode: .ascending), IndexField(b, mode: .ascending)]),
      index("a", scope: .collection, fields: [IndexField(a, mode: .descending)]),
      index("a", scope: .collection, fields: [IndexField(a, mode: .contains)]),
      index("a", scope: .collection, fields: [IndexField(b, mode: .ascending)]),
      index("A", scope: .collection, fields: [IndexField(a, mode: .ascending)]),
      index("b", scope: .collection, fields: [IndexField(a, mode: .ascending)]),
    ]
    let written = IndexConfiguration(indexes: sorted.reversed()).json
    #expect(try IndexConfiguration(written).indexes == sorted)
  }

  /// Whatever a file holds, reading ends, and what was read is written so that it is read again.
  @Test(arguments: 0..<300)
  func survivesAnything(seed: Int) throws {
    var random = SplitMix(seed: UInt64(seed))
    var bytes = Array(
      #"""
      {"indexes":[{"collectionGroup":"a","queryScope":"COLLECTION","fields":[{"fieldPath":"x.`y`",
      "order":"ASCENDING"},{"fieldPath":"z","arrayConfig":"CONTAINS"}]}],"fieldOverrides":[
      {"collectionGroup":"a","fieldPath":"*","ttl":true,"indexes":[{"order":"DESCENDING"}]}]}//
      """#.utf8)
    for _ in 0..<random.number(0...3) {
      let place = random.number(0...(bytes.count - 1))
      switch random.number(0...2) {
      case 0: bytes.remove(at: place)
      case 1: bytes[place] = UInt8(truncatingIfNeeded: random.number(0...255))
      default: bytes.insert(random.pick(Array("{}[]\",:/*`\\.".utf8)), at: place)
      }
    }
    do throws(IndexFileError) {
      let configuration = try IndexConfiguration(reading: bytes)
      _ = IndexCatalogue(configuration)
      #expect(try IndexConfiguration(configuration.json) == configuration)
    } catch {
      #expect(!error.mistakes.isEmpty)
    }
  }
}

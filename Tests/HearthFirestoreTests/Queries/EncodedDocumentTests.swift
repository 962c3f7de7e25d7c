import HearthFirestoreProtos
import Testing

@testable import HearthFirestore

/// Queries look values up in the bytes of a document; what they find is what decoding all of it gives.
@Suite struct `The encoded fields of a document` {
  private static let fields: Fields = [
    "": .text("an empty name"),
    "a": .object(["": .int(1), "b": .object(["c": .text("deep")]), "é": .bool(true)]),
    "a.b": .text("a name with a dot"),
    "e\u{301}": .text("decomposed"),
    "é": .text("composed"),
    "list": .list([.object(["c": .int(2)]), .nothing]),
    "empty": .object([:]),
    "zero": .int(0),
    "false": .bool(false),
    "nothing": .nothing,
  ]

  @Test(arguments: [
    [""], ["a"], ["a", ""], ["a", "b"], ["a", "b", "c"], ["a", "é"], ["a.b"], ["é"], ["e\u{301}"],
    ["list"], ["list", "c"], ["empty"], ["empty", "a"], ["zero"], ["false"], ["nothing"],
    ["nothing", "a"], ["missing"], ["a", "missing"], ["a", "b", "c", "d"],
  ])
  func `hold each value where the decoded ones do`(segments: [String]) throws {
    let stored = StoredDocument(
      path: try ResourcePath.document(name("c/d")), fields: Self.fields, createTime: 1,
      updateTime: 2)
    let encoded = try EncodedDocument(stored)
    let field = FieldPath(segments: segments)
    #expect(encoded.value(at: field) == stored.value(at: field))
    #expect(try encoded.decoded() == stored)
  }

  @Test func `that are damaged are an error, and hold nothing`() throws {
    let document = EncodedDocument(
      path: try ResourcePath.document(name("c/d")), data: [0x0A, 0x7F, 0x0A, 0x01], createTime: 1,
      updateTime: 2)
    #expect(document.value(at: FieldPath(segments: ["a"])) == nil)
    #expect(throws: (any Error).self) { try document.decoded() }
  }
}

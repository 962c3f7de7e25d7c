import Foundation
import HearthErrors
import HearthFirestore
import HearthFirestoreProtos
import SwiftProtobuf
import Testing

/// One row of a table of refusals.
struct Refused<Request: Sendable>: Sendable, CustomTestStringConvertible {
  let what: String
  let request: Request
  var status = "INVALID_ARGUMENT"
  /// A part of the message.
  let message: String

  init(_ what: String, request: Request, status: String? = nil, says message: String) {
    (self.what, self.request, self.message) = (what, request, message)
    if let status { self.status = status }
  }

  var testDescription: String { what }
}

private func fields(_ fields: Fields) -> Write { .set("c/a", fields: fields) }

private func masked(_ paths: String...) -> Write {
  var write = Write.set("c/a", fields: ["x": 1])
  write.updateMask.fieldPaths = paths
  return write
}

private func transformed(_ transforms: FieldTransform...) -> Write {
  var write = Write.set("c/a", fields: [:])
  write.updateMask = DocumentMask()
  write.updateTransforms = transforms
  return write
}

private func increment(_ path: String, by value: Value = 1) -> FieldTransform {
  .with {
    $0.fieldPath = path
    $0.increment = value
  }
}

private func version(_ seconds: Int64, nanos: Int32 = 0, path: String = "c/a") -> Write {
  var write = Write.delete(path)
  write.currentDocument.updateTime = .with {
    $0.seconds = seconds
    $0.nanos = nanos
  }
  return write
}

private let long = String(repeating: "x", count: 1501)
private let deepPath = Array(repeating: "a", count: 21).joined(separator: ".")

private let half = String(repeating: "x", count: 749)
private let entity = "Property v contains an invalid nested entity."

/// Maps in the field `v`, one in the other.
private func nested(_ names: String...) -> Write {
  fields(["v": names.reversed().reduce(1) { .object([$1: $0]) }])
}

private func marked(_ members: Fields) -> Write { fields(["v": .object(members)]) }

private let refused: [Refused<Write>] = [
  Refused("no operation", request: Write(), says: "empty write operation"),
  Refused("__x__", request: fields(["__x__": 1]), says: "field name __x__ is reserved"),
  Refused("_____", request: fields(["_____": 1]), says: "field name _____ is reserved"),
  Refused("__type__", request: fields(["__type__": 1]), says: "field name __type__ is reserved"),
  Refused(
    "nested", request: fields(["m": .object(["__x__": 1])]), says: "field name '__x__' is reserved."
  ),
  Refused("no name", request: fields(["": 1]), says: "The property.name is the empty string."),
  Refused(
    "long name", request: fields([long: 1]), says: "The property.name is longer than 1500 bytes."),
  Refused("no name, nested", request: nested(""), says: entity),
  Refused("long name, nested", request: nested(String(long.dropLast(2))), says: entity),
  Refused("long path", request: nested(half, half), says: entity),
  Refused(
    "long path through an array",
    request: fields(["v": .list([.object([half: .object([half: 1])])])]),
    says: entity),
  Refused(
    "long reference", request: fields(["v": .document("c/" + long)]),
    says: "The key path element name is longer than 1500 bytes."),
  Refused(
    "reference to a long collection", request: fields(["v": .list([.document(long + "/a")])]),
    says: "The key path element kind is longer than 1500 bytes."),
  Refused(
    "long reference, nested", request: fields(["v": .object(["r": .document("c/" + long)])]),
    says: entity),
  Refused(
    "deep reference",
    request: fields(["v": .document(Array(repeating: "c/d", count: 101).joined(separator: "/"))]),
    says: "Key path is too long. Cannot exceed 100 elements."),
  Refused(
    "long text, nested",
    request: fields(["v": .object(["t": .text(String(repeating: "x", count: 1_048_488))])]),
    says: entity),
  Refused("no type", request: fields(["x": Value()]), says: "with type unset"),
  Refused(
    "long text", request: fields(["x": .text(String(repeating: "x", count: 1_048_488))]),
    says: "The value of property \"x\" is longer than 1048487 bytes."),
  Refused(
    "array in array", request: fields(["x": .list([.list([])])]), says: "an array value in an array"
  ),
  Refused(
    "vector in array", request: fields(["x": .list([.vector([.float(1)])])]), says: "a vector value"
  ),
  Refused("empty vector", request: fields(["v": .vector([])]), says: "zero length vector"),
  Refused(
    "integers", request: fields(["v": .vector([1])]), says: "only contain values of type 'double'"),
  Refused(
    "NaN in vector", request: fields(["v": .vector([.float(.nan)])]), says: "contain NaN values"),
  Refused(
    "long vector", request: fields(["v": .vector(Array(repeating: .float(1), count: 2049))]),
    says: "at most 2048 dimensions"),
  Refused(
    "mark of nothing", request: marked(["__type__": 1]), says: "Field __type__ is not a string."),
  Refused(
    "vector of nothing", request: marked(["__type__": "__vector__"]), says: "missing key 'value'"),
  Refused(
    "vector and more",
    request: marked(["__type__": "__vector__", "value": .list([.float(1)]), "x": 1]),
    says: "extraneous entries"),
  Refused(
    "reference to nothing", request: fields(["r": .with { $0.referenceValue = "x" }]),
    says: "Resource name \"x\" lacks \"projects\" at index 0."),
  Refused(
    "reference to a collection", request: fields(["r": .document("c")]),
    says: "lacks \"/\" at index"),
  Refused(
    "latitude", request: fields(["g": .place(91, longitude: 0)]),
    says: "Geo point latitude '91.0' outside"),
  Refused("mask of nothing", request: masked(""), says: "Invalid empty property path string."),
  Refused(
    "mask of __x__", request: masked("a.`__x__`"), says: "Invalid reserved name in field path"),
  Refused("mask of __type__", request: masked("__type__"), says: "reserved"),
  Refused("mask too long", request: masked(long), says: "property path is longer than 1500 bytes."),
  Refused("mask too deep", request: masked(deepPath), says: "paths must have at most 20 elements"),
  Refused("mask of a dot", request: masked("a..b"), says: "Invalid property path \"a..b\"."),
  Refused(
    "field and one in it", request: transformed(increment("x"), increment("y"), increment("x.y")),
    says: "Cannot transform property x and its nested property at the same time."),
  Refused(
    "no transform", request: transformed(.with { $0.fieldPath = "x" }), says: "must be specified"),
  Refused(
    "a text more", request: transformed(increment("x", by: "a")),
    says: "Input must be int64 or double."),
  Refused(
    "nothing more", request: transformed(increment("x", by: Value())), says: "with type unset"),
  Refused(
    "no transforms", request: .with { $0.transform.document = name("c/a") },
    says: "The list of FieldTransform must not be empty."),
  Refused(
    "mask of a delete",
    request: .with {
      $0.delete = name("c/a")
      $0.updateMask = DocumentMask()
    }, says: "a delete must not specify a document mask."),
  Refused(
    "transform of a delete",
    request: .with {
      $0.delete = name("c/a")
      $0.updateTransforms = [increment("x")]
    }, says: "a delete must not specify a update transform."),
  Refused(
    "verify nothing", request: .with { $0.verify = name("c/a") },
    says: "a verify must contain a precondition"),
  Refused(
    "nanoseconds", request: version(1_577_836_800, nanos: 100),
    says: "more than microseconds precision"),
  Refused("before 1970", request: version(-1), says: "Only timestamps past epoch are supported."),
  Refused(
    "future", request: version(4_102_444_800), says: "Invalid base version, it is greater than"),
  Refused(
    "past", request: version(1), status: "FAILED_PRECONDITION",
    says: "does not match the required base version (1000000)"),
  Refused(
    "missing", request: version(4_102_444_800, nanos: 0, path: "c/none"),
    status: "FAILED_PRECONDITION",
    says: "the stored version (0) does not match the required base version (4102444800000000)"),
  Refused("long id", request: .set("c/\(long)", fields: [:]), says: "longer than 1500 bytes"),
  Refused(
    "deep name", request: .set("c/a" + String(repeating: "/x/x", count: 101), fields: [:]),
    says: "Cannot exceed 100 elements."),
  Refused(
    "other database",
    request: .with { $0.delete = "projects/other/databases/(default)/documents/c/a" },
    says: "was attempting to access database"),
]

/// A mask in which fields overlap, and the document that comes of it.
private struct OverlappingMask: Sendable {
  let mask: [String]
  let wanted: Fields
}

private let overlappingMasks = [
  OverlappingMask(mask: ["x", "x"], wanted: ["x": 1]),
  OverlappingMask(mask: ["m", "m.x"], wanted: ["m": .object(["x": 1, "y": 2])]),
  OverlappingMask(mask: ["m.x", "m"], wanted: ["m": .object(["x": 1, "y": 2])]),
  OverlappingMask(mask: ["n", "n.x"], wanted: [:]),
  OverlappingMask(mask: ["____"], wanted: ["____": 1]),
]

@Suite struct `A commit` {
  private let rig: Rig

  init() throws { rig = try Rig() }

  @Test(arguments: refused) func `is refused`(_ row: Refused<Write>) async throws {
    try await rig.set(["c/a": ["x": 1]])
    let error = await #expect(throws: APIError.self) { try await rig.commit([row.request]) }
    #expect(error?.code.row.status == row.status)
    #expect(error?.message.contains(row.message) ?? false, "\(error?.message ?? "")")
  }

  /// A write in a batch with its own status fails alone only where it depends on what is stored.
  @Test(arguments: refused.prefix(12)) func `of writes apart is refused whole`(
    _ row: Refused<Write>
  ) async throws {
    let error = await #expect(throws: APIError.self) {
      try await rig.firestore.batchWrite(
        .with {
          $0.database = Rig.database.description
          $0.writes = [.set("c/good", fields: [:]), row.request]
        }, as: .owner)
    }
    #expect(error?.code.row.status == "INVALID_ARGUMENT")
    #expect(try await rig.ids(.of("c")) == [])
  }

  /// The first write fails for what is stored, the second for what it is.
  @Test func `says first what is malformed`() async throws {
    var missing = Write.set("c/none", fields: [:])
    missing.currentDocument.exists = true
    let error = await #expect(throws: APIError.self) {
      try await rig.commit([missing, masked("a..b")])
    }
    #expect(error?.code.row.status == "INVALID_ARGUMENT")
  }

  @Test(arguments: overlappingMasks)
  fileprivate func `may name a field of a mask twice, or one within another`(
    example: OverlappingMask
  ) async throws {
    try await rig.set(["c/a": ["n": .object(["x": 1])]])
    var write = Write.set(
      "c/a", fields: ["x": 1, "m": .object(["x": 1, "y": 2]), "____": 1])
    write.updateMask.fieldPaths = example.mask + ["n"]
    _ = try await rig.commit([write])
    #expect(try await rig.run(.of("c"))[0].fields.exact == example.wanted.exact)
  }

  /// Limits are those of what is stored.
  @Test func `may hold more than its mask names`() async throws {
    let deep = (0..<25).reduce(1 as Value) { value, _ in .object(["m": value]) }
    let long = Value.text(String(repeating: "x", count: 1_048_488))
    let sent: [Fields] = [
      ["a": .object(["": 1])], ["": 1], ["a": deep], ["a": long],
      ["m": .object(["x": 1, "": 2])],
    ]
    for fields in sent {
      var write = Write.set("c/a", fields: fields)
      write.updateMask.fieldPaths = ["b", "m.x"]
      _ = try await rig.commit([write])
      let wanted: Fields = fields["m"] == nil ? [:] : ["m": .object(["x": 1])]
      #expect(try await rig.run(.of("c"))[0].fields.exact == wanted.exact)
    }
  }

  @Test func `is refused also for a value that its mask does not name`() async throws {
    let sent: [Fields] = [
      ["__a__": 1], ["a": .object(["__a__": 1])], ["a": Value()], ["a": .list([.list([])])],
      ["a": .vector([])],
    ]
    for fields in sent {
      var write = Write.set("c/a", fields: fields)
      write.updateMask.fieldPaths = ["b"]
      let error = await #expect(throws: APIError.self) { try await rig.commit([write]) }
      #expect(error?.code.row.status == "INVALID_ARGUMENT")
    }
  }

  @Test func `may name the document in its mask, which changes nothing`() async throws {
    var write = Write.set("c/a", fields: ["x": 1, "y": 1])
    write.updateMask.fieldPaths = ["__name__", "x", "`__name__`"]
    _ = try await rig.commit([write])
    #expect(try await rig.run(.of("c"))[0].fields.exact == (["x": 1] as Fields).exact)
  }

  @Test func `that puts something into a vector replaces it`() async throws {
    try await rig.set(["c/a": ["v": .vector([.float(1)])]])
    var write = Write.set("c/a", fields: ["v": .object(["x": 1])])
    write.updateMask.fieldPaths = ["v.x", "v.value"]
    _ = try await rig.commit([write])
    #expect(
      try await rig.run(.of("c"))[0].fields.exact == (["v": Value.object(["x": 1])] as Fields).exact
    )
  }

  @Test func `tells the version of a document that it verifies`() async throws {
    let stored = try await rig.commit([.set("c/a", fields: [:])])
    let verify = Write.with {
      $0.verify = name("c/a")
      $0.currentDocument.exists = true
    }
    let found = try await rig.commit([verify]).writeResults.map(\.updateTime)
    #expect(found == [stored.commitTime])
  }

  /// `Timestamp.now()` has nanoseconds in most languages.
  @Test func `compares elements of arrays as they are stored`() async throws {
    func transform(_ transform: (inout FieldTransform, [Value]) -> Void, values: [Value]) -> Write {
      transformed(
        .with {
          $0.fieldPath = "list"
          transform(&$0, values)
        })
    }
    func union(_ message: inout FieldTransform, values: [Value]) {
      message.appendMissingElements.values = values
    }
    func remove(_ message: inout FieldTransform, values: [Value]) {
      message.removeAllFromArray.values = values
    }
    _ = try await rig.commit([
      transform(union, values: [.time(1, nanos: 1700), .time(1, nanos: 1000)])
    ])
    #expect(
      try await rig.run(.of("c"))[0].fields.exact
        == (["list": Value.list([.time(1, nanos: 1000)])] as Fields).exact)
    _ = try await rig.commit([transform(remove, values: [.time(1, nanos: 1999)])])
    #expect(
      try await rig.run(.of("c"))[0].fields.exact == (["list": Value.list([])] as Fields).exact)
  }

  /// Longer than what can be stored, and so of no document.
  @Test(arguments: ["c/\(long)", "c/a" + String(repeating: "/x/x", count: 101)])
  func `may delete and verify a name that no document can have`(path: String) async throws {
    let verify = Write.with {
      $0.verify = name(path)
      $0.currentDocument.exists = false
    }
    _ = try await rig.commit([.delete(path)])
    _ = try await rig.commit([verify])
    let error = await #expect(throws: APIError.self) {
      try await rig.firestore.getDocument(.with { $0.name = name(path) }, as: .owner)
    }
    #expect(error?.code.row.status == "NOT_FOUND")
  }

  @Test func `that creates names its document by its id only`() async throws {
    let error = await #expect(throws: APIError.self) {
      try await rig.firestore.createDocument(
        .with {
          $0.parent = Rig.database.documents
          $0.collectionID = "c"
          $0.documentID = "a"
          $0.document.name = name("c/a")
        }, as: .owner)
    }
    #expect(error?.message == "document.name must not be set")
  }

  @Test func `of no reads answers nothing`() async throws {
    let found = try await rig.firestore.batchGetDocuments(
      .with { $0.database = Rig.database.description }, as: .owner)
    #expect(found.isEmpty)
  }
}

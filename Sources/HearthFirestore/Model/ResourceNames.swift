package import HearthErrors
import HearthLimits
import HearthWire

/// `projects/{project}/databases/{database}`.
package struct DatabaseName: Sendable, Hashable, CustomStringConvertible {
  package let project: String
  package let database: String

  package init(project: String, database: String) {
    self.project = project
    self.database = database
  }

  package init(_ text: String) throws(APIError) {
    let segments = try NameForm.database(text)
    project = segments[1]
    database = segments[3]
  }

  /// Whether Google would make a database with that id.
  package static func isValid(_ id: String) -> Bool {
    let allowed = "abcdefghijklmnopqrstuvwxyz0123456789-".utf8
    return id == "(default)" || (1...63 ~= id.utf8.count && id.utf8.allSatisfy(allowed.contains))
  }

  package var description: String { "projects/\(project)/databases/\(database)" }

  /// The parent of the collections at the root.
  package var documents: String { name(of: []) }

  /// The name of what is at these segments below ``documents``.
  package func name(of segments: ArraySlice<String>) -> String {
    (["projects", project, "databases", database, "documents"] + segments).joinedBySlashes
  }
}

/// A place below `documents`: the root, a collection or a document, by its segments.
package struct ResourcePath: Sendable, Hashable {
  package let database: DatabaseName
  package let segments: [String]

  package init(_ database: DatabaseName, segments: [String]) {
    self.database = database
    self.segments = segments
  }

  package static func == (left: ResourcePath, right: ResourcePath) -> Bool {
    left.segments.count == right.segments.count && right.isWithin(left)
  }

  /// Whether this path is the other one or lies below it.
  func isWithin(_ other: ResourcePath) -> Bool {
    database == other.database && segments.starts(with: other.segments) { $0.hasSameBytes(as: $1) }
  }

  /// Reads `projects/p/databases/d/documents/…`, and checks each segment. A name may be longer than
  /// what can be stored: no document has it.
  package init(_ text: String) throws(APIError) { try self.init(text, as: "Document name") }

  private init(_ text: String, as kind: String) throws(APIError) {
    guard text.utf8.count <= Self.longestRead else {
      throw .invalid("\(kind) is longer than \(Self.longestRead) bytes.")
    }
    let parts = try NameForm.path(text, as: kind)
    database = DatabaseName(project: parts[1], database: parts[3])
    segments = Array(parts[5...])
    guard segments.count <= Self.mostRead else {
      throw .invalid("\(kind) has more than \(Self.mostRead) segments.")
    }
    var offset = parts[..<5].reduce(0) { $0 + $1.utf8.count + 1 }
    for (index, segment) in segments.enumerated() {
      if segment == "." || segment == ".." {
        throw .invalid(
          "\(kind) \"\(text)\" contains a resource id \"\(segment)\" at index \(offset).")
      }
      try Self.check(segment, as: index.isMultiple(of: 2) ? "Collection" : "Resource")
      offset += segment.utf8.count + 1
    }
  }

  /// Rules walk through a path segment by segment.
  private static let mostRead = 1000
  private static let longestRead = 64 << 10

  /// What a stored document's name must fulfil too.
  /// https://firebase.google.com/docs/firestore/quotas#collections_documents_and_fields
  package func checkLength() throws(APIError) {
    try checkSegments()
    guard segments.reduce(0, { $0 + $1.utf8.count + 1 }) <= Limit.documentName.value else {
      throw .invalid(Limit.documentName.refusal())
    }
  }

  /// What the names in values must fulfil, and those that a query names.
  func checkSegments() throws(APIError) {
    for (index, segment) in segments.enumerated() where segment.utf8.count > Limit.id.value {
      throw .invalid(Limit.id.refusal(index.isMultiple(of: 2) ? "kind" : "name"))
    }
    guard segments.count <= 2 * Limit.collectionDepth.value else {
      throw .invalid(Limit.collectionDepth.refusal())
    }
  }

  /// The rules of production for ids. A query's collection is refused in words of its own.
  package static func check(_ id: String, as kind: String = "Resource") throws(APIError) {
    guard !id.isEmpty else { throw .invalid("A resource id must not be empty.") }
    let isDots = id == "." || id == ".."
    let isMarked = id.hasPrefix("__") && id.hasSuffix("__") && id.utf8.count >= 4
    if isDots || isMarked && number(ofId: id) == nil {
      let reason = isTooLarge(id) ? "it is not a 64 bit integer" : "it is reserved"
      throw .invalid("\(kind) id \"\(id)\" is invalid because \(reason).")
    }
    if id.utf8.contains(UInt8(ascii: "/")) {
      throw .invalid("\(kind) id \"\(id)\" is invalid because it contains \"/\".")
    }
  }

  /// The number of an id such as `__id7__`, the form that numeric ids of Datastore take. Only the
  /// canonical form counts. Zero does not: an export with such an id could not be read.
  static func number(ofId id: String) -> Int64? {
    guard id.hasPrefix("__id"), id.hasSuffix("__"), id.utf8.count > 6,
      let number = Int64(id.dropFirst(4).dropLast(2)), number != 0, id == "__id\(number)__"
    else { return nil }
    return number
  }

  /// Whether an id would have a number, in the canonical form, if that had 64 bits.
  private static func isTooLarge(_ id: String) -> Bool {
    guard id.hasPrefix("__id"), id.utf8.count > 6 else { return false }
    let number = id.utf8.dropFirst(4).dropLast(2)
    let digits = number.first == UInt8(ascii: "-") ? number.dropFirst() : number
    return digits.count >= 19 && digits.first != UInt8(ascii: "0")
      && digits.allSatisfy(\.isASCIIDigit)
  }

  package var isDocument: Bool { !segments.isEmpty && segments.count.isMultiple(of: 2) }
  package var isCollection: Bool { !segments.count.isMultiple(of: 2) }
  package var isRoot: Bool { segments.isEmpty }

  package var text: String { database.name(of: segments[...]) }

  package var id: String { segments.last ?? "" }
  package var parent: ResourcePath { ResourcePath(database, segments: Array(segments.dropLast())) }
  package func appending(_ id: String) -> ResourcePath {
    ResourcePath(database, segments: segments + [id])
  }

  package static func document(_ text: String) throws(APIError) -> ResourcePath {
    try document(text, as: "Document name")
  }

  /// The document that a value refers to.
  static func reference(_ text: String) throws(APIError) -> ResourcePath {
    try document(text, as: "Resource name")
  }

  private static func document(_ text: String, as kind: String) throws(APIError) -> ResourcePath {
    let path = try ResourcePath(text, as: kind)
    guard !path.isRoot else {
      throw .invalid(
        "\(kind) \"\(text)\" is invalid: Omit \"/documents\" when referencing a database (except as "
          + "the parent of a document).")
    }
    guard path.isDocument else {
      throw .invalid("\(kind) \"\(text)\" lacks \"/\" at index \(text.utf8.count).")
    }
    return path
  }

  /// A document or the root, under which collections stand.
  package static func parent(_ text: String) throws(APIError) -> ResourcePath {
    let path = try ResourcePath(text, as: "Document parent name")
    guard !path.isCollection else {
      throw .invalid("Document parent name \"\(text)\" lacks \"/\" at index \(text.utf8.count).")
    }
    return path
  }
}

import HearthErrors
import HearthFirestore
import Testing

/// As the official emulator words them.
@Suite struct `Names that are not in form` {
  private static let root = "projects/p/databases/d/documents"

  @Test(arguments: [
    ("", "lacks \"projects\" at index 0."), ("projects", "lacks \"/\" at index 8."),
    ("projects/", "has invalid trailing \"/\"."),
    ("projects/p/database/d/documents/a/b", "lacks \"databases\" at index 11."),
    ("projects//databases/d/documents/a/b", "lacks a project id at index 9."),
    ("projects/p/databases/d", "lacks \"/\" at index 22."),
    ("projects/p/databases/d/document/a/b", "lacks \"documents\" at index 23."),
    ("\(root)/", "is invalid: Omit trailing \"/\"."),
    ("\(root)/a", "lacks \"/\" at index 34."), ("\(root)/a/b/", "has invalid trailing \"/\"."),
    ("\(root)//b", "lacks a collection id at index 33."),
    ("\(root)/a//", "lacks a resource id at index 35."),
    (
      root,
      "is invalid: Omit \"/documents\" when referencing a database (except as the parent of a document)."
    ),
  ]) func `say what is wrong`(name: String, fault: String) {
    let error = #expect(throws: APIError.self) { try ResourcePath.document(name) }
    #expect(error?.message == "Document name \"\(name)\" \(fault)")
  }

  @Test(arguments: [
    ("", "lacks \"projects\" at index 0."), ("projects/p", "lacks \"/\" at index 10."),
    ("projects/p/databases/d/", "has invalid trailing \"/\"."),
    ("projects/p/databases//documents", "lacks a database id at index 21."),
    ("\(root)/a", "has extra characters at index 22."),
  ]) func `may be those of databases`(name: String, fault: String) {
    let error = #expect(throws: APIError.self) { try DatabaseName(name) }
    #expect(error?.message == "Database name \"\(name)\" \(fault)")
  }
}

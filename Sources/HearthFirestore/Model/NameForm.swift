import HearthErrors
import HearthWire

/// The form of names: `projects/{project}/databases/{database}/documents/…`. The words for what is
/// wrong are those of the official emulator, which counts places in bytes.
enum NameForm {
  /// Before each id, and before the collections.
  private static let literals = ["projects", "databases", "documents"]
  /// Segments of the name of a database.
  private static let ofDatabase = 4

  static func database(_ text: String) throws(APIError) -> [String] {
    try segments(text, as: "Database name", isDatabase: true)
  }

  /// Of a document, a collection or the root, with the segments of its database and `documents`.
  static func path(_ text: String, as kind: String) throws(APIError) -> [String] {
    try segments(text, as: kind, isDatabase: false)
  }

  private static func segments(
    _ text: String, as kind: String, isDatabase: Bool
  ) throws(APIError) -> [String] {
    let segments = text.splitAtSlashes
    func fault(_ what: String) -> APIError { .invalid("\(kind) \"\(text)\" \(what).") }
    var offset = 0
    for (index, segment) in segments.enumerated() {
      if segment.isEmpty, index > 0, index == segments.count - 1 {
        // After `documents` it has words of its own.
        let isAfterRoot = index > ofDatabase && segments.count == ofDatabase + 2
        throw fault(isAfterRoot ? "is invalid: Omit trailing \"/\"" : "has invalid trailing \"/\"")
      }
      if isDatabase, index == ofDatabase {
        throw fault("has extra characters at index \(offset - 1)")
      }
      if index <= ofDatabase, index.isMultiple(of: 2) {
        let literal = literals[index / 2]
        guard segment == literal else { throw fault("lacks \"\(literal)\" at index \(offset)") }
      } else if segment.isEmpty {
        throw fault("lacks a \(part(index)) id at index \(offset)")
      }
      offset += segment.utf8.count + 1
    }
    guard segments.count >= (isDatabase ? ofDatabase : ofDatabase + 1) else {
      throw fault("lacks \"/\" at index \(text.utf8.count)")
    }
    return segments
  }

  private static func part(_ index: Int) -> String {
    switch index {
    case 1: "project"
    case 3: "database"
    default: index.isMultiple(of: 2) ? "resource" : "collection"
    }
  }
}

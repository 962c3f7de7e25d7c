import HearthErrors
import HearthLimits

/// How large a stored document may be, in bytes. Production's way to count is documented, and is
/// neither the size of its message nor of its JSON:
/// https://firebase.google.com/docs/firestore/storage-size
enum DocumentSize {
  /// What the name takes in a document, in index entries and in references: each id with one byte
  /// more, and 16.
  static func ofName(_ segments: some Sequence<String>) -> Int {
    segments.reduce(16) { $0 + $1.utf8.count + 1 }
  }

  /// The same for the text of a valid name. Its project and its database do not count.
  static func ofReference(_ name: String) -> Int {
    var slashes = 0
    let ids = name.utf8.drop { byte in
      if byte == UInt8(ascii: "/") { slashes += 1 }
      return slashes < 5
    }
    // Each id with the slash before it.
    return 16 + ids.count
  }

  /// The name, the fields, and 32 bytes for the document.
  static func size(_ fields: Fields, of path: ResourcePath) -> Int {
    ofName(path.segments) + fields.storageSize + 32
  }

  /// Checked after transforms, as they may make a document larger.
  ///
  /// - Throws: INVALID_ARGUMENT with the name and the size.
  static func check(_ fields: Fields, of path: ResourcePath) throws(APIError) {
    let size = size(fields, of: path)
    guard size <= Limit.documentSize.value else {
      throw .invalid(Limit.documentSize.refusal(path.text, Limit.grouped(size)))
    }
  }
}

import HearthErrors
import HearthLimits

/// How large a stored document may be.
/// https://firebase.google.com/docs/firestore/storage-size
enum DocumentSize {
  /// What the name takes in a document, in index entries and in references.
  static func ofName(_ segments: some Sequence<String>) -> Int {
    segments.reduce(16) { $0 + $1.utf8.count + 1 }
  }

  static func size(_ fields: Fields, of path: ResourcePath) -> Int {
    ofName(path.segments) + fields.storageSize + 32
  }

  static func check(_ fields: Fields, of path: ResourcePath) throws(APIError) {
    let size = size(fields, of: path)
    guard size <= Limit.documentSize.value else {
      throw .invalid(Limit.documentSize.refusal(path.text, Limit.grouped(size)))
    }
  }
}

import HearthErrors

/// How large a stored document may be.
/// https://firebase.google.com/docs/firestore/storage-size
enum DocumentSize {
  static let largest = 1_048_576

  static func check(_ fields: Fields, of path: ResourcePath) throws(APIError) {
    let name = path.segments.reduce(16) { $0 + $1.utf8.count + 1 }
    let size = name + fields.storageSize + 32
    guard size <= largest else {
      throw .invalid(
        "Document '\(path.text)' cannot be written because its size (\(grouped(size)) bytes) "
          + "exceeds the maximum allowed size of \(grouped(largest)) bytes.")
    }
  }

  private static func grouped(_ number: Int) -> String {
    var digits = Array(String(number))
    var position = digits.count - 3
    while position > 0 {
      digits.insert(",", at: position)
      position -= 3
    }
    return String(digits)
  }
}

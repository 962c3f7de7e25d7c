import HearthWire

/// What is kept of a secret: enough to know it again, not enough to tell it.
///
/// Half of the digest finds the row, the other half is compared here. How long a search takes says
/// something about the first half at most, and nothing about the secret.
struct SecretDigest: Sendable {
  let key: String
  let proof: String

  init(_ secret: String, dialect: String, rows: some DialectRows) {
    let digest = rows.digest(of: "\(dialect)\u{0}\(secret)")
    key = Base64.encodeURL(Array(digest.prefix(digest.count / 2)))
    proof = Base64.encodeURL(Array(digest.dropFirst(digest.count / 2)))
  }

  /// Takes as long for the first byte that differs as for the last.
  static func isSame(_ left: String, _ right: String) -> Bool {
    let left = Array(left.utf8)
    let right = Array(right.utf8)
    guard left.count == right.count else { return false }
    var difference: UInt8 = 0
    for (one, other) in zip(left, right) { difference |= one ^ other }
    return difference == 0
  }
}

import HearthCrypto
import HearthWire

/// A salted hash of a password. The password itself is not in it, and kept only where exports are to
/// have it in clear.
///
/// The parameters are cheap on purpose, see the decision record "Password hashes": this guards the
/// passwords of test accounts, and a sign-in has to take microseconds.
package struct PasswordHash: Sendable, Equatable {
  /// `passwordHash` on the wire: base64 that starts with our mark, so that a later import of our
  /// own export knows it.
  let hash: String
  /// `salt` on the wire: base64. Empty where a hash was imported without one.
  let salt: String

  /// How an imported hash was made; nil for our own.
  let foreign: ForeignHash?

  /// The hash and the salt that have the password in clear; nil unless they are kept.
  package private(set) var readable: Readable?

  /// A hash of the official emulator, which contains the password in clear.
  package struct Readable: Sendable, Equatable {
    package let hash: String
    package let salt: String

    init(hash: String, salt: String) {
      self.hash = hash
      self.salt = salt
    }

    init(of password: String, _ random: Randomness) {
      let salt = "fakeSalt" + random.alphanumeric(20)
      self.init(hash: "fakeHash:salt=\(salt):password=\(password)", salt: salt)
    }

    package var password: String? { PasswordHash.clearText(in: hash, salt: salt) }
  }

  /// What ordinary users see of a hash, as in production: the word REDACTED.
  static let redacted = "UkVEQUNURUQ="

  private static let mark = Array("hearth2$".utf8)
  /// Of the hashes that were made by PBKDF2; they still count.
  private static let oldMark = Array("hearth1$".utf8)

  /// Takes over a hash as it was stored.
  init(
    hash: String, salt: String, foreign: ForeignHash? = nil, readable: Readable? = nil
  ) {
    self.readable = readable
    self.hash = hash
    self.salt = salt
    self.foreign = foreign
  }

  /// Takes over a hash that is being imported. The official emulator keeps clear text in it, which
  /// is hashed on the spot.
  init(
    importing hash: String, salt: String?, foreign: ForeignHash?, random: Randomness,
    keepsReadable: Bool = false
  ) {
    if let salt, let password = Self.clearText(in: hash, salt: salt) {
      self.init(hashing: password, random)
      if keepsReadable { readable = Readable(hash: hash, salt: salt) }
    } else if hash.utf8.starts(with: Self.clearMark) {
      self.init(matchingNothing: random)
    } else {
      let mark = Base64.decode(hash)?.prefix(Self.mark.count)
      let isOurs = mark == Self.mark[...] || mark == Self.oldMark[...]
      self.init(hash: hash, salt: salt ?? "", foreign: isOurs ? nil : foreign)
    }
  }

  /// Whether an import has the password in clear.
  package static func isReadable(_ hash: String, salt: String?) -> Bool {
    clearText(in: hash, salt: salt ?? "") != nil
  }

  /// What the official emulator calls a hash, with the password in clear in it.
  private static let clearMark = Array("fakeHash:salt=".utf8)

  /// The password of `fakeHash:salt=…:password=…`; nil where the salt is not the one beside it, as
  /// no password fits then.
  private static func clearText(in hash: String, salt: String) -> String? {
    // Not by characters: a password may begin with a mark that joins the equals sign.
    let bytes = Array(hash.utf8)
    let prefix = clearMark + salt.utf8 + ":password=".utf8
    guard !salt.isEmpty, bytes.starts(with: prefix) else { return nil }
    return String(decoding: bytes.dropFirst(prefix.count), as: UTF8.self)
  }

  /// A hash that no password fits.
  private init(matchingNothing random: Randomness) {
    self.init(
      hash: Base64.encodeURL(Self.mark + random.bytes(32)), salt: Base64.encodeURL(random.bytes(12))
    )
  }

  init(hashing password: String, _ random: Randomness, keepsReadable: Bool = false) {
    if keepsReadable { readable = Readable(of: password, random) }
    let salt = random.bytes(12)
    hash = Base64.encodeURL(Self.mark + Self.derive(password, salt: salt))
    self.salt = Base64.encodeURL(salt)
    foreign = nil
  }

  private static func derive(_ password: String, salt: [UInt8]) -> [UInt8] {
    Digest.sha256.hash(salt + Array(password.utf8))
  }

  private static func deriveOld(_ password: String, salt: [UInt8]) -> [UInt8] {
    var bytes = Array(password.utf8)
    // HMAC fills up a short key with zeros, so those at its end would not count. No other password
    // ends like this: the byte occurs in no UTF-8.
    if bytes.last == 0 { bytes.append(0xFF) }
    return Digest.sha256.pbkdf2(password: bytes, salt: salt, rounds: 10, length: 32)
  }

  func matches(_ password: String) -> Bool {
    if let foreign { return foreign.matches(password, hash: hash, salt: salt) }
    guard let stored = Base64.decode(hash), let salt = Base64.decode(salt) else { return false }
    let mark = stored.prefix(Self.mark.count)
    let derived: [UInt8]
    switch mark {
    case Self.mark[...]: derived = Self.derive(password, salt: salt)
    case Self.oldMark[...]: derived = Self.deriveOld(password, salt: salt)
    default: return false
    }
    return ConstantTime.equal(Array(stored.dropFirst(mark.count)), derived)
  }
}

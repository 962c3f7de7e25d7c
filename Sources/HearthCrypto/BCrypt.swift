/// The password hash of OpenBSD.
package enum BCrypt {
  /// The costs that are verified. Each step takes twice as long; the last one about a second.
  package static let costs = 4...13

  /// The cost that a hash of the form `$2b$10$…` names; nil for other texts.
  package static func cost(of hash: String) -> Int? {
    let parts = hash.utf8.split(separator: UInt8(ascii: "$"), omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0].isEmpty, parts[1].first == UInt8(ascii: "2"),
      parts[2].count == 2
    else { return nil }
    return Int(Substring(parts[2]))
  }

  /// Whether the password fits a hash of the form `$2b$10$…`, also one of `$2a$`, `$2x$` or `$2y$`.
  package static func matches(_ password: String, hash: String) -> Bool {
    guard let cost = cost(of: hash), costs.contains(cost), hash.utf8.count == 60,
      let variant = Variant(rawValue: String(hash.prefix(4))),
      let salt = decode(hash.utf8.dropFirst(7).prefix(22))
    else { return false }
    let key = key(of: password, variant)
    let words = stride(from: 0, to: 16, by: 4).map { word(salt[$0..<$0 + 4]) }
    var cipher = EksBlowfish(cost: cost, key: key, salt: words)
    let digest = cipher.encrypt(plainText, times: 64).flatMap { word in
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) }
    }
    let digits = cost < 10 ? "0\(cost)" : String(cost)
    // The last byte of the digest is not part of a hash.
    let expected = "\(variant.rawValue)\(digits)$" + encode(salt) + encode(digest.dropLast())
    return ConstantTime.equal(expected, hash)
  }

  private enum Variant: String {
    case a = "$2a$"
    case b = "$2b$"
    /// By an old implementation that took bytes above 0x7F for negative numbers.
    case x = "$2x$"
    case y = "$2y$"
  }

  private static let plainText: [UInt32] = {
    let text = Array("OrpheanBeholderScryDoubt".utf8)
    return stride(from: 0, to: text.count, by: 4).map { word(text[$0..<$0 + 4]) }
  }()

  /// The password and a zero byte, over and over: 72 bytes. What comes after a zero byte, or after
  /// the 72nd, does not count.
  private static func key(of password: String, _ variant: Variant) -> [UInt32] {
    let bytes = password.utf8.prefix { $0 != 0 }.prefix(72) + [0]
    var index = bytes.startIndex
    return (0..<18).map { _ in
      var word: UInt32 = 0
      for _ in 0..<4 {
        let byte = bytes[index]
        word = word << 8
        word |=
          variant == .x
          ? UInt32(bitPattern: Int32(Int8(bitPattern: byte))) : UInt32(byte)
        index += 1
        if index == bytes.endIndex { index = bytes.startIndex }
      }
      return word
    }
  }

  private static func word(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.reduce(0) { $0 << 8 | UInt32($1) }
  }

  // MARK: Base 64 with an order of its own

  private static let alphabet = Array(
    "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)

  private static func encode(_ bytes: some Sequence<UInt8>) -> String {
    var text: [UInt8] = []
    var (bits, count): (UInt32, UInt32) = (0, 0)
    for byte in bytes {
      bits = bits << 8 | UInt32(byte)
      count += 8
      while count >= 6 {
        count -= 6
        text.append(alphabet[Int(bits >> count) & 63])
      }
    }
    if count > 0 { text.append(alphabet[Int(bits << (6 - count)) & 63]) }
    return String(decoding: text, as: UTF8.self)
  }

  /// The whole bytes of the text; nil where a character is not of the alphabet.
  private static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    var (bits, count): (UInt32, UInt32) = (0, 0)
    for character in text {
      guard let value = alphabet.firstIndex(of: character) else { return nil }
      bits = bits << 6 | UInt32(value)
      count += 6
      guard count >= 8 else { continue }
      count -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> count))
    }
    return bytes
  }
}

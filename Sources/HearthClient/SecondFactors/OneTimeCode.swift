/// The codes of authenticator apps: RFC 6238 with SHA-1, six digits and a period of 30 seconds.
///
/// Foundation has no SHA-1 on all platforms, and this module has no dependencies.
enum OneTimeCode {
  static let period = 30.0

  /// The code of a number of periods since 1970.
  static func code(secret: String, step: UInt64) -> String {
    let mac = hmac((0..<8).map { UInt8(truncatingIfNeeded: step >> (56 - 8 * $0)) }, base32(secret))
    let offset = Int(mac[19] & 0xF)
    let number = mac[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
    let digits = String(number % 1_000_000)
    return String(repeating: "0", count: 6 - digits.count) + digits
  }

  private static func base32(_ text: String) -> [UInt8] {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
    var bytes: [UInt8] = []
    var bits: UInt32 = 0
    var count = 0
    for value in text.uppercased().compactMap(alphabet.firstIndex) {
      bits = bits << 5 | UInt32(value)
      count += 5
      guard count >= 8 else { continue }
      count -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
    }
    return bytes
  }

  private static func hmac(_ message: [UInt8], _ secret: [UInt8]) -> [UInt8] {
    let short = secret.count > 64 ? sha1(secret) : secret
    let key = short + Array(repeating: 0, count: 64 - short.count)
    return sha1(key.map { $0 ^ 0x5C } + sha1(key.map { $0 ^ 0x36 } + message))
  }

  private static func sha1(_ message: [UInt8]) -> [UInt8] {
    let length = UInt64(message.count) * 8
    var padded = message + [0x80]
    padded += Array(repeating: 0, count: (119 - message.count % 64) % 64)
    padded += (0..<8).map { UInt8(truncatingIfNeeded: length >> (56 - 8 * $0)) }
    var hash: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
    for start in stride(from: 0, to: padded.count, by: 64) {
      mix(padded[start..<start + 64], &hash)
    }
    return hash.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } }
  }

  private static func mix(_ block: ArraySlice<UInt8>, _ hash: inout [UInt32]) {
    func rotate(_ word: UInt32, _ bits: UInt32) -> UInt32 { word << bits | word >> (32 - bits) }
    var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { index in
      block[index..<index + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    for index in 16..<80 {
      words.append(
        rotate(words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], 1))
    }
    var (a, b, c, d, e) = (hash[0], hash[1], hash[2], hash[3], hash[4])
    for (index, word) in words.enumerated() {
      let (chosen, constant): (UInt32, UInt32) =
        switch index {
        case ..<20: (b & c | ~b & d, 0x5A82_7999)
        case ..<40: (b ^ c ^ d, 0x6ED9_EBA1)
        case ..<60: (b & c | b & d | c & d, 0x8F1B_BCDC)
        default: (b ^ c ^ d, 0xCA62_C1D6)
        }
      (a, b, c, d, e) = (rotate(a, 5) &+ chosen &+ e &+ constant &+ word, a, rotate(b, 30), c, d)
    }
    for (index, word) in [a, b, c, d, e].enumerated() { hash[index] &+= word }
  }
}

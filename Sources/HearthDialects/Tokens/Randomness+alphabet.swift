import HearthCrypto
import HearthWire

extension Randomness {
  /// Draws without bias: bytes beyond the largest multiple of the alphabet's size are thrown away.
  func text(_ count: Int, of alphabet: [UInt8]) -> String {
    guard !alphabet.isEmpty, alphabet.count <= 256 else { return "" }
    let limit = 256 / alphabet.count * alphabet.count
    var output: [UInt8] = []
    while output.count < count {
      for byte in bytes(count - output.count + 8) where output.count < count && byte < limit {
        output.append(alphabet[Int(byte) % alphabet.count])
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// RFC 9562, version 4.
  func uuid() -> String {
    var raw = bytes(16)
    raw[6] = raw[6] & 0x0F | 0x40
    raw[8] = raw[8] & 0x3F | 0x80
    var text: [UInt8] = []
    for (index, byte) in raw.enumerated() {
      if [4, 6, 8, 10].contains(index) { text.append(UInt8(ascii: "-")) }
      text.append(Hex.digit(byte >> 4))
      text.append(Hex.digit(byte & 0xF))
    }
    return String(decoding: text, as: UTF8.self)
  }
}

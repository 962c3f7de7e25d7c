/// Base64 in the two alphabets of RFC 4648.
package enum Base64 {
  private static let standard = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let url = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// The standard alphabet with padding, as in PEM files and pending credentials.
  package static func encode(_ bytes: [UInt8]) -> String {
    encoded(bytes, alphabet: standard, isPadded: true)
  }

  /// The URL-safe alphabet without padding, as in JWTs.
  package static func encodeURL(_ bytes: [UInt8]) -> String {
    encoded(bytes, alphabet: url, isPadded: false)
  }

  /// Concrete and over raw buffers: every token and every digest comes through here.
  private static func encoded(_ bytes: [UInt8], alphabet: [UInt8], isPadded: Bool) -> String {
    let length = (bytes.count * 4 + 2) / 3
    let capacity = isPadded ? (bytes.count + 2) / 3 * 4 : length
    return String(unsafeUninitializedCapacity: capacity) { output in
      alphabet.withUnsafeBufferPointer { alphabet in
        bytes.withUnsafeBufferPointer { bytes in
          var position = 0
          func append(_ group: Int, letters: Int) {
            for letter in 0..<letters {
              output[position] = alphabet[group >> (18 - 6 * letter) & 0x3F]
              position += 1
            }
          }
          // Three bytes are four letters.
          var index = 0
          while index + 3 <= bytes.count {
            let (first, second, third) = (bytes[index], bytes[index + 1], bytes[index + 2])
            append(Int(first) << 16 | Int(second) << 8 | Int(third), letters: 4)
            index += 3
          }
          switch bytes.count - index {
          case 2: append(Int(bytes[index]) << 16 | Int(bytes[index + 1]) << 8, letters: 3)
          case 1: append(Int(bytes[index]) << 16, letters: 2)
          default: break
          }
          while position < capacity {
            output[position] = UInt8(ascii: "=")
            position += 1
          }
        }
      }
      return capacity
    }
  }

  /// Decodes either alphabet, padded or not; nil for anything else.
  package static func decode(_ text: String) -> [UInt8]? {
    var text = text
    return text.withUTF8(decoded)
  }

  package static func decode(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    bytes.withUnsafeBufferPointer(decoded)
  }

  package static func decode(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? { decoded(bytes) }

  private static func decoded(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    let padding = bytes.reversed().prefix { $0 == UInt8(ascii: "=") }.count
    let count = bytes.count - padding
    // Six left-over bits are half a group: no byte string encodes to that.
    guard padding <= 2, count % 4 != 1 else { return nil }
    var isValid = true
    let output = [UInt8](unsafeUninitializedCapacity: count * 3 / 4) { output, length in
      values.withUnsafeBufferPointer { values in
        var bits: UInt32 = 0
        var filled: UInt32 = 0
        for index in 0..<count {
          let value = values[Int(bytes[index])]
          guard value != invalid else {
            isValid = false
            return
          }
          bits = bits << 6 | UInt32(value)
          filled += 6
          if filled >= 8 {
            filled -= 8
            output[length] = UInt8(truncatingIfNeeded: bits >> filled)
            length += 1
          }
        }
      }
    }
    return isValid ? output : nil
  }

  private static let invalid: UInt8 = 0xFF

  /// The value of each byte in either alphabet.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: invalid, count: 256)
    for alphabet in [standard, url] {
      for (value, byte) in alphabet.enumerated() { values[Int(byte)] = UInt8(value) }
    }
    return values
  }()
}

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// How a text is kept in a column: U+0000 as U+0001 and `0`, U+0001 itself as U+0001 and `1`.
///
/// For SQLite's own functions a text ends at its first U+0000, and what they make of the rest is
/// undefined. Written this way no two texts become one, and their order stays.
/// Only a text that has such a character is copied.
enum StoredText {
  private static let escape: UInt8 = 1
  private static let zero = UInt8(ascii: "0")
  private static let one = UInt8(ascii: "1")

  static func encode(_ text: String) -> String {
    guard contains(0, text: text) || contains(escape, text: text) else { return text }
    var stored: [UInt8] = []
    for byte in text.utf8 {
      if byte > escape {
        stored.append(byte)
      } else {
        stored += [escape, byte == 0 ? zero : one]
      }
    }
    return String(decoding: stored, as: UTF8.self)
  }

  static func decode(_ stored: UnsafeBufferPointer<UInt8>) -> String {
    guard contains(escape, bytes: stored) else { return String(decoding: stored, as: UTF8.self) }
    var text: [UInt8] = []
    var isEscaped = false
    for byte in stored {
      if isEscaped {
        text.append(byte == zero ? 0 : escape)
        isEscaped = false
      } else if byte == escape {
        isEscaped = true
      } else {
        text.append(byte)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Texts are looked through on each way in and out, so this has to be the C library's search.
  private static func contains(_ byte: UInt8, bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    bytes.baseAddress.map { memchr($0, Int32(byte), bytes.count) != nil } ?? false
  }

  private static func contains(_ byte: UInt8, text: String) -> Bool {
    text.utf8.withContiguousStorageIfAvailable { contains(byte, bytes: $0) }
      ?? text.utf8.contains(byte)
  }
}

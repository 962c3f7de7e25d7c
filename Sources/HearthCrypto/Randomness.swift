#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Codes, identifiers and tokens, all from the system's cryptographic generator.
package struct Randomness: Sendable {
  private static let alphanumeric = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
  private static let base64URL = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
  private static let decimal = Array("0123456789".utf8)

  package init() {}

  package func bytes(_ count: Int) -> [UInt8] {
    Array(unsafeUninitializedCapacity: count) { bytes, filled in
      #if canImport(Darwin)
        // The same generator; Darwin's module has no `getentropy`.
        if let start = bytes.baseAddress { arc4random_buf(start, count) }
        filled = count
      #else
        while filled < count {
          // One system call gives 256 bytes; the standard library's generator makes one for eight.
          let share = min(256, count - filled)
          guard let start = bytes.baseAddress, getentropy(start + filled, share) == 0 else {
            preconditionFailure("the system has no randomness")
          }
          filled += share
        }
      #endif
    }
  }

  /// A random UUID, as events have it for an id.
  package func uuid() -> String {
    var bytes = bytes(16)
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    var rest = bytes.hexDigits[...]
    return [8, 4, 4, 4, 12].map { length in
      defer { rest = rest.dropFirst(length) }
      return String(decoding: rest.prefix(length), as: UTF8.self)
    }.joined(separator: "-")
  }

  /// `[A-Za-z0-9]`, as in `localId`.
  package func alphanumeric(_ count: Int) -> String { text(count, of: Self.alphanumeric) }

  /// `[A-Za-z0-9_-]`, as in `oobCode`.
  package func base64URL(_ count: Int) -> String { text(count, of: Self.base64URL) }

  /// Decimal digits, as in SMS codes.
  package func digits(_ count: Int) -> String { text(count, of: Self.decimal) }

  /// Draws without bias: bytes beyond the largest multiple of the alphabet's size are thrown away.
  /// Empty where the alphabet is.
  package func text(_ count: Int, of alphabet: [UInt8]) -> String {
    guard (1...256).contains(alphabet.count) else { return "" }
    let limit = 256 / alphabet.count * alphabet.count
    var output: [UInt8] = []
    output.reserveCapacity(count)
    while output.count < count {
      for byte in bytes(count - output.count + 8) where output.count < count && byte < limit {
        output.append(alphabet[Int(byte) % alphabet.count])
      }
    }
    return String(decoding: output, as: UTF8.self)
  }
}

import HearthWire

/// How the bytes of a part are written. https://www.rfc-editor.org/rfc/rfc2045#section-6
enum TransferEncoding {
  case identity, quotedPrintable, base64

  init(_ name: String?, defects: inout MailDefects) {
    switch name?.lowercased() {
    case nil, "7bit", "8bit", "binary", "": self = .identity
    case "quoted-printable": self = .quotedPrintable
    case "base64": self = .base64
    case let name?:
      defects.add("The transfer encoding \(name.prefix(40)) is not known; the bytes are as sent.")
      self = .identity
    }
  }

  func decode(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    switch self {
    case .identity: Array(bytes)
    case .quotedPrintable: bytes.withUnsafeBufferPointer(Self.quotedPrintable)
    case .base64: bytes.withUnsafeBufferPointer(Self.base64)
    }
  }

  /// Bytes that are not of the alphabet are skipped, and padding may be missing. After padding a new
  /// group begins, as where two texts were joined.
  static func base64(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: bytes.count / 4 * 3 + 3) { output, length in
      base64Values.withUnsafeBufferPointer { values in
        var bits: UInt32 = 0
        var filled: UInt32 = 0
        for byte in bytes {
          let value = values[Int(byte)]
          if value < 64 {
            bits = bits << 6 | UInt32(value)
            filled += 6
            if filled >= 8 {
              filled -= 8
              output[length] = UInt8(truncatingIfNeeded: bits >> filled)
              length += 1
            }
          } else if byte == UInt8(ascii: "=") {
            filled = 0
          }
        }
      }
    }
  }

  private static let base64Values: [UInt8] = {
    var values = [UInt8](repeating: 0xFF, count: 256)
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    for (value, byte) in alphabet.utf8.enumerated() { values[Int(byte)] = UInt8(value) }
    return values
  }()

  /// A broken escape stays as it is. Blanks at the end of a line were added on the way.
  static func quotedPrintable(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: bytes.count) { output, length in
      var index = 0
      // Where the blanks begin that may turn out to end a line.
      var kept = 0
      while index < bytes.count {
        let byte = bytes[index]
        if byte == UInt8(ascii: "=") {
          if let end = softBreak(bytes, start: index + 1) {
            index = end
            kept = length
            continue
          }
          if index + 2 < bytes.count, let value = Hex.byte(bytes[index + 1], low: bytes[index + 2])
          {
            output[length] = value
            length += 1
            index += 3
            kept = length
            continue
          }
        }
        if byte == ASCII.lineFeed
          || (byte == ASCII.carriageReturn && isLineEnd(bytes, index: index))
        {
          length = kept
        }
        output[length] = byte
        length += 1
        index += 1
        if !byte.isBlank { kept = length }
      }
      length = kept
    }
  }

  private static func isLineEnd(_ bytes: UnsafeBufferPointer<UInt8>, index: Int) -> Bool {
    index + 1 < bytes.count && bytes[index + 1] == ASCII.lineFeed
  }

  /// Where the next line begins, if only blanks are before it. More than a line can have of them are
  /// not looked at.
  private static func softBreak(_ bytes: UnsafeBufferPointer<UInt8>, start: Int) -> Int? {
    var index = start
    while index < bytes.count, index < start + 80, bytes[index].isBlank { index += 1 }
    guard index < bytes.count else { return index }
    if bytes[index] == ASCII.carriageReturn, isLineEnd(bytes, index: index) { return index + 2 }
    return bytes[index] == ASCII.lineFeed ? index + 1 : nil
  }
}

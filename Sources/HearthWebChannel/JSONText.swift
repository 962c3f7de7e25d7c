/// JSON that exists as text only. Whoever sends a message has written it already; here it is put
/// into frames without being read.
enum JSONText {
  /// The same JSON with every character outside ASCII escaped. Frames are counted in UTF-16 code
  /// units; so they are also counted in bytes. JSON has such characters within strings only, which
  /// is where an escape may stand.
  static func ascii(_ json: String) -> [UInt8] {
    var json = json
    return json.withUTF8 { bytes in
      guard bytes.contains(where: { $0 >= 0x80 }) else { return Array(bytes) }
      var output: [UInt8] = []
      output.reserveCapacity(bytes.count * 2)
      for unit in String(decoding: bytes, as: UTF8.self).utf16 {
        if unit < 0x80 { output.append(UInt8(unit)) } else { appendEscape(of: unit, to: &output) }
      }
      return output
    }
  }

  /// A string literal of that text.
  static func quoted(_ text: String) -> String {
    var output: [UInt8] = [UInt8(ascii: "\"")]
    for unit in text.utf16 {
      switch unit {
      case 0x22, 0x5C: output += [UInt8(ascii: "\\"), UInt8(unit)]
      case 0x20..<0x7F: output.append(UInt8(unit))
      default: appendEscape(of: unit, to: &output)
      }
    }
    output.append(UInt8(ascii: "\""))
    return String(decoding: output, as: UTF8.self)
  }

  private static func appendEscape(of unit: UInt16, to output: inout [UInt8]) {
    output += [UInt8(ascii: "\\"), UInt8(ascii: "u")]
    for shift in [12, 8, 4, 0] {
      let digit = UInt8(truncatingIfNeeded: unit >> UInt16(shift)) & 0xF
      output.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }
}

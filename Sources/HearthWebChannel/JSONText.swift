import HearthWire

/// JSON that exists as text only. The sender of a message has written it already; here it is put
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

  private static func appendEscape(of unit: UInt16, to output: inout [UInt8]) {
    output += [UInt8(ascii: "\\"), UInt8(ascii: "u")]
    for shift in [12, 8, 4, 0] as [UInt16] {
      output.append(Hex.digit(UInt8(truncatingIfNeeded: unit >> shift) & 0xF))
    }
  }
}

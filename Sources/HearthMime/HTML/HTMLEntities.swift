import HearthWire

/// References to characters: `&amp;`, `&#233;`, `&#xE9;`.
enum HTMLEntities {
  static func decode(_ bytes: ArraySlice<UInt8>) -> String {
    guard bytes.contains(UInt8(ascii: "&")) else { return String(decoding: bytes, as: UTF8.self) }
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    var index = bytes.startIndex
    while index < bytes.endIndex {
      if bytes[index] == UInt8(ascii: "&"), let (scalar, end) = reference(bytes, start: index + 1) {
        output.append(contentsOf: String(Character(scalar)).utf8)
        index = end
      } else {
        output.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static let longestName = 8

  private static func reference(
    _ bytes: ArraySlice<UInt8>, start: Int
  ) -> (Unicode.Scalar, Int)? {
    guard start < bytes.endIndex else { return nil }
    if bytes[start] == UInt8(ascii: "#") { return number(bytes, start: start + 1) }
    let name = bytes[start...].prefix(longestName + 1).prefix(
      while: \.isASCIIAlphanumeric)
    // `&copy=1` is part of a URL: without its semicolon no name counts, but for the oldest ones.
    if name.endIndex < bytes.endIndex, bytes[name.endIndex] == UInt8(ascii: ";") {
      return named[String(decoding: name, as: UTF8.self)].map { ($0, name.endIndex + 1) }
    }
    guard ["amp", "lt", "gt", "quot", "nbsp"].contains(String(decoding: name, as: UTF8.self)),
      name.endIndex == bytes.endIndex || bytes[name.endIndex] != UInt8(ascii: "=")
    else { return nil }
    return named[String(decoding: name, as: UTF8.self)].map { ($0, name.endIndex) }
  }

  private static func number(_ bytes: ArraySlice<UInt8>, start: Int) -> (Unicode.Scalar, Int)? {
    guard start < bytes.endIndex else { return nil }
    let isHex = bytes[start] | 0x20 == UInt8(ascii: "x")
    let digits = bytes[(isHex ? start + 1 : start)...].prefix(10).prefix {
      $0.isASCIIDigit || (isHex && (0x61...0x66).contains($0 | 0x20))
    }
    guard let value = UInt32(String(decoding: digits, as: UTF8.self), radix: isHex ? 16 : 10) else {
      return nil
    }
    var end = digits.endIndex
    if end < bytes.endIndex, bytes[end] == UInt8(ascii: ";") { end += 1 }
    if let byte = UInt8(exactly: value), byte >= 0x80,
      let scalar = SingleByteCharset.windows1252.differences[byte]
    {
      return (scalar, end)
    }
    return (value == 0 ? "\u{FFFD}" : Unicode.Scalar(value) ?? "\u{FFFD}", end)
  }

  /// The names of ISO-8859-1 from 160 on, and those of other characters that mails use.
  private static let named: [String: Unicode.Scalar] = {
    let latin1 = """
      nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn \
      sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave \
      Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml \
      ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN \
      szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave \
      iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute \
      ucirc uuml yacute thorn yuml
      """
    var named: [String: Unicode.Scalar] = [
      "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "euro": "\u{20AC}",
      "hellip": "\u{2026}", "ndash": "\u{2013}", "mdash": "\u{2014}", "lsquo": "\u{2018}",
      "rsquo": "\u{2019}", "sbquo": "\u{201A}", "ldquo": "\u{201C}", "rdquo": "\u{201D}",
      "bdquo": "\u{201E}", "bull": "\u{2022}", "trade": "\u{2122}", "zwnj": "\u{200C}",
      "zwj": "\u{200D}", "ensp": "\u{2002}", "emsp": "\u{2003}", "thinsp": "\u{2009}",
      "lrm": "\u{200E}", "rlm": "\u{200F}", "rarr": "\u{2192}", "larr": "\u{2190}",
      "lsaquo": "\u{2039}", "rsaquo": "\u{203A}", "dagger": "\u{2020}", "permil": "\u{2030}",
      "OElig": "\u{152}", "oelig": "\u{153}", "Scaron": "\u{160}", "scaron": "\u{161}",
      "Yuml": "\u{178}", "fnof": "\u{192}", "check": "\u{2713}", "hearts": "\u{2665}",
      "starf": "\u{2605}", "star": "\u{2606}", "num": "#", "excl": "!", "percnt": "%",
      "lpar": "(", "rpar": ")", "colon": ":", "semi": ";", "equals": "=", "quest": "?",
      "commat": "@", "sol": "/", "period": ".", "comma": ",", "lowbar": "_", "hyphen": "\u{2010}",
      "dash": "\u{2010}", "Tab": "\t", "NewLine": "\n", "minus": "\u{2212}",
    ]
    for (index, name) in latin1.split(whereSeparator: \.isWhitespace).enumerated() {
      named[String(name)] = Unicode.Scalar(UInt8(160 + index))
    }
    return named
  }()
}

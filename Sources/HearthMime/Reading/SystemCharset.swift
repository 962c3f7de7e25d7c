#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Charsets that the system's library knows. Only names of this table reach it.
enum SystemCharset {
  struct Result {
    var text: String
    var hasErrors: Bool
  }

  /// The library's name for what mails call it. As in browsers, a charset is read as the larger one
  /// that its senders mean.
  static let names: [String: String] = {
    var names = [
      "gb2312": "GB18030", "gbk": "GB18030", "x-gbk": "GB18030", "gb18030": "GB18030",
      "eucgb2312-cn": "GB18030", "euc-cn": "GB18030", "cp936": "GB18030",
      "hz-gb-2312": "HZ", "big5": "BIG5-HKSCS", "big5-hkscs": "BIG5-HKSCS", "cn-big5": "BIG5-HKSCS",
      "big5-tw": "BIG5-HKSCS",
      "ks-c-5601-1987": "CP949", "euc-kr": "CP949", "cp949": "CP949", "ksc5601": "CP949",
      "iso-2022-kr": "ISO-2022-KR", "shift-jis": "CP932", "x-sjis": "CP932", "sjis": "CP932",
      "ms-kanji": "CP932", "windows-31j": "CP932", "cp932": "CP932", "euc-jp": "EUC-JP",
      "iso-2022-jp": "ISO-2022-JP", "iso-2022-jp-1": "ISO-2022-JP-1",
      "iso-2022-jp-2": "ISO-2022-JP-2", "koi8-r": "KOI8-R", "koi8-u": "KOI8-U",
      "macintosh": "MACINTOSH", "x-mac-roman": "MACINTOSH", "ibm850": "CP850", "cp850": "CP850",
      "cp437": "CP437", "ibm437": "CP437", "cp866": "CP866", "ibm866": "CP866",
      "tis-620": "CP874", "windows-874": "CP874", "utf-7": "UTF-7", "unicode-1-1-utf-7": "UTF-7",
      "iso-8859-9": "CP1254", "iso-8859-11": "CP874", "utf-32": "UTF-32",
    ]
    for number in [2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 16] {
      names["iso-8859-\(number)"] = "ISO-8859-\(number)"
    }
    for number in [1250, 1251, 1253, 1254, 1255, 1256, 1257, 1258] {
      names["windows-\(number)"] = "CP\(number)"
      names["cp\(number)"] = "CP\(number)"
    }
    return names
  }()

  #if canImport(Darwin)
    /// Nil where the charset is not known, or nothing can be read in it.
    static func decode(_ bytes: [UInt8], _ name: String) -> Result? {
      let encoding = CFStringConvertIANACharSetNameToEncoding(name as CFString)
      guard encoding != kCFStringEncodingInvalidId else { return nil }
      let number = CFStringConvertEncodingToNSStringEncoding(encoding)
      let text = String(data: Data(bytes), encoding: String.Encoding(rawValue: number))
      return text.map { Result(text: $0, hasErrors: false) }
    }
  #else
    /// Nil where the charset is not known. What cannot be read becomes U+FFFD.
    static func decode(_ bytes: [UInt8], name: String) -> Result? {
      guard let converter = iconv_open("UTF-8", name), Int(bitPattern: converter) != -1 else {
        return nil
      }
      defer { iconv_close(converter) }
      var bytes = bytes
      return bytes.withUnsafeMutableBytes { input in
        var conversion = Conversion(converter: converter, input: input)
        return conversion.run()
      }
    }

    private struct Conversion {
      let converter: iconv_t
      let input: UnsafeMutableRawBufferPointer
      private var output: [UInt8] = []
      private var hasErrors = false

      init(converter: iconv_t, input: UnsafeMutableRawBufferPointer) {
        self.converter = converter
        self.input = input
      }

      mutating func run() -> Result {
        output.reserveCapacity(input.count * 2)
        var next = input.baseAddress?.assumingMemoryBound(to: CChar.self)
        var left = input.count
        while left > 0, step(&next, left: &left) {}
        flush()
        return Result(text: String(decoding: output, as: UTF8.self), hasErrors: hasErrors)
      }

      /// Some charsets hold a character back until they know what follows.
      private mutating func flush() {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
          var place = buffer.baseAddress
          var room = buffer.count
          iconv(converter, nil, nil, &place, &room)
          output.append(contentsOf: UnsafeRawBufferPointer(buffer).prefix(buffer.count - room))
        }
      }

      /// Converts one buffer full. Returns whether there is more.
      private mutating func step(
        _ next: inout UnsafeMutablePointer<CChar>?, left: inout Int
      ) -> Bool {
        var problem: Int32 = 0
        let written = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16_384) { buffer in
          var place = buffer.baseAddress
          var room = buffer.count
          if iconv(converter, &next, &left, &place, &room) == -1 { problem = errno }
          output.append(contentsOf: UnsafeRawBufferPointer(buffer).prefix(buffer.count - room))
          return buffer.count - room
        }
        if problem == 0 { return false }
        if problem == E2BIG { return written > 0 }
        // A byte that does not belong there, or a character that the end cuts off.
        hasErrors = true
        output.append(contentsOf: "\u{FFFD}".utf8)
        next = next?.advanced(by: 1)
        left -= 1
        return problem == EILSEQ
      }
    }
  #endif
}

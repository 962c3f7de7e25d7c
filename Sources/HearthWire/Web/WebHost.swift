/// What can be a URL's host, and how it is written. https://url.spec.whatwg.org/#host-parsing
enum WebHost {
  private static let forbidden = Set("\0 #/:<>?@[\\]^|".utf8)

  /// The host of a scheme that nothing is known of; nil for what can be none.
  static func opaque(_ bytes: ArraySlice<UInt8>) -> String? {
    let text = String(decoding: bytes, as: UTF8.self)
    if bytes.first == UInt8(ascii: "[") { return isBracketed(text) ? text : nil }
    return bytes.contains(where: forbidden.contains) ? nil : text
  }

  /// A name or an address, as the web's own schemes have them, in lower case; nil for anything else.
  static func domain(_ bytes: ArraySlice<UInt8>) -> String? {
    let text = String(decoding: bytes, as: UTF8.self)
    if bytes.first == UInt8(ascii: "[") { return isBracketed(text) ? text.lowercased() : nil }
    let name = PercentCoding.decode(text).lowercased()
    let isWrong = name.utf8.contains { byte in
      byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "%") || forbidden.contains(byte)
    }
    guard !name.isEmpty, !isWrong, !name.unicodeScalars.contains("\u{FFFD}") else { return nil }
    guard endsInNumber(name) else { return name }
    return address(name)
  }

  // MARK: IPv4

  private static func parts(_ name: String) -> [Substring] {
    var parts = name.split(separator: ".", omittingEmptySubsequences: false)
    if parts.count > 1, parts.last == "" { parts.removeLast() }
    return parts
  }

  private static func endsInNumber(_ name: String) -> Bool {
    guard let last = parts(name).last, !last.isEmpty else { return false }
    return last.utf8.allSatisfy(\.isASCIIDigit) || number(last) != nil
  }

  /// `127.0.0.1`, and its old forms `0x7f.1` and `2130706433`: the last number takes all places
  /// that are left.
  private static func address(_ name: String) -> String? {
    let numbers = parts(name).compactMap(number)
    guard numbers.count == parts(name).count, numbers.count <= 4, let last = numbers.last,
      numbers.dropLast().allSatisfy({ $0 < 256 }), last < 1 << (8 * (5 - numbers.count))
    else { return nil }
    var sum = last
    for (index, number) in numbers.dropLast().enumerated() { sum += number << (8 * (3 - index)) }
    return [24, 16, 8, 0].map { String(sum >> $0 & 0xFF) }.joined(separator: ".")
  }

  /// Decimal, octal or hexadecimal. Too long a number is as good as any that is too large.
  private static func number(_ text: Substring) -> UInt64? {
    let radix = text.hasPrefix("0x") ? 16 : text.count > 1 && text.hasPrefix("0") ? 8 : 10
    let digits = radix == 16 ? text.dropFirst(2) : text
    guard !text.isEmpty, digits.allSatisfy({ $0.isASCII && ($0.hexDigitValue ?? 16) < radix })
    else { return nil }
    return digits.isEmpty ? 0 : UInt64(digits, radix: radix) ?? 1 << 32
  }

  // MARK: IPv6

  private static func isBracketed(_ text: String) -> Bool {
    text.hasSuffix("]") && isIPv6(text.dropFirst().dropLast())
  }

  /// Eight groups, or fewer where `::` stands for at least one.
  private static func isIPv6(_ text: Substring) -> Bool {
    let sides = text.split(separator: "::", maxSplits: 1, omittingEmptySubsequences: false)
    let counts = sides.enumerated().map { groups($1, isLast: $0 == sides.count - 1) }
    let count = counts.reduce(0) { $0 + ($1 ?? 9) }
    return sides.count == 1 ? count == 8 : count < 8
  }

  /// How many groups there are; nil where something else is between them. The last two may be
  /// written as an IPv4 address.
  private static func groups(_ text: Substring, isLast: Bool) -> Int? {
    guard !text.isEmpty else { return 0 }
    var groups = text.split(separator: ":", omittingEmptySubsequences: false)
    var count = groups.count
    if isLast, let last = groups.last, last.contains(".") {
      guard isDotted(last) else { return nil }
      groups.removeLast()
      count += 1
    }
    let areGroups = groups.allSatisfy { group in
      (1...4).contains(group.utf8.count) && group.allSatisfy { $0.isASCII && $0.isHexDigit }
    }
    return areGroups ? count : nil
  }

  private static func isDotted(_ text: Substring) -> Bool {
    let numbers = text.split(separator: ".", omittingEmptySubsequences: false)
    return numbers.count == 4
      && numbers.allSatisfy { number in
        number.utf8.allSatisfy(\.isASCIIDigit) && UInt8(number) != nil
          && (number == "0" || number.first != "0")
      }
  }
}

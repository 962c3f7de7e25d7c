/// Numbers as gateways write them, and as messages have them.
enum PhoneNumbers {
  /// E.164 with its plus, without blanks and brackets; short codes and names stay as they are.
  static func normal(_ text: String) -> String {
    var number = text.filter { !" -().\u{A0}".contains($0) }
    if let mark = number.firstIndex(of: ":") {
      number = String(number[number.index(after: mark)...])
    }
    if number.hasPrefix("00") { number = "+" + number.dropFirst(2) }
    let isNumber = number.count >= 7 && number.allSatisfy { $0.isASCII && $0.isNumber }
    return isNumber ? "+" + number : number
  }

  static func isValid(_ number: String) -> Bool {
    let digits = number.dropFirst()
    return number.hasPrefix("+") && (7...15).contains(digits.count) && digits.first != "0"
      && digits.allSatisfy { $0.isASCII && $0.isNumber }
  }
}

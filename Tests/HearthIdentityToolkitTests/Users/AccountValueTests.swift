import HearthErrors
import HearthTime
import HearthWire
import Testing

@testable import HearthIdentityToolkit

@Suite struct `A time of an account` {
  @Test(
    arguments: [
      ("0", 0), ("1700000000", 1_700_000_000), ("-5", -5), ("9223372036854775807", .max),
    ] as [(String, Int64)])
  func `is a number in its usual spelling`(text: String, number: Int64) {
    #expect(AccountTime(text) == .number(number))
    #expect(AccountTime(text).text == text)
  }

  /// The text comes back as it was; what counts is the number in it.
  @Test(
    arguments: [
      ("007", 7, 7), ("+5", 5, 5), ("-0", 0, 0), ("1.5", nil, 1.5), ("1e3", nil, 1000),
      ("9223372036854775808", nil, 0x1p63), ("", nil, nil), (" 5", nil, nil), ("soon", nil, nil),
      ("１", nil, nil),
    ] as [(String, Int64?, Double?)])
  func `is kept as it came`(text: String, number: Int64?, fractional: Double?) {
    let time = AccountTime(text)
    #expect(time == .verbatim(text) && time.text == text)
    #expect(time.number == number)
    #expect(time.fractionalNumber == fractional)
  }

  @Test func `rounds seconds down`() {
    let time = Timestamp(milliseconds: 1_999)
    #expect(AccountTime.seconds(of: time) == .number(1))
    #expect(AccountTime.milliseconds(of: time) == .number(1999))
    #expect(AccountTime.seconds(of: Timestamp(milliseconds: -1)) == .number(-1))
  }
}

@Suite struct `Custom claims` {
  private func refusal(_ attributes: String) -> APIError? {
    do throws(APIError) {
      try CustomClaims.check(attributes)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    "{}", "{\"a\":[1,{\"sub\":1}]}", " {\"Sub\":1} ", "{\"e\":\"\u{FEFF}\"}",
  ])
  func `are an object`(attributes: String) {
    #expect(refusal(attributes) == nil)
  }

  @Test(arguments: ["", "[]", "1", "null", "{", "{a:1}", "\u{FEFF}{}"])
  func `that are none are refused`(attributes: String) {
    #expect(refusal(attributes)?.code == .invalidClaims)
  }

  @Test(arguments: CustomClaims.reserved)
  func `have no name that belongs to the token`(name: String) {
    #expect(refusal(#"{"a":1,"\#(name)":null}"#) == APIError(.forbiddenClaim, detail: name))
  }

  @Test func `name the first reserved name by the list, not by the text`() {
    #expect(refusal(#"{"firebase":1,"exp":1,"iss":1}"#) == APIError(.forbiddenClaim, detail: "iss"))
  }

  @Test(arguments: [("a", 992, true), ("a", 993, false), ("😀", 496, true), ("😀", 497, false)])
  func `have a length in UTF-16 units`(unit: String, count: Int, isShort: Bool) {
    let refused = refusal(#"{"a":"\#(String(repeating: unit, count: count))"}"#)
    #expect(refused?.code == (isShort ? nil : .claimsTooLarge))
  }
}

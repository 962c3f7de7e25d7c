import HearthCrypto
import HearthTestSupport
import HearthWire
import Testing

@Suite struct `Numbers as in JavaScript` {
  @Test(arguments: [
    (0, "0"), (-0.0, "0"), (1.5, "1.5"), (-2, "-2"), (0.1, "0.1"), (123.456, "123.456"),
    (1e15, "1000000000000000"), (1e16, "10000000000000000"),
    (9_007_199_254_740_992, "9007199254740992"),
    (-0x1p63, "-9223372036854776000"), (0x1p63, "9223372036854776000"),
    (9_007_199_254_740_994, "9007199254740994"), (1.5e16, "15000000000000000"),
    (1.2345678901234568e20, "123456789012345680000"), (1e20, "100000000000000000000"),
    (1e21, "1e+21"), (-1.25e21, "-1.25e+21"), (1e100, "1e+100"), (1e-6, "0.000001"),
    (1.25e-6, "0.00000125"), (1e-7, "1e-7"), (1.5e-7, "1.5e-7"), (-1e-10, "-1e-10"),
    (.leastNonzeroMagnitude, "5e-324"), (.greatestFiniteMagnitude, "1.7976931348623157e+308"),
    (0.00012, "0.00012"), (1234567.891, "1234567.891"), (100.25, "100.25"),
    (4.35, "4.35"), (0.000_123_456_789_012_345_67, "0.00012345678901234567"),
  ])
  func `are printed`(value: Double, text: String) {
    #expect(JavaScriptNumber.text(value) == text)
    #expect(JSON.double(value).text == text)
  }

  @Test func `come back as they were`() {
    var chance = SplitMix(seed: 3)
    for _ in 0..<20_000 {
      let value = Double(bitPattern: chance.next())
      guard value.isFinite else { continue }
      #expect(JavaScriptNumber.value(JavaScriptNumber.text(value)) == value)
    }
  }

  @Test(arguments: [
    ("", 0), (" \n\u{FEFF}\u{A0}", 0), ("300", 300), (" 300\t", 300), ("+5", 5), ("-5", -5),
    ("5.", 5), (".5", 0.5), ("1e3", 1000), ("1E-2", 0.01), ("007", 7), ("0x12c", 300),
    ("0X12C", 300), ("0b101", 5), ("0o17", 15), ("Infinity", .infinity), ("-Infinity", -.infinity),
    ("1e999", .infinity),
  ])
  func `are read`(text: String, value: Double) {
    #expect(JavaScriptNumber.value(text) == value)
  }

  @Test(arguments: [
    "NaN", "nan", "inf", "infinity", "INFINITY", "soon", "300s", "3 00", "1_000", "0x", "0xg",
    "-0x10", "0x1p3", "0b2", "0o8", "1e", "e1", ".", "+", "--1", "1.2.3", "１", "1\u{301}", "\0",
  ])
  func `are nothing else`(text: String) {
    #expect(JavaScriptNumber.value(text) == nil)
  }
}

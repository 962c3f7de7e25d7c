import HearthCrypto
import HearthTestSupport
import HearthWire
import Testing

@Suite struct `JSON text` {
  @Test(
    arguments: [
      ("null", JSON.null), ("true", true), ("-0", 0), ("12", 12), ("1.5", .double(1.5)),
      ("1e2", .double(100)), (#""a\u00e9\n""#, "aé\n"), (#""\ud834\udd1e""#, "𝄞"),
      (#""\ud834""#, "\u{FFFD}"), (" [1, 2 ] ", [1, 2]), (#"{"a":{"b":[]}}"#, ["a": ["b": []]]),
      ("\u{FEFF}{}", [:]), (#"{"a":1,"a":2}"#, ["a": 2]),
    ] as [(String, JSON)])
  func `is read`(text: String, value: JSON) throws {
    #expect(try JSON.parse(text) == value)
  }

  @Test(arguments: [
    "", "{", "[1,]", "{\"a\"}", "{a:1}", "01", "1.", ".5", "+1", "1e", "nul", "'a'", "\"\t\"",
    "\"\\x\"", "\"\\u12\"", "\"", "[1] x", "NaN", "1e999", "{\"a\":1,}", "\u{0}",
  ])
  func `that is not JSON is refused`(text: String) {
    #expect(throws: JSON.ParseError.self) { try JSON.parse(text) }
  }

  @Test func `nests only so deep`() throws {
    _ = try JSON.parse(String(repeating: "[", count: 100) + String(repeating: "]", count: 100))
    #expect(throws: JSON.ParseError.self) {
      try JSON.parse(String(repeating: "[", count: 100_000))
    }
  }

  @Test(arguments: [
    ("[1,[2,3]]", 5, 0, nil), ("[1,[2,3]]", 4, 0, "There are too many values"),
    (#"{"a":{"b":1,"c":2}}"#, 9, 2, nil),
    (#"{"a":{"b":1,"c":2}}"#, 9, 1, "An object has too many members"),
  ])
  func `holds only so much`(text: String, values: Int, members: Int, reason: String?) {
    let bounds = JSON.Bounds(values: values, members: members)
    var failure: String?
    do throws(JSON.ParseError) {
      _ = try JSON.parse(Array(text.utf8), within: bounds)
    } catch {
      failure = error.reason
    }
    #expect(failure == reason)
  }

  @Test func `comes back as it was written`() throws {
    for text in [
      #"{"b":1,"a":[true,null,"\"\\\u0001é"],"c":1.5}"#, "[]", "{}", "-9223372036854775808",
    ] {
      #expect(try JSON.parse(text).text == text)
    }
    #expect(JSON.double(100).text == "100")
  }

  /// Long texts are looked at block by block.
  @Test(arguments: ["\"", "\\", "\n", "\u{1}", "ü"])
  func `escapes a character wherever it is`(_ character: String) throws {
    for place in 0..<40 {
      let text =
        String(repeating: "a", count: place) + character
        + String(repeating: "b", count: 40 - place)
      #expect(try JSON.parse(JSON.string(text).text) == .string(text))
    }
  }

  @Test(arguments: [UInt8(0), 0x0A, 0x1F])
  func `refuses a control character wherever it is`(_ byte: UInt8) {
    for place in 0..<40 {
      let letters = (0..<40).map { $0 == place ? byte : 0x80 + UInt8($0) }
      let failure = #expect(throws: JSON.ParseError.self) {
        try JSON.parse([0x22] + letters + [0x22])
      }
      #expect(failure?.offset == place + 1)
      #expect(failure?.reason == "Bad control character in string literal")
    }
  }

  @Test func `tells names apart that look the same`() {
    // The second two are of the same length, too.
    let (one, other) = ("\u{E9}", "e\u{301}")
    let (third, fourth) = ("\u{212B}", "A\u{30A}")
    var object = JSONObject(members: [(one, 1)])
    object[other] = 2
    #expect(object[one] == 1 && object[other] == 2)
    object.merge(JSONObject(members: [(third, 3), (fourth, 4), (one, 5)]))
    #expect(object.members.map(\.value) == [5, 2, 3, 4])
    #expect(object[third] == 3 && object[fourth] == 4)
    #expect(JSONObject(members: [(one, 1)]) != JSONObject(members: [(other, 1)]))
  }

  @Test func `survives anything`() {
    var chance = SplitMix(seed: 7)
    let seeds = [
      Array(#"{"a":[1,2.5e3,"\u00e9\ud834\udd1e",true],"b":{"c":null}}"#.utf8),
      Array("[[[{}]]]".utf8),
    ]
    for round in 0..<50_000 {
      var bytes = seeds[round % seeds.count]
      for _ in 0..<(1 + chance.next() % 4) {
        let at = Int(chance.next() % UInt64(bytes.count))
        switch chance.next() % 3 {
        case 0: bytes[at] = UInt8(truncatingIfNeeded: chance.next())
        case 1: bytes.insert(UInt8(truncatingIfNeeded: chance.next()), at: at)
        default: if bytes.count > 1 { bytes.remove(at: at) }
        }
      }
      if let json = try? JSON.parse(bytes) {
        // A whole number may come back without its exponent.
        #expect((try? JSON.parse(json.bytes))?.text == json.text)
      }
    }
  }
}

import HearthCrypto
import HearthTestSupport
import HearthWire
import Testing

@testable import HearthYAML

@Suite struct YAMLTests {
  static let texts: [(yaml: String, json: String)] = [
    ("", "null"), ("# nothing\n", "null"), ("---\na: 1\n...\n", #"{"a":1}"#),
    (
      "a: 1\nb: -2\nc: 0x1F\nd: 0o17\ne: 1.5\nf: 1e3\ng: .5\n",
      #"{"a":1,"b":-2,"c":31,"d":15,"e":1.5,"f":1000,"g":0.5}"#
    ),
    (
      "a: true\nb: False\nc: ~\nd:\ne: null\nf: yes\n",
      #"{"a":true,"b":false,"c":null,"d":null,"e":null,"f":"yes"}"#
    ),
    (
      "a: 2027-01-31T09:30:00Z # when\nb: http://x/y#z\nc: a:b\n",
      #"{"a":"2027-01-31T09:30:00Z","b":"http://x/y#z","c":"a:b"}"#
    ),
    ("a:\n  b:\n    c: 1\n  d: 2\n", #"{"a":{"b":{"c":1},"d":2}}"#),
    ("a:\n- 1\n- 2\nb:\n  - 3\n", #"{"a":[1,2],"b":[3]}"#),
    ("- a: 1\n  b: 2\n-\n  c: 3\n- - 4\n  - 5\n- []\n", #"[{"a":1,"b":2},{"c":3},[4,5],[]]"#),
    (
      "users/ada: {name: Ada, n: [1, 'x', \"y\"], e: {}}\n",
      #"{"users/ada":{"name":"Ada","n":[1,"x","y"],"e":{}}}"#
    ),
    (
      "a: {b,\n  \"c\":1, d: ,\n # no\n e: [\n1,\n]}\n", #"{"a":{"b":null,"c":1,"d":null,"e":[1]}}"#
    ),
    (
      "'a b': \"q\\\"\\n\\u00e9\\ud83d\\ude00\\x41\"\n\"c: d\": 'it''s'\n",
      "{\"a b\":\"q\\\"\\né😀A\",\"c: d\":\"it's\"}"
    ),
    (
      "a: one\n  two\n\n  three\nb: \"x\n  y \\\n  z\"\nc: 'p\n\n  q'\n",
      #"{"a":"one two\nthree","b":"x y z","c":"p\nq"}"#
    ),
    (
      "a: |\n  x\n   y\n\n  z\n\nb: |-\n  x\nc: |+\n  x\n\nd: 1\n",
      #"{"a":"x\n y\n\nz\n","b":"x","c":"x\n\n","d":1}"#
    ),
    (
      "a: >\n  x\n  y\n\n  z\n    in\n  w\nb: >-\n  x\n  y\n",
      #"{"a":"x y\nz\n  in\nw\n","b":"x y"}"#
    ),
    ("a: |2\n    x\n   y\n", #"{"a":"  x\n y\n"}"#),
    (
      "t: !timestamp 2027-01-31T09:30:00Z\nr: !reference users/1\n",
      ##"{"t":{"$timestamp":"2027-01-31T09:30:00Z"},"r":{"$reference":"users/1"}}"##
    ),
    (
      "g: !geopoint [51.5, -1]\nb: !bytes 1234\n",
      ##"{"g":{"$geopoint":[51.5,-1]},"b":{"$bytes":"1234"}}"##
    ),
    (
      "l:\n- !double 2\n- !!str 5\n- !map\n  $x: 1\n",
      ##"{"l":[{"$double":2},"5",{"$map":{"$x":1}}]}"##
    ),
    ("1: a\ntrue: b\n$schema: c\n", ##"{"1":"a","true":"b","$schema":"c"}"##),
    ("a:\r\n  b: 1\r\n", #"{"a":{"b":1}}"#), ("\u{FEFF}a: 1", #"{"a":1}"#),
    ("a: \n\n# c\n  # d\n  b: 1\n", #"{"a":{"b":1}}"#),
    ("{\n\t\"a\": [\n\t\t1\n\t]\n}\n", #"{"a":[1]}"#),
    ("text", #""text""#), ("- -1\n- -x\n- :y\n- ?z\n", #"[-1,"-x",":y","?z"]"#),
  ]

  @Test(arguments: texts) func `a text is read`(text: (yaml: String, json: String)) throws {
    #expect(try YAMLReader.read(text.yaml.utf8).json.text == text.json)
  }

  static let faults: [(yaml: String, line: Int, words: String)] = [
    ("a: 1\nb: 2\na: 3\n", 3, "'a' appears twice"),
    ("{\"a\": 1,\n \"a\": 2}", 2, "'a' appears twice"),
    ("a: &x 1\n", 1, "anchors"), ("b: 1\na: *x\n", 2, "anchors"), ("a:\n  <<: b\n", 2, "'<<'"),
    ("a:\n\tb: 1\n", 2, "a tab cannot indent"), ("a: b: c\n", 1, "needs quotes"),
    ("a: b\n  c: d\n", 2, "needs quotes"), ("a:\n  b: 1\n c: 2\n", 3, "is indented by 1"),
    ("a: 1\n- b\n", 2, "expected a name"), ("a: - b\n", 1, "a list begins on a line of its own"),
    ("a: \"x\n", 1, "quotes are not closed"), ("a: [1,\n  2\n", 1, "'[' is not closed"),
    ("a: [1 2, [3}\n", 1, "expected ',' or ']'"), ("a: [b: c]\n", 1, "expected ',' or ']'"),
    ("a: \"\\q\"\n", 1, "escape"), ("a: \"\\ud800\"\n", 1, "escape"),
    ("a: @x\n", 1, "needs quotes"),
    ("? a\n: b\n", 1, "'? name'"), ("%YAML 1.2\n---\n", 1, "directives"),
    ("a: 1\n---\nb: 2\n", 2, "a second document"), ("a: !!set x\n", 1, "the tag !!set"),
    ("a: 1e999\n", 1, "out of range"), ("a: |x\n", 1, "begins on the next line"),
    (String(repeating: "[", count: 200_000), 1, "nested more than 100"),
    (String(repeating: "- ", count: 200_000), 1, "nested more than 100"),
    ("a: 1\nb: \0\n", 2, "UTF-8"),
    ("a: \"b\" c\n", 1, "expected the end of the line"), ("a\nb: 1\n", 2, "needs quotes"),
  ]

  @Test(arguments: faults) func `a mistake has its line`(
    fault: (yaml: String, line: Int, words: String)
  ) {
    let error = #expect(throws: YAMLFault.self) { try YAMLReader.read(fault.yaml.utf8) }
    #expect(error?.line == fault.line)
    #expect(error?.words.contains(fault.words) == true, "\(error?.words ?? "")")
  }

  @Test(arguments: 0..<20) func `what is written is read`(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    for _ in 0..<40 {
      let json = Self.value(&random, depth: 0)
      let text = YAMLText.of(json)
      #expect(try YAMLReader.read(text.utf8).json == json, "\(text)")
    }
  }

  @Test(arguments: 0..<10) func `a broken text is refused or read, and nothing else`(seed: UInt64) {
    var random = SplitMix(seed: seed)
    for _ in 0..<500 {
      var bytes = Array(Self.texts[Int(random.next() % UInt64(Self.texts.count))].yaml.utf8)
      for _ in 0...(random.next() % 4) {
        let place = Int(random.next() % UInt64(bytes.count + 1))
        let signs = Array("\n \t-:?#&*!|>'\"[]{},%@`\\0a\u{80}".utf8)
        let sign = signs[Int(random.next() % UInt64(signs.count))]
        if random.next() % 3 == 0, place < bytes.count {
          bytes.remove(at: place)
        } else {
          bytes.insert(sign, at: place)
        }
      }
      _ = try? YAMLReader.read(bytes)
    }
  }

  private static let strings = [
    "", "x", "a b", "yes", "null", "1", "-", "- x", "a: b", "#x", "x #y", "é😀", "\n", " ", "~",
    "1e3", "x:", "!x", "&x", "a\tb", "\u{85}", "users/ada", "2027-01-31T09:30:00Z", "@", "\\", "'",
    "\"",
  ]

  private static func value(_ random: inout SplitMix, depth: Int) -> JSON {
    let string = strings[Int(random.next() % UInt64(strings.count))]
    switch random.next() % (depth > 4 ? 6 : 9) {
    case 0: return .null
    case 1: return .bool(random.next() % 2 == 0)
    case 2: return .int(Int64(bitPattern: random.next()))
    case 3: return .double(Double(random.next() % 1000) / 8 + 0.0625)
    case 4, 5: return .string(string)
    case 6: return .array((0..<random.next() % 4).map { _ in value(&random, depth: depth + 1) })
    case 7: return .members(["$timestamp": .string(string)])
    default:
      var object = JSONObject()
      for _ in 0..<random.next() % 4 {
        object[strings[Int(random.next() % UInt64(strings.count))]] = value(
          &random, depth: depth + 1)
      }
      return .object(object)
    }
  }
}

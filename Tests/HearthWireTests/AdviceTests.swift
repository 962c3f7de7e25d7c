import HearthWire
import Testing

@Suite struct `Advice on mistakes` {
  private static let names = [
    "firestore", "port", "host", "emulators", "emailEnumerationProtection",
  ]

  @Test(arguments: [
    ("firestroe", "firestore"), ("prot", "port"), ("PORT", "port"), ("hsot", "host"),
    ("emailEnumeration", "emailEnumerationProtection"), ("emul", "emulators"),
    ("", nil), ("x", nil), ("qwertyuiop", nil),
  ])
  func `names what is near`(word: String, near: String?) {
    #expect(Self.names.nearest(to: word) == near)
    #expect(Self.names.advice(on: word) == (near.map { "; did you mean '\($0)'?" } ?? ""))
  }

  @Test(arguments: [
    ("x", 1, 1), ("{\n  \"a\": x}", 2, 8), ("{\"é\": x}", 1, 7), ("[1,\n\n", 3, 1),
  ])
  func `has the line and the column of a mistake in JSON`(text: String, line: Int, column: Int) {
    let bytes = Array(text.utf8)
    let error = #expect(throws: JSON.ParseError.self) { try JSON.parse(bytes) }
    #expect(error.map { $0.position(in: bytes).line } == line)
    #expect(error.map { $0.position(in: bytes).column } == column)
  }
}

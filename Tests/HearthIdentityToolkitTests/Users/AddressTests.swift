import HearthSQLite
import Testing

@testable import HearthIdentityToolkit

@Suite struct `An e-mail address` {
  @Test(arguments: [
    ("a@b", true), ("a b@c", true), ("\"\"@b", true), ("a@\u{301}b", true), ("é@ü.example", true),
    ("", false), ("a", false), ("@", false), ("@b", false), ("a@", false), ("a@b@c", false),
    ("a@@b", false), ("a＠b", false),
  ])
  func `has one sign with something on either side`(text: String, isAddress: Bool) {
    #expect((Email(text) != nil) == isAddress)
  }

  /// As JavaScript lowers it: the sigma at the end of a word is another letter.
  @Test(arguments: [
    ("Ada@Example.COM", "ada@example.com"), ("ÄÉ@x", "äé@x"), ("İ@x", "i\u{307}@x"),
    ("ΟΔΟΣ@x", "οδος@x"), ("ΣΑΣ@x", "σας@x"), ("Σ@x", "σ@x"), ("ΑΣ.Β@x", "ασ.β@x"),
    ("ΑΣ1@x", "ας1@x"), ("ΑΣ\u{301}Β@x", "ασ\u{301}β@x"), ("ΑΣ\u{301}@x", "ας\u{301}@x"),
    ("a@ΑΣ", "a@ας"),
  ])
  func `is kept in lower case`(text: String, lowercased: String) throws {
    #expect(try #require(Email(text)).text.unicodeScalars.elementsEqual(lowercased.unicodeScalars))
    #expect(Email(unchecked: text).text == lowercased)
  }

  @Test func `is another one where its bytes are others`() {
    let (one, other) = (Email(canonical: "\u{E9}@b"), Email(canonical: "e\u{301}@b"))
    #expect(one.text == other.text && one != other)
    #expect(Set([one, other, one]).count == 2)
  }

  @Test func `that is not checked is lowered all the same`() {
    #expect(Email(unchecked: "NOT an address").text == "not an address")
    #expect(Email(canonical: "As@It.Is").text == "As@It.Is")
  }
}

@Suite struct `A phone number` {
  @Test(arguments: [
    ("+15555550100", true), ("+", true), ("+abc", true), ("+\u{301}1", true), ("", false),
    ("15555550100", false), (" +1", false), ("＋1", false),
  ])
  func `begins with a plus sign`(text: String, isNumber: Bool) {
    #expect((PhoneNumber(text) != nil) == isNumber)
  }

  @Test(arguments: [
    ("+15555550100", "+*******0100"), ("+1 (555) 555-0100", "+* (***) ***-0100"), ("+12", "+12"),
    ("+1234", "+1234"), ("+12345", "+*2345"), ("+1x2y3z4w5", "+*x2y3z4w5"), ("+", "+"),
    ("+１２３４５", "+１２３４５"),
  ])
  func `shows its last four digits`(text: String, shown: String) {
    #expect(PhoneNumber(unchecked: text).obfuscated == shown)
  }
}

import HearthCrypto
import HearthTestSupport
import Testing

@testable import HearthPush

@Suite struct `Texts of an app` {
  @Test(arguments: [
    ("%@ and %@", ["a", "b"], "a and b", 2), ("%2$@, %1$@", ["a", "b"], "b, a", 2),
    ("%1$s", ["a"], "a", 1), ("100%% %d", ["7"], "100% 7", 1), ("%5.2f %ld", ["1", "2"], "1 2", 2),
    ("%", [], "%", 0), ("% done", [], "% done", 0), ("%z", [], "%z", 0), ("%0$s", ["a"], "%0$s", 0),
    ("%s %s", ["a"], "a %2", 2), ("no places", ["a"], "no places", 0), ("a%nb", [], "a\nb", 0),
    ("%99999999999$s", [], "%99999999999$s", 0),
  ])
  func `Arguments get their places`(
    template: String, arguments: [String], text: String, most: Int
  ) {
    let filled = FormatString.fill(template, arguments: arguments)
    #expect((filled.text, filled.most) == (text, most))
  }

  @Test func `A text that names an argument very often is not made`() {
    let template = String(repeating: "%1$s", count: 10_000)
    let filled = FormatString.fill(template, arguments: [String(repeating: "a", count: 4_000)])
    #expect(filled.text == nil)
    #expect(filled.most == 1)
  }

  @Test func `Every file is read or refused`() {
    var random = SplitMix(seed: 31)
    let pieces = [
      "\"", "\\", "\\u00", "\\U", "=", ";", "/*", "*/", "//", "\n", "key", " ", "<resources>",
      "<string ",
      "name=\"a\"", ">", "/>", "</string>", "<![CDATA[", "]]>", "&", "&#", "&#x41;", "&#99999999;",
      "<!--",
      "-->", "é", "%1$@", "\r\n",
    ]
    var taken = 0
    for _ in 0..<5_000 {
      let file = (0..<Int(random.next() % 30)).map { _ in
        pieces[Int(random.next() % UInt64(pieces.count))]
      }.joined()
      if Self.isTaken(file, isApple: true) { taken += 1 }
      if Self.isTaken(file, isApple: false) { taken += 1 }
    }
    #expect(taken > 0)
  }

  private static func isTaken(_ file: String, isApple: Bool) -> Bool {
    do throws(TextFile.Problem) {
      _ = isApple ? try TextFile.apple(file) : try TextFile.android(file)
      return true
    } catch {
      #expect(!error.description.isEmpty)
      return false
    }
  }

  @Test func `Places are as many as a text can have`() {
    let template = String(repeating: "%99$@", count: 10_000)
    #expect(FormatString.fill(template, arguments: []).most == 99)
  }

  @Test(arguments: [
    ("de", "de"), ("DE_at", "de-AT"), ("de-rAT", "de-AT"), ("b+sr+Latn", "sr-Latn"),
    ("zh-hant-tw", "zh-Hant-TW"), ("es-419", "es-419"), ("fil", "fil"),
  ])
  func `Languages are read as platforms write them`(given: String, text: String) {
    #expect(LanguageTag(given)?.text == text)
  }

  @Test(arguments: ["", "d", "German", "de-", "de--AT", "d3", "Base", "de AT", "b+", "dé"])
  func `Other words are no languages`(given: String) { #expect(LanguageTag(given) == nil) }

  @Test func `A language has kinds`() {
    #expect(LanguageTag("zh-Hant-TW")?.chain == ["zh-Hant-TW", "zh-Hant", "zh"])
  }

  @Test func `Every catalogue is read or refused`() {
    var random = SplitMix(seed: 32)
    let pieces = [
      "{", "}", ":", ",", "\"sourceLanguage\"", "\"strings\"", "\"en\"", "\"de\"", "\"x\"", "[",
      "]",
      "\"localizations\"", "\"stringUnit\"", "\"value\"", "\"variations\"", "\"plural\"", "1",
      "null",
    ]
    for _ in 0..<3_000 {
      let rest = (0..<Int(random.next() % 20)).map { _ in
        pieces[Int(random.next() % UInt64(pieces.count))]
      }.joined()
      let file = "{\"sourceLanguage\":\"en\",\"strings\":{\"K\":{\"localizations\":" + rest + "}}}"
      do throws(TextFile.Problem) {
        #expect(try StringCatalogue(file).source.text == "en")
      } catch {
        #expect(!error.description.isEmpty)
      }
    }
  }
}

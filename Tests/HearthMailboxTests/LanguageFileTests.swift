import HearthWire
import Testing

@testable import HearthMailbox

@Suite struct `The files of languages` {
  private static let files = WebFiles.all.filter { $0.key.hasPrefix("languages/") }
  private static let english = WebFiles.all["languages/en.json"] ?? ""

  /// What a language may have, and English has not.
  private static let optional: Set<String> = ["isRightToLeft", "pages.passwordRules.separator"]

  /// The words by their names, such as `pages.emailTaken.title`.
  private func words(of json: JSON, below path: String = "") -> [String: String] {
    var words: [String: String] = [:]
    for (name, value) in json.object?.members ?? [] {
      if let text = value.string {
        words[path + name] = text
      } else if value.object != nil {
        words.merge(self.words(of: value, below: path + name + ".")) { first, _ in first }
      } else {
        words[path + name] = value.text
      }
    }
    return words
  }

  private func slots(in text: String) -> Set<String> {
    Set(text.matches(of: /\{\w+\}/).map { String($0.output) })
  }

  @Test(arguments: files.keys.sorted())
  func `have the words of English, with the same slots`(name: String) throws {
    let words = words(of: try JSON.parse(try #require(Self.files[name])))
    let english = self.words(of: try JSON.parse(Self.english))
    #expect(Set(words.keys).subtracting(Self.optional) == Set(english.keys))
    for (key, text) in words {
      #expect(!text.isEmpty, "\(key)")
      #expect(slots(in: text) == slots(in: english[key] ?? ""), "\(key)")
    }
    #expect("languages/\(words["tag"] ?? "").json" == name)
  }

  @Test func `are all spoken`() {
    #expect(Set(Language.all.map { "languages/\($0.tag).json" }) == Set(Self.files.keys))
    #expect(Set(Language.all.filter(\.isRightToLeft).map(\.tag)) == ["ar", "he"])
  }

  @Test func `have slots in the words of mails`() {
    let phrase = Phrase("{code} for {app}, {else} and {")
    let parts = phrase.parts.map { part in
      switch part {
      case .words(let words): words
      case .slot(let slot): "<\(slot.rawValue)>"
      }
    }
    #expect(parts == ["<code>", " for ", "<app>", ", {else} and {"])
  }
}

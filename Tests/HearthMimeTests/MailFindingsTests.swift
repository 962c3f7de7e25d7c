import Foundation
import HearthMime
import HearthWire
import Testing

@Suite struct `Codes and links of mails` {
  struct Sample: Sendable, CustomTestStringConvertible {
    let json: JSON

    var testDescription: String { "\(json["id"]?.string ?? "") \(json["subject"]?.string ?? "")" }

    static let all: [Sample] = ["extraction", "extraction-more"].flatMap { name -> [Sample] in
      let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../fixtures/mail/\(name).json").standardizedFileURL
      let bytes = FileManager.default.contents(atPath: file.path).map(Array.init) ?? []
      return ((try? JSON.parse(bytes))?["messages"]?.array ?? []).map(Sample.init)
    }
  }

  @Test func `There are samples`() { #expect(Sample.all.count >= 80) }

  @Test(arguments: Sample.all)
  func `are found`(_ sample: Sample) {
    let found = MailFindings(
      subject: sample.json["subject"]?.string ?? "", text: sample.json["text"]?.string,
      html: sample.json["html"]?.string)
    let expected = sample.json["expect"]
    #expect(found.kind.rawValue == expected?["kind"]?.string)
    #expect(found.code == expected?["code"]?.string)
    #expect(found.link == expected?["link"]?.string)
    #expect(found.linkToken == expected?["linkToken"]?.string)
    #expect(found.expiresIn.map(Int64.init) == expected?["expiresInSeconds"]?.integer)
  }

  private static func mail(_ text: String) -> MimeMessage {
    MimeMessage(Array("From: Bank <it@bank.test>\nTo: a@x.test\nSubject: Hello\n\n\(text)".utf8))
  }

  @Test func `come with the reasons for them`() {
    let found = MailFindings(of: Self.mail("Your code: 482913. Order 998877."))
    #expect(found.candidates.first?.value == "482913")
    #expect(found.candidates.first?.reason.contains("keyword") == true)
    #expect(found.candidates.first { $0.value == "998877" }.map { $0.score < 3 } == true)
  }

  @Test func `are those of a project's rule, if one matches`() throws {
    let rules = [
      try MailRule(subject: "other", code: "(x)"),
      try MailRule(
        from: "*@bank.test", to: "a@x", code: #"Ref: ([a-z]+)"#, link: #"go to (\S+)"#),
    ]
    let found = MailFindings(
      of: Self.mail("Ref: abc, code 123456, go to app:/x?token=abcd1"), rules: rules)
    #expect(found.code == "abc")
    #expect(found.link == "app:/x?token=abcd1")
    #expect(found.linkToken == "abcd1")
    #expect(found.candidates.first?.reason == "a rule of the project")
  }

  @Test(arguments: ["(", "(?=a)", "(?<!a)b", #"(a)\1"#])
  func `are not found by an expression that cannot be read`(_ pattern: String) {
    #expect(throws: MailRuleError.self) { try MailRule(code: pattern) }
    #expect(throws: MailRuleError.self) { try MailRule(link: pattern) }
  }

  @Test(arguments: [
    ("A(b)?c|d", "Acd", "Ac"), ("(x)|(d)", "d", "d"), ("(?i)no: (.*)", "NO: 7\nx", "7"),
  ])
  func `are a group of the rule's expression, or all of it`(
    _ pattern: String, _ text: String, _ code: String
  ) throws {
    #expect(try MailRule(code: pattern).code(in: text) == code)
  }

  /// A search that tries one way after the other would not end.
  @Test(arguments: ["(a+)+$", "(a|a)*b", "(?:(?:[ab]?){900}b?)*c"])
  func `take a bounded time to be found by a rule`(_ pattern: String) throws {
    let text = "!" + String(repeating: "a", count: 20_000) + "!"
    #expect(try MailRule(code: "!" + pattern).code(in: text) == nil)
  }
}

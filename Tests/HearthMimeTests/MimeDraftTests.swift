import HearthCrypto
import HearthMime
import HearthTestSupport
import Testing

@Suite struct `A mail that is written` {
  private static func draft() -> MimeDraft {
    var draft = MimeDraft(from: MimeAddress(name: "Jürgen, \"J\"", address: "j@x.test"))
    draft.to = [
      MimeAddress(name: "A, B", address: "a@x.test"),
      MimeAddress(name: "C \"D\"", address: "c@x.test"),
    ]
    draft.cc = (0..<30).map { MimeAddress(address: "someone-\($0)@example.test") }
    draft.subject = String(repeating: "Grüße 你好 😀 ", count: 12) + "end"
    draft.text = "Line one \n=20 ü\n.\n" + String(repeating: "long ", count: 60)
    draft.html = "<p>ü <img src=\"cid:pic@x\"></p>"
    draft.headers = [
      MimeHeader("X-Note", value: "a\r\nBcc: evil@x.test"),
      MimeHeader("Content-Type", value: "text/plain"),
    ]
    draft.attachments = [
      MimeAttachment(
        number: 1, fileName: "p.png", contentType: "image/png", contentId: "pic@x", isInline: true,
        content: [0, 1, 2, 255]),
      MimeAttachment(
        number: 2, fileName: "Übersicht \"1\".pdf", contentType: "application/pdf",
        content: Array(repeating: 7, count: 1_000)),
    ]
    return draft
  }

  @Test func `reads as it was meant`() {
    let draft = Self.draft()
    let mail = MimeMessage(
      draft.encoded(boundary: "b", date: "Sun, 22 Nov 2026", messageId: "<i@x>"))
    #expect(mail.defects == [])
    #expect(mail.from == [draft.from])
    #expect(mail.to == draft.to)
    #expect(mail.cc == draft.cc)
    #expect(mail.subject == draft.subject)
    #expect(mail.messageId == "i@x")
    #expect(mail.text == draft.text.map { $0 + "\n" } || mail.text == draft.text)
    #expect(mail.html == draft.html)
    #expect(mail.bcc == [])
    #expect(mail.header("X-Note") == "a Bcc: evil@x.test")
    #expect(mail.attachments.map(\.fileName) == draft.attachments.map(\.fileName))
    #expect(mail.attachments.map(\.content) == draft.attachments.map(\.content))
    #expect(mail.attachments.map(\.isInline) == [true, false])
  }

  @Test func `is of short lines of ASCII`() {
    let bytes = Self.draft().encoded(boundary: "b", date: "Sun, 22 Nov 2026", messageId: "i@x")
    #expect(bytes.allSatisfy { $0 < 0x80 })
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    #expect(lines.allSatisfy { $0.count <= 200 })
    #expect(lines.dropLast().allSatisfy { $0.last == UInt8(ascii: "\r") })
  }

  @Test func `keeps any text`() {
    var random = SplitMix(seed: 5)
    for _ in 0..<200 {
      var draft = MimeDraft(from: MimeAddress(address: "a@x.test"))
      let letters = ["a", " ", "\n", "=", ".", "ü", "😀", "\t", "-", "?", "_", "\"", "<"]
      draft.text = (0..<random.number(0...300)).map { _ in random.pick(letters) }.joined()
      let words = (0..<random.number(0...40)).map { _ in
        random.pick(["a", "=?", "ü", "?=", "😀", ","])
      }
      draft.subject = words.joined()
      let mail = MimeMessage(draft.encoded(boundary: "b"))
      #expect(mail.subject == draft.subject)
      #expect(mail.text == draft.text || mail.text == (draft.text ?? "") + "\n")
    }
  }
}

import Foundation
import HearthErrors
import HearthMailbox
import HearthTestSupport
import HearthWire
import Testing

@Suite struct `One message` {
  @Test(arguments: ["1", "latest"])
  func `is shown in every form`(_ name: String) async throws {
    let mailbox = try TestProject()
    try mailbox.capture()
    let message = try #require(try mailbox.messages().first)
    let html = try await mailbox.perform(GetMessage.self, message: name + ".html")
    #expect(html.text == message.html)
    #expect(html.contentType == "text/html; charset=utf-8")
    let policy = html.header("Content-Security-Policy")
    #expect(policy.hasPrefix("default-src 'none'; "))
    #expect(policy.contains("; sandbox allow-popups") && !policy.contains("allow-scripts"))
    #expect(html.header("X-Content-Type-Options") == "nosniff")
    let text = try await mailbox.perform(GetMessage.self, message: name + ".txt")
    #expect(text.text == message.text)
    #expect(text.contentType == "text/plain; charset=utf-8")
    let mime = try await mailbox.perform(GetMessage.self, message: name + ".eml")
    #expect(mime.text == message.mime)
    #expect(mime.contentType == "message/rfc822")
    #expect(try await mailbox.perform(GetMessage.self, message: name + ".json").json["id"] == "1")
  }

  @Test(arguments: ["2", "2.html", "1.pdf", "abc", "", ".html", "9223372036854775808"])
  func `is not found under another name`(_ name: String) async throws {
    let mailbox = try TestProject()
    try mailbox.capture()
    try mailbox.capture(in: "demo-other")
    await #expect(throws: APIError.self) {
      try await mailbox.perform(GetMessage.self, message: name)
    }
  }
}

@Suite struct `A message as MIME` {
  @Test func `has headers and two bodies`() throws {
    let mailbox = try TestProject()
    try mailbox.capture()
    let mime = try #require(try mailbox.messages().first).mime
    let (head, body) = try split(mime)
    #expect(
      head == [
        "From: noreply@demo.firebaseapp.com",
        "To: ada@example.com",
        "Subject: Reset your password for demo",
        "Date: Fri, 15 Jan 2027 08:00:00 +0000",
        "Message-ID: <1.1800000000000@demo.firebaseapp.com>",
        "Content-Language: en",
        "X-Hearth-Type: PASSWORD_RESET",
        "MIME-Version: 1.0",
        "Content-Type: multipart/alternative;",
        " boundary=\"=_hearth_1\"",
      ])
    #expect(body.components(separatedBy: "\r\n--=_hearth_1\r\n").count == 3)
    #expect(body.hasSuffix("\r\n--=_hearth_1--\r\n"))
    #expect(body.contains("\r\nHello,\r\n\r\nSomeone, hopefully you, wants a new password"))
    #expect(body.contains("\r\nYour demo team\r\n\r\n--=_hearth_1\r\n"))
    #expect(body.contains("Content-Type: text/plain; charset=utf-8\r\n"))
    #expect(body.contains("Content-Type: text/html; charset=utf-8\r\n"))
  }

  @Test(arguments: ["ja", "fr", "en"])
  func `keeps to ASCII lines of at most 76 characters ending in CRLF`(_ locale: String) throws {
    let mailbox = try TestProject()
    try mailbox.capture(.verifyAndChangeEmail, locale: locale)
    let mime = try #require(try mailbox.messages().first).mime
    #expect(mime.utf8.allSatisfy { $0 < 0x7F })
    for line in mime.components(separatedBy: "\r\n") {
      #expect(line.utf8.count <= 76)
      #expect(!line.utf8.contains { $0 < 0x20 })
    }
  }

  @Test(arguments: ["de", "ja", "zh"])
  func `encodes a subject beyond ASCII`(_ locale: String) throws {
    let mailbox = try TestProject()
    try mailbox.capture(.recoverEmail, locale: locale)
    let message = try #require(try mailbox.messages().first)
    let (head, _) = try split(message.mime)
    let start = try #require(head.firstIndex { $0.hasPrefix("Subject: ") })
    let words = head[start...].prefix { $0.hasPrefix("Subject: ") || $0.hasPrefix(" =?") }
      .map { $0.replacing("Subject: ", with: "").trimmingCharacters(in: .whitespaces) }
    let decoded = try words.map { word in
      #expect(word.hasPrefix("=?UTF-8?B?") && word.hasSuffix("?="))
      return String(
        decoding: try #require(Base64.decode(String(word.dropFirst(10).dropLast(2)))), as: UTF8.self
      )
    }
    #expect(decoded.joined() == message.subject)
  }

  @Test(arguments: [
    ("o'hara+tag@example.com", "o'hara+tag@example.com"),
    ("two words@example.com", "\"two words\"@example.com"),
    ("quo\"te\\@example.com", "\"quo\\\"te\\\\\"@example.com"),
    ("a@b@example.com", "\"a@b\"@example.com"),
    ("\"a@b\"@example.com", "\"a@b\"@example.com"),
    ("\"a\"b\"@example.com", "\"\\\"a\\\"b\\\"\"@example.com"),
    ("münchen@bücher.example", "münchen@bücher.example"),
    ("x@example.com\r\nbcc: y@example.com", "\"x@example.combcc: y\"@example.com"),
    ("<script>@<script>", "\"<script>\"@script"),
    ("no address", "\"no address\""),
  ])
  func `cannot be given headers through an address`(
    _ recipient: String, _ written: String
  ) throws {
    let mailbox = try TestProject()
    try mailbox.capture(to: recipient)
    let (head, _) = try split(try #require(try mailbox.messages().first).mime)
    #expect(head[1] == "To: " + written)
    #expect(head.count == 10)
  }

  @Test func `cannot be given headers through a project`() throws {
    let mailbox = try TestProject()
    try mailbox.capture(in: "p\r\nBcc: x@y.z\r\n\r\n<script>")
    let messages = try mailbox.messages(in: "p\r\nBcc: x@y.z\r\n\r\n<script>")
    let (head, _) = try split(try #require(messages.first).mime)
    #expect(!head.contains { $0.hasPrefix("Bcc") })
    #expect(head.last == " boundary=\"=_hearth_1\"")
  }

  private func split(_ mime: String) throws -> (head: [String], body: String) {
    let end = try #require(mime.range(of: "\r\n\r\n"))
    let head = mime[..<end.lowerBound].components(separatedBy: "\r\n")
    return (head, String(mime[end.lowerBound...]))
  }
}

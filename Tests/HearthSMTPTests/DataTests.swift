import HearthCrypto
import HearthTestSupport
import Testing

@testable import HearthSMTP

@Suite struct `The text of a mail` {
  /// Nothing but CRLF, dot, CRLF ends a mail: else one mail could smuggle in another.
  @Test(arguments: [
    "a\n.\n", "a\n.\r\n", "a\r\n.\n", "a\r.\r", "a\r.\r\n", "a\r\n.\r", "a\n.\rb", "\r\n.\r\r\n",
    "a\r\n\u{0}.\r\n", "a\r\n..\r\n", "a\r\n .\r\n", "\n\n.\n\n", "a\n\r.\n\r",
  ])
  func `Other ends do not end it`(text: String) {
    var data = SmtpData(limit: 1000)
    let bytes = Array(text.utf8)
    let taken = data.append(bytes[...])
    #expect(taken.count == bytes.count && !taken.isEnd)
  }

  @Test(arguments: [
    ("a\r\n.\r\n", "a\r\n"), (".\r\n", ""), ("..\r\n.\r\n", ".\r\n"), (".a\r\n.\r\n", "a\r\n"),
    ("a\r\r\n.\r\n", "a\r\r\n"), ("a\n.\nb\r\n.\r\n", "a\n.\nb\r\n"),
    (".\r.\r\n.\r\n", "\r.\r\n"), ("\r\n\r\n.\r\n", "\r\n\r\n"), ("...\r\n.\r\n", "..\r\n"),
  ])
  func `Dots at the starts of lines`(sent: String, kept: String) {
    // However it is cut into pieces.
    for size in 1...sent.utf8.count {
      var data = SmtpData(limit: 1000)
      var rest = Array(sent.utf8)[...]
      var hasEnded = false
      while !rest.isEmpty, !hasEnded {
        let piece = rest.prefix(size)
        let (count, isEnd) = data.append(piece)
        hasEnded = isEnd
        rest = rest.dropFirst(count)
      }
      #expect(hasEnded && rest.isEmpty)
      #expect(String(decoding: data.bytes, as: UTF8.self) == kept)
    }
  }

  @Test func `What is stuffed comes back, whatever it is`() {
    var random = SplitMix(seed: 5)
    let alphabet = Array("\r\n.ab".utf8)
    for _ in 0..<2000 {
      let text = (0..<random.number(0...30)).map { _ in random.pick(alphabet) }
      let whole = text + Array("\r\n".utf8)
      var data = SmtpData(limit: 1000)
      let sent = Self.stuffed(whole) + Array(".\r\nRSET\r\n".utf8)
      let taken = data.append(sent[...])
      #expect(taken.count == sent.count - 6 && taken.isEnd)
      #expect(data.bytes == whole)
    }
  }

  /// As a client does it: each line that begins with a dot gets another one.
  private static func stuffed(_ text: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    for (index, byte) in text.enumerated() {
      let isStart = index == 0 || index > 1 && text[index - 2] == 13 && text[index - 1] == 10
      if isStart, byte == UInt8(ascii: ".") { output.append(byte) }
      output.append(byte)
    }
    return output
  }

  @Test func `A session survives whatever is said`() {
    var random = SplitMix(seed: 17)
    let pieces = [
      "EHLO x\r\n", "HELO\n", "MAIL FROM:<a@b>", "RCPT TO:<", ">", "\r\n", "\n", "DATA\r\n", ".",
      "*",
      "\r\n.\r\n", "AUTH LOGIN", "AUTH PLAIN =", "STARTTLS\r\n", "\u{0}", "QUIT", "=", "RSET\r\n",
      String(repeating: "A", count: 3000), "SIZE=-1", "\u{16}\u{3}", "<\"", "é", " ",
    ].map { Array($0.utf8) }
    for _ in 0..<300 {
      var client = Conversation {
        $0.offersTLS = true
        $0.message = 2000
      }
      for _ in 0..<20 {
        var bytes = random.pick(pieces)
        if random.chance(12) { bytes = bytes.map { $0 ^ UInt8(random.number(0...127)) } }
        let heard = client.say(bytes)
        for line in heard.split(separator: "\r\n") {
          #expect(line.wholeMatch(of: /[2-5]\d\d[ -].*/) != nil, "\(line)")
        }
        #expect(client.session.messageBytes <= 2000)
      }
    }
  }
}

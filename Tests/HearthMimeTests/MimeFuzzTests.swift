import Foundation
import HearthCrypto
import HearthMime
import HearthTestSupport
import Testing

@Suite struct `Reading of damaged mails` {
  private static let seed = Array(
    """
    From: =?utf-8?q?A=C3=BC?= <a@x.test>\r
    To: "x" <b@x.test>, g: c@x.test;\r
    Subject: Your code =?iso-2022-jp?B?GyRCRnxLXDhsGyhC?= 123456\r
    Content-Type: multipart/mixed; boundary="b"\r
    \r
    --b\r
    Content-Type: multipart/alternative; boundary=c\r
    \r
    --c\r
    Content-Type: text/plain; charset=gb18030\r
    Content-Transfer-Encoding: base64\r
    \r
    1tDOxA==\r
    --c\r
    Content-Type: text/html\r
    Content-Transfer-Encoding: quoted-printable\r
    \r
    <p style=3D"x">Code: <b>482 913</b> <a href=3D"https://x.test/v?token=3Dabc123">V</a></p>\r
    <style>p { background: url(http://x.test/a) }</style><!-- -- > --><script>x</script>\r
    --c--\r
    --b\r
    Content-Type: application/pdf\r
    Content-Disposition: attachment; filename*0*=utf-8''%C3%9C; filename*1="b"\r
    \r
    x\r
    --b--\r

    """.utf8)

  private static let pieces = [
    "--b", "--c--", "\r\n", "\n", "=?", "?=", "=", "<", ">", "\"", "(", "\0", "\u{FEFF}", "&#x0;",
    "&",
    "<!--", "url(", "boundary=", ";", ":", "\u{1F600}", "<a href=", "4", "://",
  ]

  @Test(arguments: 0..<8)
  func `ends, whatever they are`(_ round: Int) {
    var random = SplitMix(seed: UInt64(round + 1))
    for _ in 0..<60 {
      var bytes = Self.seed
      for _ in 0..<random.number(1...30) where !bytes.isEmpty {
        let place = random.number(0...(bytes.count - 1))
        switch random.number(0...4) {
        case 0: bytes[place] ^= UInt8(1 << random.number(0...7))
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + random.number(1...40)))
        case 2: bytes.insert(contentsOf: random.pick(Self.pieces).utf8, at: place)
        case 3: bytes[place] = UInt8(random.number(0...255))
        default: bytes.append(contentsOf: bytes[place...].prefix(60))
        }
      }
      if random.chance(20) { bytes.removeLast(random.number(0...bytes.count)) }
      let mail = MimeMessage(bytes)
      _ = MailFindings(of: mail)
      let safe = SafeHTML(mail.html ?? "").html
      #expect(!safe.contains("<script"))
    }
  }

  /// Each of these made a reader slow that looks ahead without a bound.
  @Test(arguments: [
    "=?a?q?x", "<", "<!--", "(", "\"", "--b\n", "\r\n", "=", "a@b <", "&", "\u{FFFD}", "1 ", "1-",
    "code 123456 ", "a://", "<a href=x>", "<td>", "<p style='display:none'>", "http://x.test/",
    "验证码",
    "=?utf-8?q?a?= ", "; a*0*=b", "{url(", "]]>", "/", "@", "a ", ")",
  ])
  func `takes work that grows with the length, not with its square`(_ piece: String) {
    let short = Self.work(of: piece, length: 5_000)
    let long = Self.work(of: piece, length: 20_000)
    // Four times the length is four times the work, and sixteen times for a reader that looks ahead
    // without a bound. The rest is what a busy processor adds.
    #expect(long < 9 * short + 5_000_000)
  }

  /// The nanoseconds of the processor that this thread spends on mails of that length; the smaller
  /// one of two.
  private static func work(of piece: String, length: Int) -> UInt64 {
    let body = "http://x.test/" + String(repeating: piece, count: length / piece.utf8.count)
    let head = String(repeating: piece.filter { $0 != "\n" }, count: length / 5 / piece.utf8.count)
    let once = {
      let begin = threadNanoseconds()
      for type in ["text/plain", "text/html", "multipart/mixed; boundary=b"] {
        let mail = MimeMessage(
          Array(
            "Subject: \(head)\nTo: \(head)\nX: \(head)\nContent-Type: \(type)\n\n\(body)".utf8))
        _ = MailFindings(of: mail)
        _ = SafeHTML(mail.html ?? "")
      }
      return threadNanoseconds() - begin
    }
    return min(once(), once())
  }

  private static func threadNanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}

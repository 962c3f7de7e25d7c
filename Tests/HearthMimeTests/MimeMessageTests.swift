import HearthMime
import HearthWire
import Testing

@Suite struct `A mail as text` {
  static func read(_ text: String) -> MimeMessage {
    MimeMessage(Array(text.replacing("\n", with: "\r\n").utf8))
  }

  private static let mixed = """
    From: =?utf-8?q?J=C3=BCrgen?= <j@example.test>
    To: "Last, First" <a@x.test>, b@x.test
    Cc: Team: c@x.test, d@x.test;
    Reply-To: e@x.test (Eva)
    Subject: =?utf-8?B?R3LDvMOf?=
     =?utf-8?B?ZQ==?= and more
    Message-ID: <one@x.test>
    MIME-Version: 1.0
    Content-Type: multipart/mixed; boundary=outer

    preamble
    --outer
    Content-Type: multipart/related; boundary="in ner"

    --in ner
    Content-Type: multipart/alternative; boundary=alt

    --alt
    Content-Type: text/plain; charset=utf-8
    Content-Transfer-Encoding: quoted-printable

    Gr=C3=BC=
    =C3=9Fe
    --alt
    Content-Type: text/html; charset=iso-8859-1
    Content-Transfer-Encoding: quoted-printable

    <img src=3D"cid:logo%40x"> =80
    --alt--
    --in ner
    Content-Type: image/png; name=logo.png
    Content-ID: <logo@x>
    Content-Transfer-Encoding: base64

    iVBO
    Rw0K
    --in ner--
    --outer
    Content-Type: application/pdf
    Content-Disposition: attachment; filename*0*=utf-8''%C3%9C; filename*1="ber.pdf"

    %PDF
    --outer--
    epilogue
    """

  @Test func `is read with its addresses, its bodies and its files`() {
    let mail = Self.read(Self.mixed)
    #expect(mail.from == [MimeAddress(name: "Jürgen", address: "j@example.test")])
    #expect(
      mail.to == [
        MimeAddress(name: "Last, First", address: "a@x.test"), MimeAddress(address: "b@x.test"),
      ])
    #expect(mail.cc.map(\.address) == ["c@x.test", "d@x.test"])
    #expect(mail.replyTo == [MimeAddress(name: "Eva", address: "e@x.test")])
    #expect(mail.subject == "Grüße and more")
    #expect(mail.messageId == "one@x.test")
    #expect(mail.text == "Grüße")
    #expect(mail.html == "<img src=\"cid:logo%40x\"> €")
    #expect(mail.attachments.map(\.fileName) == ["logo.png", "Über.pdf"])
    #expect(mail.attachments.map(\.isInline) == [true, false])
    #expect(mail.attachments.map(\.number) == [1, 2])
    #expect(mail.attachments.first?.content == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A])
    #expect(mail.defects == [])
  }

  @Test func `headers are found without case, the first of a name`() {
    let mail = Self.read("X-Tag: one\nx-tag: two\nSubject: a\nSubject: b\n\n")
    #expect(mail.header("X-TAG") == "one")
    #expect(mail.headers.count == 4)
    #expect(mail.subject == "a")
  }

  @Test(arguments: [
    ("=?utf-8?q?a_b=5F?=", "a b_"), ("=?UTF-8*en?Q?x?= =?utf-8?q?y?=", "xy"),
    ("=?utf-8?b?w7w=?= =?utf-8?b?w7w?=", "üü"), ("=?utf-8?b?ww==?= =?utf-8?b?vA==?=", "ü"),
    ("a =?utf-8?q?b?= c", "a b c"), ("=?utf-8?q?b?=c", "bc"), ("=?x?z?b?=", "=?x?z?b?="),
    ("=?utf-8?q?never ends", "=?utf-8?q?never ends"), ("\"=?utf-8?q?x?=\"", "\"x\""),
    ("=?iso-8859-1?q?=80=E4?=", "€ä"), ("=?iso-8859-15?q?=A4?=", "€"),
    ("=?iso-2022-jp?B?GyRCRnxLXDhsGyhC?=", "日本語"), ("=?eucgb2312_cn?b?1tDOxA==?=", "中文"),
    ("=?ks_c_5601-1987?B?x9Gx2w==?=", "한글"), ("=?koi8-r?B?8NLJ18XU?=", "Привет"),
    ("=?windows-1251?Q?=CF=F0=E8?=", "При"), ("=?shift_jis?B?k/qWew==?=", "日本"),
    ("=?big5?B?pKSk5Q==?=", "中文"),
    ("=?big5_tw?B?pKSk5Q==?=", "中文"), ("=?windows-1255?B?+ezl7Q==?=", "שלום"),
    ("long \n two  blanks", "long  two  blanks"), ("=?utf-8?q?=00?=", "\u{FFFD}"),
  ])
  func `has encoded words`(_ written: String, _ meant: String) {
    #expect(Self.read("Subject: \(written)\n\n").subject == meant)
  }

  @Test(arguments: [
    ("a@x.test", [":a@x.test"]), ("<a@x.test>", [":a@x.test"]),
    ("A B <a@x.test>", ["A B:a@x.test"]),
    ("\"A \\\"B\\\"\" <a@x.test>", ["A \"B\":a@x.test"]), ("root", ["root:"]),
    ("<root>", [":root"]), ("\"j d\"@x.test", [":\"j d\"@x.test"]),
    ("a@x.test b@x.test", [":a@x.test", ":b@x.test"]),
    ("A <a@x.test> B <b@x.test>", ["A:a@x.test", "B:b@x.test"]), ("<a@x.test", [":a@x.test"]),
    ("undisclosed-recipients:;", []), (", ,a@x.test,", [":a@x.test"]),
    ("<@r.test:a@x.test>", [":a@x.test"]), ("a@x.test (A (b) c)", ["A (b) c:a@x.test"]),
    ("=?utf-8?q?A=2C_B?= <a@x.test>", ["A, B:a@x.test"]),
  ])
  func `has addresses`(_ written: String, _ meant: [String]) {
    #expect(MimeAddress.list(written).map { "\($0.name ?? ""):\($0.address)" } == meant)
  }

  @Test(arguments: [
    ("filename=a.txt", "a.txt"), ("filename=\"a b.txt\"", "a b.txt"),
    ("filename=a b.txt", "a b.txt"),
    ("filename=\"=?utf-8?q?=C3=BC?=\"", "ü"),
    ("filename*=iso-8859-1'de'%FC.txt; filename=u", "ü.txt"),
    ("filename*1=b; filename*0=a", "ab"), ("filename=\"C:\\temp\"", "C:\\temp"),
    ("filename=\"open", "open"), ("filename*=utf-8''%E2%82", "\u{FFFD}"),
  ])
  func `has names of files`(_ parameter: String, _ name: String) {
    let mail = Self.read("Content-Type: a/b\nContent-Disposition: attachment; \(parameter)\n\nx")
    #expect(mail.attachments.map(\.fileName) == [name])
  }

  @Test(arguments: [
    ("no colon here\nSubject: a\n\nb", "a", "b"), ("From x\nSubject: a\n\nb", "a", "b"),
    ("\n\nSubject: a\n\nb", "a", "b"),
    ("just text\nwithout headers", "", "just text\nwithout headers"),
    ("Subject: a\nContent-Type: multipart/mixed\n\nb", "a", "b"),
    ("Subject: a\nContent-Type: multipart/mixed; boundary=x\n\nb", "a", "b"),
    ("Subject: a\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\nb", "a", "b"),
    ("Subject: a\nContent-Type: text\n\nb", "a", "b"),
    ("Subject: a\nContent-Transfer-Encoding: rot13\n\nb", "a", "b"),
    ("Subject: a\nContent-Type: text/plain; charset=klingon\n\nb", "a", "b"),
  ])
  func `is read where it is malformed`(_ text: String, _ subject: String, _ body: String) {
    let mail = Self.read(text)
    #expect(mail.subject == subject)
    #expect(mail.text == body)
  }

  @Test func `names what is wrong`() {
    let mail = Self.read("oops\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\nb")
    #expect(
      mail.defects == [
        "A header line has no colon; it was skipped.", "A multipart is not closed.",
      ])
  }

  @Test func `without a type is HTML where it looks like it`() {
    let mail = Self.read("Subject: a\n\n<!doctype html><HTML>x</HTML>")
    #expect(mail.text == nil)
    #expect(mail.html?.hasSuffix("x</HTML>") == true)
  }

  @Test func `within a mail is an attachment that can be read`() {
    let mail = Self.read(
      """
      Content-Type: multipart/report; boundary=b

      --b

      It came back.
      --b
      Content-Type: message/delivery-status

      Status: 5.1.1
      --b
      Content-Type: message/rfc822

      Subject: inner

      hello
      --b--
      """)
    #expect(mail.text == "It came back.")
    #expect(mail.attachments.map(\.contentType) == ["message/delivery-status", "message/rfc822"])
    #expect(mail.attachments.last.map { MimeMessage($0.content).subject } == "inner")
  }

  @Test func `nested too deep or in too many parts is cut`() {
    var deep = "Content-Type: multipart/mixed; boundary=b0\n\n"
    for level in 0..<40 {
      deep += "--b\(level)\nContent-Type: multipart/mixed; boundary=b\(level + 1)\n\n"
    }
    #expect(Self.read(deep).defects.contains("Parts are nested more than 20 deep."))
    let wide =
      "Content-Type: multipart/mixed; boundary=b\n\n"
      + String(repeating: "--b\nContent-Type: a/b\n\nx\n", count: 1_500)
    #expect(Self.read(wide).attachments.count < 1_000)
  }

  @Test func `with too many or too long headers is cut`() {
    let many = Self.read(String(repeating: "A: b\n", count: 5_000) + "\nbody")
    #expect(many.headers.count == 2_000)
    #expect(many.text == "body")
    let long = Self.read("Subject: " + String(repeating: "x", count: 300_000) + "\nA: b\n\nbody")
    #expect(long.subject.utf8.count < 65_536)
    #expect(long.text == "body")
  }
}

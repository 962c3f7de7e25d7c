import HearthMime
import Testing

@Suite struct `HTML of mails` {
  @Test(arguments: [
    ("<script>alert(1)</script>a", "a"), ("<p onclick=x()>a</p>", "<p>a</p>"),
    ("<form action=x><input value=1>a</form>", "a"), ("<svg><script>x</script></svg>a", "a"),
    ("<a href='java\tscript:x'>a</a>", "<a target=\"_blank\" rel=\"noopener noreferrer\">a</a>"),
    ("<a href='&#106;avascript:x'>a</a>", "<a target=\"_blank\" rel=\"noopener noreferrer\">a</a>"),
    (
      "<a href=\"app://x?a=1&amp;b=2\">a</a>",
      "<a href=\"app://x?a=1&amp;b=2\" target=\"_blank\" rel=\"noopener noreferrer\">a</a>"
    ),
    ("<p style=\"background:\\75rl(http://x)\">a", "<p style=\"background:75rl(http://x)\">a"),
    ("<p style=\"background:url('http://x/y')\">a", "<p style=\"background:url()\">a"),
    ("<style>@import 'http://x'; p{}</style>", "<style>x 'http://x'; p{}</style>"),
    ("<style></style x><img src=x onerror=y>", "<style></style><img>"),
    ("<img src=\"data:image/svg+xml,x\">", "<img>"),
    ("<base href=http://x><meta http-equiv=refresh>a", "a"),
    ("<!--[if mso]><p>x</p><![endif]-->a", "a"), ("<iframe src=x>y</iframe>a", "a"),
    ("<math><mtext></mtext></math>a</p>", "a"), ("a < b & c", "a &lt; b &amp; c"),
    (
      "<p title='\"><script>x</script>'>a",
      "<p title=\"&quot;&gt;&lt;script&gt;x&lt;/script&gt;\">a"
    ),
    (
      "<html dir=rtl onload=x><body style='margin:0' onload=x background=x>a</body></html>",
      "<html dir=\"rtl\"><body style=\"margin:0\">a</body></html>"
    ),
    ("<template><p>x</template>a", "a"), ("<noscript><p>a</p></noscript>", "<p>a</p>"),
  ])
  func `are shown without what runs or loads`(_ html: String, _ safe: String) {
    #expect(SafeHTML(html).html == safe)
  }

  @Test func `show pictures of the mail, and others where asked for`() {
    let html = "<img src=\"cid:a%40b\"><img src=https://x.test/p.png><td background=//y.test/z>"
    let safe = SafeHTML(html) { "/parts/\($0)" }
    #expect(safe.html == "<img src=\"/parts/a@b\"><img><td>")
    #expect(safe.hiddenPictures == 1)
    let all = SafeHTML(html, showsRemotePictures: true)
    #expect(all.html == "<img><img src=\"https://x.test/p.png\"><td>")
  }

  @Test func `have visible lines and links`() {
    let page = VisibleHTML(
      """
      <head><style>a{}</style><title>t</title></head><div style="display: none !important">no</div>
      <div style="max-height:0">preview</div><table><tr><td>4</td><td>8</td><td>2</td><td>9</td></tr></table>
      <p>Press&nbsp;<a href="https://x.test?a=1&amp;b=2"><img alt="Go"></a> or <b>wait</b></p>
      """)
    #expect(page.lines.map(\.text) == ["4829", "Press or wait", "preview"])
    #expect(page.links.map(\.href) == ["https://x.test?a=1&b=2"])
    #expect(page.links.map(\.label) == ["Go"])
  }
}

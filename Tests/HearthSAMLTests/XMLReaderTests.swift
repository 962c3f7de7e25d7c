import HearthCrypto
import HearthSAML
import HearthTestSupport
import Testing

@Suite struct `XML` {
  private func canonical(_ text: String) throws -> String {
    CanonicalXML.text(of: try XMLReader.root(of: Array(text.utf8)))
  }

  @Test(arguments: [
    ("<a/>", "<a></a>"),
    ("<?xml version='1.0' encoding='utf-8'?>\n<!-- c --><a/>\n<!-- d -->", "<a></a>"),
    ("<a  b='1'\n a=\"2\" ></a >", #"<a a="2" b="1"></a>"#),
    // What is declared and not used goes; what is used is declared where it is used.
    (
      "<n:a xmlns:n='urn:n' xmlns:m='urn:m'><m:b/><b/></n:a>",
      #"<n:a xmlns:n="urn:n"><m:b xmlns:m="urn:m"></m:b><b></b></n:a>"#
    ),
    (
      "<a xmlns='urn:a'><b xmlns=''><c/></b></a>",
      #"<a xmlns="urn:a"><b xmlns=""><c></c></b></a>"#
    ),
    (
      "<a xmlns:z='urn:1' xmlns:b='urn:2' z:x='1' b:x='2' x='3'/>",
      #"<a xmlns:b="urn:2" xmlns:z="urn:1" x="3" z:x="1" b:x="2"></a>"#
    ),
    ("<a>&lt;&amp;&gt;&#x41;&#66;&quot;&apos;</a>", "<a>&lt;&amp;&gt;AB\"'</a>"),
    ("<a b='\t&#9;&lt;&#xD;&quot;'/>", "<a b=\" &#x9;&lt;&#xD;&quot;\"></a>"),
    ("<a>1\r\n2\r3&#13;</a>", "<a>1\n2\n3&#xD;</a>"),
    ("<a><![CDATA[<b>&amp;]]></a>", "<a>&lt;b&gt;&amp;amp;</a>"),
    ("<a>user@example.com<!-- -->.evil.example</a>", "<a>user@example.com.evil.example</a>"),
    ("<a xml:lang='de'/>", #"<a xml:lang="de"></a>"#),
    ("<é>ü</é>", "<é>ü</é>"),
  ])
  func `is read, and written in the canonical form`(text: String, expected: String) throws {
    #expect(try canonical(text) == expected)
    // The form is its own.
    #expect(try canonical(expected) == expected)
  }

  @Test(arguments: [
    "", " ", "text", "<a>", "<a></b>", "<a/><b/>", "<a/>text", "<a b/>", "<a b=1/>",
    "<a b='1'c='2'/>",
    "<a b='1' b='2'/>", "<a b='<'/>", "<a>]]></a>", "<a>&nbsp;</a>", "<a>&#0;</a>",
    "<a>&#xD800;</a>",
    "<a>&#+65;</a>", "<a>&amp</a>", "<a>\u{1}</a>", "<a>\u{FFFE}</a>", "<1a/>", "<a:b/>", "<a:/>",
    "<a c:b='1'/>", "<a xmlns:b=''/>", "<a xmlns:xml='urn:x'/>", "<a xmlns:xmlns='urn:x'/>",
    "<a xmlns='http://www.w3.org/2000/xmlns/'/>", "<a xmlns:n='1' xmlns:m='1' n:b='' m:b=''/>",
    "<a><!-- -- --></a>", "<a><!-- </a>", "<a><![CDATA[ </a>", "<a", "<a b='", "<",
    "<!DOCTYPE a><a/>", "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "<a><!ELEMENT b ANY></a>",
    "<?xml-stylesheet href='a'?><a/>", "<a><?php ?></a>", "<?xml version='1.0'", "<a/><?b?>",
    "<?xml version='1.0' encoding='utf-16'?><a/>",
  ])
  func `that is damaged or dangerous is refused`(text: String) {
    #expect(throws: XMLReader.Problem.self) { try canonical(text) }
  }

  @Test func `has bounds`() throws {
    let deepest = XMLReader.deepest
    func nested(_ depth: Int) -> String {
      String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
    }
    #expect(try canonical(nested(deepest)) == nested(deepest))
    let manyNamespaces = (0..<40).map { "xmlns:n\($0)='u'" }.joined(separator: " ")
    let longNamespace = String(repeating: "u", count: 1000)
    let tooMuch = [
      nested(deepest + 1), nested(100_000 / 4),
      "<a>" + String(repeating: "<b/>", count: 10_000) + "</a>",
      "<a>" + String(repeating: "x", count: XMLReader.longest) + "</a>",
      "<a " + (0..<65).map { "b\($0)=''" }.joined(separator: " ") + "/>",
      "<a \(manyNamespaces)/>", "<a xmlns='\(longNamespace)'/>",
    ]
    for text in tooMuch {
      #expect(throws: XMLReader.Problem.self) { try canonical(text) }
    }
    #expect(throws: XMLReader.Problem.self) { try XMLReader.root(of: [0x3C, 0x61, 0xFF, 0x3E]) }
  }

  @Test func `with many comments keeps all of its text`() throws {
    let text = String(repeating: "x<!---->", count: 30_000)
    #expect(try canonical("<a>\(text)</a>").utf8.count == 30_000 + 7)
  }

  /// What is taken has a canonical form that is taken too, and is its own.
  @Test(arguments: 0..<20)
  func `of any kind is taken or refused`(seed: UInt64) throws {
    let parts = [
      "<a>", "</a>", "<a/>", "<n:b xmlns:n='urn:n'>", "</n:b>", "<b c='&#x9;' d=\"e\">", "</b>",
      "text", "&amp;", "&#13;", "<!-- c -->", "<![CDATA[", "]]>", "<?p?>", "<!DOCTYPE a>",
      "xmlns='u'",
      "\u{0}", "\r\n", "\"", "'", "<", ">", "&", "é",
    ]
    var random = SplitMix(seed: seed)
    for _ in 0..<500 {
      let text = (0..<Int.random(in: 1...12, using: &random))
        .compactMap { _ in parts.randomElement(using: &random) }.joined()
      guard let form = try? canonical("<a>" + text + "</a>") else { continue }
      #expect(try canonical(form) == form)
    }
  }
}

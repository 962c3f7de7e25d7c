/// The pieces that every page and mail is made of. What a caller sent goes through `escape`.
package enum HTML {
  package static let contentType = "text/html; charset=utf-8"

  /// What every page is sent with. The policy says what it may load and who may frame it.
  /// `referrer` is what a browser tells of the page: one that tells nothing sends forms without their
  /// origin, as if they were another page's.
  package static func headers(
    policy: String, referrer: String = "no-referrer"
  ) -> [(name: String, value: String)] {
    [
      ("Content-Security-Policy", policy), ("X-Content-Type-Options", "nosniff"),
      ("Referrer-Policy", referrer), ("Cache-Control", "no-store"),
    ]
  }

  /// The headers of a page that loads and runs nothing.
  package static var headersOfStillPages: [(name: String, value: String)] {
    headers(policy: policyOfStillPages)
  }

  /// The headers of such a page with a form that only the page itself may send.
  package static var headersOfForms: [(name: String, value: String)] {
    headers(policy: policyOfStillPages, referrer: "same-origin")
  }

  private static let policyOfStillPages =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    + "frame-ancestors 'none'"

  /// Text that means itself inside an element or a quoted attribute.
  package static func escape(_ text: String) -> String {
    var text = text
    guard text.withUTF8({ $0.contains(where: isSpecial) }) else { return text }
    return text.withUTF8 { bytes in
      var output: [UInt8] = []
      output.reserveCapacity(bytes.count + 32)
      for byte in bytes {
        switch byte {
        case UInt8(ascii: "&"): output.append(contentsOf: "&amp;".utf8)
        case UInt8(ascii: "<"): output.append(contentsOf: "&lt;".utf8)
        case UInt8(ascii: ">"): output.append(contentsOf: "&gt;".utf8)
        case UInt8(ascii: "\""): output.append(contentsOf: "&quot;".utf8)
        case UInt8(ascii: "'"): output.append(contentsOf: "&#39;".utf8)
        default: output.append(byte)
        }
      }
      return String(decoding: output, as: UTF8.self)
    }
  }

  private static func isSpecial(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""),
      UInt8(ascii: "'"):
      true
    default: false
    }
  }

  /// Schemes that run, embed or read something where they are followed.
  private static let harmfulSchemes: Set<String> = [
    "about", "blob", "data", "file", "filesystem", "javascript", "vbscript", "view-source",
  ]

  /// The URL, escaped, as the value of an `href`; nil when following it could do harm.
  ///
  /// Web addresses and the schemes of apps pass. What does not plainly begin with a scheme is
  /// refused, as browsers skip blanks and control characters in front of and inside `javascript:`.
  package static func linkTarget(_ url: String) -> String? {
    let scheme = url.utf8.prefix { $0 != UInt8(ascii: ":") }
    guard scheme.count < url.utf8.count, let first = scheme.first, isLetter(first),
      scheme.allSatisfy({ isLetter($0) || isSchemePunctuation($0) }),
      !harmfulSchemes.contains(String(decoding: scheme, as: UTF8.self).lowercased())
    else { return nil }
    return escape(url)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func isSchemePunctuation(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }

  /// The colours and measures that all pages share, as variables of CSS. They are dark where the
  /// reader's system is, unless the page has chosen with `data-theme`.
  package static let designTokens =
    WebFiles.`tokens.css`
    + "@media (prefers-color-scheme: dark) {\n\(dark(":root:not([data-theme=light])"))}\n"

  /// The same for a page that can be made light or dark whatever the system is.
  package static let designTokensOfThemes =
    designTokens + dark(":root[data-theme=dark]")
    + ":root[data-theme=light] { color-scheme: light }\n"
    + ":root[data-theme=dark] { color-scheme: dark }\n"

  private static func dark(_ selector: String) -> String {
    WebFiles.`dark.css`.replacing(":root", with: selector)
  }

  private static let styles = (designTokens + WebFiles.`page.css`)

  /// A complete document in the house style. `title` is plain text; `head`, which holds more
  /// elements of the head, and `body` are HTML.
  package static func page(
    title: String, language: String = "en", isRightToLeft: Bool = false, head: String = "",
    body: String
  ) -> String {
    """
    <!doctype html>
    <html lang="\(escape(language))"\(isRightToLeft ? " dir=\"rtl\"" : "")>
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>\(escape(title))</title>
    <link rel="icon" href="data:,">
    <style>
    \(styles)</style>
    \(head)</head>
    <body>
    \(body)
    </body>
    </html>

    """
  }
}

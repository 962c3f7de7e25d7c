/// The pieces that every page and mail is made of. What a caller sent goes through `escape`.
package enum HTML {
  package static let contentType = "text/html; charset=utf-8"

  /// What every page is sent with. The policy says what it may load and who may frame it.
  package static func headers(policy: String) -> [(name: String, value: String)] {
    [
      ("Content-Security-Policy", policy), ("X-Content-Type-Options", "nosniff"),
      ("Referrer-Policy", "no-referrer"), ("Cache-Control", "no-store"),
    ]
  }

  /// Text that means itself inside an element or a quoted attribute.
  package static func escape(_ text: String) -> String {
    var text = text
    return text.withUTF8 { bytes in
      guard bytes.contains(where: isSpecial) else { return String(decoding: bytes, as: UTF8.self) }
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

  /// A complete document in the house style. `title` is plain text; `head`, which holds more
  /// elements of the head, and `body` are HTML.
  package static func page(
    title: String, language: String = "en", head: String = "", body: String
  ) -> String {
    """
    <!doctype html>
    <html lang="\(escape(language))">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>\(escape(title))</title>
    <link rel="icon" href="data:,">
    <style>\(style)</style>
    \(head)</head>
    <body>
    \(body)
    </body>
    </html>

    """
  }

  private static let style = """

    :root { color-scheme: light dark; font: 100%/1.5 system-ui, sans-serif; }
    body { max-width: 64rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
    main.narrow { max-width: 26rem; margin: 0 auto; }
    h1 { font-size: 1.5rem; line-height: 1.25; }
    label { display: block; font-weight: 600; margin: 1rem 0 .25rem; }
    input, textarea, button { font: inherit; padding: .5rem .75rem; border-radius: .375rem; }
    input, textarea { box-sizing: border-box; width: 100%; border: 1px solid; }
    button, .button { display: inline-block; margin-top: 1rem; padding: .5rem 1rem;
      border: 1px solid #1a56db; border-radius: .375rem; background: #1a56db; color: #fff;
      text-decoration: none; cursor: pointer; }
    :focus-visible { outline: 3px solid light-dark(#1d5fd1, #8ab4ff); outline-offset: 2px; }
    .problem { border-left: .25rem solid #c81e1e; padding-left: .75rem; font-weight: 600; }
    .hint { opacity: .8; }
    table { border-collapse: collapse; width: 100%; }
    caption { text-align: left; padding: .5rem 0; }
    th, td { text-align: left; vertical-align: top; padding: .5rem; border-bottom: 1px solid; }
    th { font-weight: 600; }
    dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; }
    dt { font-weight: 600; }
    dd { margin: 0; }
    iframe { box-sizing: border-box; width: 100%; height: 30rem; border: 1px solid;
      background: Canvas; }
    pre { white-space: pre-wrap; border: 1px solid; padding: 1rem; }

    """
}

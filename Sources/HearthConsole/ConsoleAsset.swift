import HearthCrypto
import HearthPages
import HearthWire

/// A file of the console, as it is sent.
package struct ConsoleAsset: Sendable {
  package let contentType: String
  package let content: [UInt8]
  /// The content for clients that take gzip; nil where that makes it no smaller.
  package let compressed: [UInt8]?
  /// Another one for another text, in quotation marks.
  package let entityTag: String

  private init(contentType: String, content: [UInt8]) {
    self.contentType = contentType
    self.content = content
    compressed = contentType == "font/woff2" ? nil : Deflate.gzip(content)
    entityTag = "\"\(Base64.encode(Digest.sha256.hash(content)))\""
  }

  /// The files of the console by their path below `web`.
  package static let all: [String: ConsoleAsset] = {
    var texts = WebFiles.all.filter { !$0.key.hasPrefix("style/") }
    texts["index.html"] = page
    return Dictionary(
      uniqueKeysWithValues: texts.map { name, text in
        (name, ConsoleAsset(contentType: contentType(of: name), content: content(of: name, text)))
      })
  }()

  /// Fonts are embedded as Base64.
  private static func content(of name: String, _ text: String) -> [UInt8] {
    name.hasSuffix(".woff2") ? Base64.decode(text) ?? [] : Array(text.utf8)
  }

  /// The page with its styles in it. It is painted with the first answer then, before the scripts are
  /// there; they are named at its end.
  private static let page = versioned(WebFiles.all["index.html"] ?? "").replacing(
    "<style></style>", with: "<style>\(styles)</style>")

  private static func versioned(_ text: String) -> String {
    text.replacing("/console/assets/", with: "/console/assets/\(version)/")
  }

  /// Another one for other files; a part of their addresses.
  package static let version: String = {
    let texts = WebFiles.all.sorted { $0.key < $1.key }.map { "\($0.key)\u{0}\($0.value)" }
    let digest = Digest.sha256.hash(Array(texts.joined(separator: "\u{0}").utf8))
    return String(Base64.encode(digest).filter { $0.isLetter || $0.isNumber }.prefix(12))
  }()

  private static let styles = versioned(HTML.designTokensOfThemes + sheets.joined())

  private static let sheets = ["controls", "frame", "views", "mailbox", "palette"]
    .compactMap { WebFiles.all["style/\($0).css"] }

  private static func contentType(of name: String) -> String {
    switch name.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    case "woff2": "font/woff2"
    default: "application/octet-stream"
    }
  }

  /// What the console's pages may load: their own files and the styles in the page, and nothing from
  /// elsewhere.
  package static let contentSecurityPolicy: String = {
    let digest = Base64.encode(Digest.sha256.hash(Array(styles.utf8)))
    return "default-src 'none'; script-src 'self'; style-src 'sha256-\(digest)'; "
      + "img-src 'self' data:; font-src 'self'; connect-src 'self'; frame-src 'self'; base-uri 'none'; "
      + "form-action 'none'; frame-ancestors 'none'"
  }()
}

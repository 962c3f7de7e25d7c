import HearthCrypto
import HearthPages
import HearthWire

/// A file of the console, as it is sent.
package struct ConsoleAsset: Sendable {
  package let contentType: String
  package let text: String

  /// The files of the console by their path below `web`.
  package static let all: [String: ConsoleAsset] = {
    var texts = WebFiles.all.filter { !$0.key.hasPrefix("style/") }
    texts["index.html"] = page
    return Dictionary(
      uniqueKeysWithValues: texts.map { name, text in
        (name, ConsoleAsset(contentType: contentType(of: name), text: text))
      })
  }()

  /// The page with its styles in it. It is painted with the first answer then, before the scripts are
  /// there; they are named at its end.
  private static let page = (WebFiles.all["index.html"] ?? "").replacing(
    "<style></style>", with: "<style>\(styles)</style>")

  private static let styles =
    HTML.designTokens
    + ["frame", "controls", "views"].compactMap { WebFiles.all["style/\($0).css"] }.joined()

  private static func contentType(of name: String) -> String {
    switch name.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    default: "application/octet-stream"
    }
  }

  /// What the console's pages may load: their own files and the styles in the page, and nothing from
  /// elsewhere.
  package static let contentSecurityPolicy: String = {
    let digest = Base64.encode(Digest.sha256.hash(Array(styles.utf8)))
    return "default-src 'none'; script-src 'self'; style-src 'sha256-\(digest)'; "
      + "img-src 'self' data:; connect-src 'self'; frame-src 'self'; base-uri 'none'; "
      + "form-action 'none'; frame-ancestors 'none'"
  }()
}

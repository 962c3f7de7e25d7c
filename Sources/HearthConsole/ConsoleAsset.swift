import HearthPages

/// A file of the console, as it is sent.
package struct ConsoleAsset: Sendable {
  package let contentType: String
  package let text: String

  /// The files of the console by their path below `web`, and the colours that all pages share.
  package static let all: [String: ConsoleAsset] = {
    var texts = WebFiles.all
    texts["style/tokens.css"] = HTML.designTokens
    return Dictionary(
      uniqueKeysWithValues: texts.map { name, text in
        (name, ConsoleAsset(contentType: contentType(of: name), text: text))
      })
  }()

  private static func contentType(of name: String) -> String {
    switch name.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    default: "application/octet-stream"
    }
  }

  /// What the console's pages may load: their own files, and nothing from elsewhere.
  package static let contentSecurityPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    + "connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; "
    + "frame-ancestors 'none'"
}

/// A file of the console, as it is sent.
package struct ConsoleAsset: Sendable {
  package let contentType: String
  package let text: String

  /// What the console's pages may load: their own files, and nothing from elsewhere.
  package static let contentSecurityPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    + "connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; "
    + "frame-ancestors 'none'"
}

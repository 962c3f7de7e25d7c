import HearthPages
import HearthWire

/// The HTML of ``AuthIframe``: it waits for the handler page's message and hands it to the SDK over
/// Google's frame library, which the SDK loads from the same place.
enum AuthIframePage {
  static func html(_ nonce: String) -> String {
    HTML.page(
      title: "Auth iframe",
      body: """
        <p id="error" class="problem" role="alert" hidden></p>
        <script nonce="\(nonce)">
        \(WebFiles.`auth-iframe.js`)</script>
        """)
  }

  /// Google's library loads parts of itself. Without `frame-ancestors`: apps frame this page.
  static func policy(_ nonce: String) -> String {
    "default-src 'none'; script-src 'nonce-\(nonce)' https://apis.google.com; "
      + "style-src 'unsafe-inline'; img-src data:; connect-src https://apis.google.com; "
      + "base-uri 'none'; form-action 'none'"
  }
}

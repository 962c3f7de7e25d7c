import HearthPages
import HearthQR
import HearthTLS
import HearthTime

/// The set-up page of phones, with the addresses filled in.
struct SetupPage {
  let app: SetupSnippets
  let url: String
  /// Nil where phones have nothing to trust.
  let authority: PhoneAuthority?

  var html: String {
    HTML.page(
      title: "Hearth for this phone",
      body: """
        <main>
        <h1>Hearth for this phone</h1>
        <p>This phone reaches Hearth. Auth is at <code>\(app.host):\(app.authPort)</code>, Firestore \
        at <code>\(app.host):\(app.firestorePort)</code>, \(app.isSecure ? "with" : "without") TLS. \
        Set these in a debug build.</p>
        \(authority.map(Self.trust) ?? "")
        \(app.sections.map { "<h2>\($0.title)</h2>\n<pre><code>\(HTML.escape($0.text))</code></pre>" }
        .joined(separator: "\n"))
        <h2>Open this page on another phone</h2>
        <p>\(QRCode(url)?.svg ?? "")</p>
        <p><a href="\(HTML.escape(url))">\(HTML.escape(url))</a></p>
        <p class="hint">Mailbox, faults, clock and console are for the machine that runs Hearth.</p>
        </main>
        """)
  }

  /// What the certificate is, and how a phone comes to trust it.
  private static func trust(_ authority: PhoneAuthority) -> String {
    let names = authority.names.map { "<code>\(HTML.escape($0))</code>" }.joined(separator: ", ")
    return """
      <h2>The certificate</h2>
      <p>Hearth made an authority of its own when it started. A phone that trusts it takes \
      certificates of Hearth for these names and addresses, and for no others: \(names). It ends at \
      \(authority.end.iso8601), and each start of Hearth makes another one. Its key was thrown away. \
      Remove it when you are done.</p>
      <p>Your browser has warned of this page, because it does not trust the authority yet. Compare \
      the SHA-256 fingerprint with the one in the terminal that runs Hearth:</p>
      <pre><code>\(authority.fingerprint)</code></pre>
      <p><a href="\(PhoneAuthority.profilePath)">Profile for iOS</a>, \
      <a href="\(PhoneAuthority.certificatePath)">certificate for Android</a></p>
      <p>iOS: open the profile and allow the download. Then, in Settings: General, VPN and Device \
      Management, install the profile. Then General, About, Certificate Trust Settings: switch the \
      certificate on.</p>
      <p>Android: in Settings, Security, choose to install a CA certificate, and choose the file. \
      Browsers trust it then; an app does in a debug build that says so, as below.</p>
      """
  }
}

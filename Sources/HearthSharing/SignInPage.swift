import HearthPages

/// The page that asks for a project's token, in place of the console and of the mailbox. It works
/// without scripts.
package enum SignInPage {
  package static let path = "/console/signIn"
  /// A browser has one: signing in to another project leaves the first.
  package static let cookie = "hearth-token"
  /// Without this, a browser does not say of which origin the form is.
  package static let headers =
    HTML.headers(
      policy: "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
        + "form-action 'self'; frame-ancestors 'none'"
    ).filter { $0.name != "Referrer-Policy" } + [("Referrer-Policy", "same-origin")]

  /// `target` is the page that the browser goes to afterwards.
  package static func html(to target: String, isWrong: Bool = false) -> String {
    HTML.card(
      app: "Hearth", title: "Sign in", heading: "This server is shared",
      state: isWrong ? .problem : .open,
      body: """
        <p>\(isWrong ? "No open project has this token." : "Enter the token of your project.")</p>
        <form method="post" action="\(path)">
        <input type="hidden" name="continue" value="\(HTML.escape(isOwn(target) ? target : home))">
        <label>Token
        <input type="password" name="token" required autofocus autocomplete="off"></label>
        <button type="submit">Sign in</button>
        </form>
        """)
  }

  package static let home = "/console/"

  /// Whether it is a page of this server, so that no link sends people elsewhere.
  package static func isOwn(_ target: String) -> Bool {
    (target.hasPrefix("/console/") || target.hasPrefix("/mailbox"))
      && target.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }
  }

  /// The token among cookies, as the header has them; nil for none, and where there are several.
  package static func token(inCookies header: String) -> String? {
    let tokens = header.split(separator: ";").compactMap { part -> Substring? in
      let pair = part.drop { $0 == " " }
      guard pair.hasPrefix(cookie + "=") else { return nil }
      return pair.dropFirst(cookie.count + 1)
    }
    return tokens.count == 1 ? tokens.first.map(String.init) : nil
  }

  /// `seconds` until the project ends.
  package static func setCookie(_ token: String, seconds: Int64, isSecure: Bool) -> String {
    "\(cookie)=\(token); Path=/; Max-Age=\(max(1, seconds)); HttpOnly; SameSite=Strict"
      + (isSecure ? "; Secure" : "")
  }
}

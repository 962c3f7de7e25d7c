package import HearthMailbox
package import HearthPages

/// What a browser sees after the link of a mail: complete pages that work without JavaScript.
package struct ActionPage: Sendable {
  package static let contentType = HTML.contentType

  package let language: Language
  /// The name of the app.
  let app: String
  /// The name of the account's owner.
  let name: String?
  /// Lets the one script of a page run.
  let nonce: String

  package init(
    in language: Language = .best(for: nil), app: String, name: String? = nil, nonce: String = ""
  ) {
    self.language = language
    self.app = app
    self.name = name
    self.nonce = nonce
  }

  /// To be sent with every page.
  ///
  /// Without `form-action`: browsers apply it to the redirect that follows the form, too, and
  /// the `continueUrl` may be anywhere.
  package var headers: [(name: String, value: String)] {
    HTML.headers(
      policy: "default-src 'none'; script-src 'nonce-\(nonce)'; style-src 'unsafe-inline'; "
        + "img-src data:; base-uri 'none'; frame-ancestors 'none'")
  }

  package var words: PageWords { language.pages }

  /// Says that it worked, and leads on: to an app, or to one of two places.
  package func done(
    _ notice: PageWords.Notice, email: String, onward: [OnwardAddress] = []
  ) -> String {
    card(
      notice.title, state: .done,
      body:
        "<p role=\"status\">\(filled(notice.message, slot: "email", value: email))</p>\(buttons(onward))"
    )
  }

  /// Says what is wrong, and what to do. `value` is what the message names.
  package func problem(
    _ notice: PageWords.Notice, state: PageState = .problem, naming value: String = ""
  ) -> String {
    let message = filled(notice.message, slot: "name", value: value)
    let kind = state == .warning ? "problem mild" : "problem"
    return card(
      notice.title, state: state, body: "<p class=\"\(kind)\" role=\"alert\">\(message)</p>")
  }

  /// Says that it failed, in the words of the server.
  package func failed(_ message: String) -> String {
    card(
      words.failed, state: .problem,
      body: "<p class=\"problem\" role=\"alert\" dir=\"ltr\">\(HTML.escape(message))</p>")
  }

  /// A link to sign in, which an app takes.
  package func signIn(to onward: [OnwardAddress]) -> String {
    card(
      words.signIn.title, state: .open,
      body: "<p>\(HTML.escape(words.signIn.message))</p>\(buttons(onward))")
  }

  private func buttons(_ addresses: [OnwardAddress]) -> String {
    addresses.enumerated().map { button($1, isFirst: $0 == 0) }.joined()
  }

  private func button(_ address: OnwardAddress, isFirst: Bool) -> String {
    switch address {
    case .web(let url):
      guard let target = HTML.linkTarget(url) else { return "" }
      let (style, label) =
        isFirst ? ("button", words.onward) : ("button quiet", words.continueInBrowser)
      return "\n<a class=\"\(style)\" href=\"\(target)\">\(HTML.escape(label))</a>"
    case .app(let url):
      guard let target = HTML.linkTarget(url) else { return "" }
      return """

        <a class="button" href="\(target)" aria-describedby="opens\(isFirst ? "" : "-too")">\
        \(HTML.escape(words.openInApp))</a>
        <p class="hint" id="opens\(isFirst ? "" : "-too")">\(filled(words.opensAddress, slot: "url", value: url))</p>
        """
    case .unsafe(let url):
      return
        "\n<p class=\"problem mild\">\(filled(words.unsafeAddress, slot: "url", value: url))</p>"
    }
  }

  private func card(_ heading: String, state: PageState, body: String) -> String {
    card(title: heading, heading: heading, state, body: body)
  }

  func card(
    title: String, heading: String, _ state: PageState, body: String, script: String = ""
  ) -> String {
    HTML.card(
      app: app, title: "\(title) – \(app)", heading: HTML.escape(heading), state: state,
      language: language.tag, isRightToLeft: language.isRightToLeft, body: body, script: script)
  }

  /// The words with a value in their slot, as HTML.
  func filled(_ words: String, slot: String, value: String) -> String {
    HTML.escape(words).replacing("{\(slot)}", with: HTML.isolated(value))
  }
}

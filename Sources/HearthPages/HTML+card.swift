/// How a page that says or asks one thing ended.
package enum PageState: String, Sendable {
  /// Something is to be filled in or chosen.
  case open
  case done, warning, problem

  fileprivate var mark: String {
    switch self {
    case .open: ""
    case .done: Self.mark("✓")
    case .warning, .problem: Self.mark("!")
    }
  }

  private static func mark(_ sign: String) -> String {
    "<p class=\"mark\" aria-hidden=\"true\">\(sign)</p>\n"
  }
}

extension HTML {
  /// The page of an app: a card with the name of the app, a mark that shows the state, a heading and
  /// what `body` has. `app` and `title` are plain text; the rest is HTML.
  package static func card(
    app: String, title: String, heading: String, state: PageState = .open, language: String = "en",
    isRightToLeft: Bool = false, head: String = "", body: String, script: String = ""
  ) -> String {
    page(
      title: title, language: language, isRightToLeft: isRightToLeft, head: head,
      body: """
        <main class="card" data-state="\(state.rawValue)">
        <p class="app"><bdi>\(escape(app))</bdi></p>
        \(state.mark)<h1>\(heading)</h1>
        \(body)
        </main>\(script)
        """)
  }

  /// A text of ours, whose `{name}` become values of others, each in its own direction.
  package static func filled(_ text: String, values: [String: String]) -> String {
    values.reduce(text) { $0.replacing("{\($1.key)}", with: isolated($1.value)) }
  }

  /// Text that keeps its own direction inside a text of another.
  package static func isolated(_ text: String) -> String { "<bdi>\(escape(text))</bdi>" }

  /// A script of the page's own, which the policy lets run by its nonce.
  package static func script(_ source: String, nonce: String) -> String {
    "\n<script nonce=\"\(nonce)\">\n\(source)</script>"
  }
}

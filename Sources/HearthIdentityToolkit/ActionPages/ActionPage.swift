import HearthPages

/// What a browser sees behind the link of a mail: complete pages that need no JavaScript.
package enum ActionPage {
  package static let contentType = HTML.contentType

  /// To be sent with every page.
  ///
  /// There is no `form-action`: browsers apply it to the redirect that follows the form, too, and
  /// the `continueUrl` may be anywhere.
  package static let headers = HTML.headers(
    policy: "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
      + "frame-ancestors 'none'")

  /// Asks for a new password, which is posted to the URL `action` as `newPassword`, together with
  /// the `hidden` fields. `problem` says why the last attempt was refused.
  package static func resetPasswordForm(
    email: String, action: String, hidden: [(name: String, value: String)],
    minimumLength: Int = 6, problem: String? = nil, in words: PageWords = .english
  ) -> String {
    let fields = hidden.map {
      "<input type=\"hidden\" name=\"\(HTML.escape($0.name))\" value=\"\(HTML.escape($0.value))\">"
    }
    let alert = problem.map {
      "<p class=\"problem\" id=\"problem\" role=\"alert\">\(HTML.escape($0))</p>\n"
    }
    let described = problem == nil ? "length" : "problem length"
    let invalid = problem == nil ? "" : " aria-invalid=\"true\""
    return page(
      title: problem == nil ? words.choosePassword : words.choosePasswordAgain,
      heading: words.choosePassword, in: words,
      body: """
        \(alert ?? "")<form method="post" action="\(HTML.escape(action))">
        \(fields.joined(separator: "\n"))
        <label for="email">\(words.email)</label>
        <input id="email" type="email" value="\(HTML.escape(email))" autocomplete="username" \
        readonly>
        <label for="new-password">\(words.newPassword)</label>
        <input id="new-password" name="newPassword" type="password" \
        autocomplete="new-password" minlength="\(minimumLength)" required autofocus \
        aria-describedby="\(described)"\(invalid)>
        <p class="hint" id="length">\(words.length(minimumLength))</p>
        <button type="submit">\(words.savePassword)</button>
        </form>
        """)
  }

  /// Says that it worked, and leads back to the app.
  package static func done(
    title: String, message: String, continueURL: String? = nil, in words: PageWords = .english
  ) -> String {
    let onward = continueURL.flatMap(HTML.linkTarget).map {
      "\n<p><a class=\"button\" href=\"\($0)\">\(words.onward)</a></p>"
    }
    return page(
      title: title, heading: title, in: words,
      body: "<p role=\"status\">\(HTML.escape(message))</p>\(onward ?? "")")
  }

  /// Says what is wrong, and what to do.
  package static func problem(
    title: String, message: String, in words: PageWords = .english
  ) -> String {
    page(
      title: title, heading: title, in: words,
      body: "<p class=\"problem\" role=\"alert\">\(HTML.escape(message))</p>")
  }

  private static func page(
    title: String, heading: String, in words: PageWords, body: String
  ) -> String {
    HTML.page(
      title: title, language: words.tag,
      body: """
        <main class="narrow">
        <h1>\(HTML.escape(heading))</h1>
        \(body)
        </main>
        """)
  }
}

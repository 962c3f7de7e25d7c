import HearthMailbox
import HearthPages

extension ActionPage {
  /// Asks for a new password, which is posted to the URL `action` as `newPassword`, together with
  /// the `hidden` fields. `refused` is the password of the last attempt: it is not shown, only
  /// judged. What is wrong with one is said by the server: a browser would say it in its own language,
  /// which may not be that of the page.
  package func resetPasswordForm(
    email: String, action: String, hidden: [(name: String, value: String)],
    rules: [PasswordRule], refused: String? = nil
  ) -> String {
    let fields = hidden.map {
      "<input type=\"hidden\" name=\"\(HTML.escape($0.name))\" value=\"\(HTML.escape($0.value))\">"
    }
    let person = name.map { "<p>\(HTML.isolated($0))</p>\n" } ?? ""
    let described = refused == nil ? "rules" : "problem rules"
    let invalid = refused == nil ? "" : " aria-invalid=\"true\""
    return card(
      title: refused == nil ? words.choosePassword : words.choosePasswordAgain,
      heading: words.choosePassword, .open,
      body: """
        \(refused == nil ? "" : alert)<form method="post" action="\(HTML.escape(action))" novalidate>
        \(fields.joined(separator: "\n"))
        \(person)<label for="email">\(HTML.escape(words.email))</label>
        <input id="email" type="email" value="\(HTML.escape(email))" dir="ltr" \
        autocomplete="username" readonly>
        <label for="new-password">\(HTML.escape(words.newPassword))</label>
        <input id="new-password" name="newPassword" type="password" dir="ltr" \
        autocomplete="new-password" minlength="\(minimumLength(rules))" required autofocus \
        spellcheck="false" autocapitalize="none" aria-describedby="\(described)"\(invalid)>
        <label class="check" hidden><input type="checkbox" id="show-password">\
        \(HTML.escape(words.showPassword))</label>
        \(list(rules, refused: refused))
        <button type="submit">\(HTML.escape(words.savePassword))</button>
        </form>
        """,
      script: HTML.script(WebFiles.`password.js`, nonce: nonce))
  }

  private var alert: String {
    """
    <p class="problem" id="problem" role="alert">\(HTML.escape(words.passwordRules.refused))</p>

    """
  }

  private func minimumLength(_ rules: [PasswordRule]) -> Int64 {
    for case .atLeast(let count) in rules { return count }
    return 1
  }

  /// The rules; the script marks them as the password grows, and says what is missing.
  private func list(_ rules: [PasswordRule], refused: String?) -> String {
    let wording = words.passwordRules
    let items = rules.map { rule in
      let state = refused.map { rule.isMet(by: $0) ? " data-is=\"met\"" : " data-is=\"missing\"" }
      return "<li \(attributes(rule))\(state ?? "")>\(HTML.escape(label(rule)))</li>"
    }
    return """
      <div id="rules"><p class="hint" id="rules-heading">\(HTML.escape(wording.heading))</p>
      <ul class="rules" role="list" aria-labelledby="rules-heading">
      \(items.joined(separator: "\n"))
      </ul></div>
      <p class="unseen" id="strength" role="status" data-missing="\(HTML.escape(wording.missing))" \
      data-met="\(HTML.escape(wording.met))" data-separator="\(HTML.escape(wording.separator))"></p>
      """
  }

  private func attributes(_ rule: PasswordRule) -> String {
    switch rule {
    case .atLeast(let count): "data-rule=\"atLeast\" data-value=\"\(count)\""
    case .atMost(let count): "data-rule=\"atMost\" data-value=\"\(count)\""
    case .lowercase: "data-rule=\"lowercase\""
    case .uppercase: "data-rule=\"uppercase\""
    case .digit: "data-rule=\"digit\""
    case .symbol: "data-rule=\"symbol\" data-value=\"\(HTML.escape(PasswordRule.symbols))\""
    }
  }

  private func label(_ rule: PasswordRule) -> String {
    let wording = words.passwordRules
    return switch rule {
    case .atLeast(let count): wording.atLeast.replacing("{count}", with: String(count))
    case .atMost(let count): wording.atMost.replacing("{count}", with: String(count))
    case .lowercase: wording.lowercase
    case .uppercase: wording.uppercase
    case .digit: wording.digit
    case .symbol: wording.symbol
    }
  }
}

import HearthPages
import HearthWire

/// The pages of a provider. They work without scripts; what begins with `data-` is for tests.
enum ProviderPage {
  private static let styles = """
    <style>
    .people { list-style: none; padding: 0; display: grid; gap: var(--space-4) }
    .people button, .other button { width: 100%; text-align: start }
    .people small { display: block; color: var(--soft) }
    </style>

    """

  private static func hidden(_ fields: [FormFields.Pair]) -> String {
    fields.map {
      "<input type=\"hidden\" name=\"\(HTML.escape($0.name))\" value=\"\(HTML.escape($0.value))\">"
    }.joined(separator: "\n")
  }

  private static func card(_ provider: String, heading: String, body: String) -> String {
    HTML.card(
      app: provider, title: heading, heading: HTML.escape(heading), head: styles, body: body)
  }

  /// Whom to sign in as.
  static func login(
    _ provider: String, client: String, personas: [Persona], fields: [FormFields.Pair],
    action: String
  ) -> String {
    let kept = fields.filter { !["persona", "consent", "factor"].contains($0.name) }
    let people = personas.map { persona in
      """
      <li><button name="persona" value="\(HTML.escape(persona.id))" data-testid="persona" \
      data-persona="\(HTML.escape(persona.id))">\(HTML.isolated(persona.displayName))\
      <small>\(HTML.isolated(persona.email ?? persona.id))</small></button></li>
      """
    }.joined(separator: "\n")
    return card(
      provider, heading: "Sign in with \(provider)",
      body: """
        <p class="hint">Hearth plays this provider. \(HTML.isolated(client)) asks who you are.</p>
        <form method="post" action="\(HTML.escape(action))">
        \(hidden(kept))
        <ul class="people" data-testid="personas">
        \(people)
        </ul>
        <button name="persona" value="" data-testid="cancel">Cancel</button>
        </form>
        """)
  }

  /// The code of somebody's second factor.
  static func secondFactor(
    _ provider: String, persona: Persona, isWrong: Bool, fields: [FormFields.Pair], action: String
  ) -> String {
    let kept = fields.filter { !["persona", "factor"].contains($0.name) }
    let refusal =
      isWrong
      ? "<p class=\"notice\" role=\"alert\" data-testid=\"wrong\">That is not the code.</p>" : ""
    return card(
      provider, heading: "Enter your code",
      body: """
        <p class="hint">\(HTML.isolated(persona.displayName)) has a second factor.</p>
        \(refusal)
        <form method="post" action="\(HTML.escape(action))">
        \(hidden(kept))
        <label for="factor">Code</label>
        <input id="factor" name="factor" data-testid="factor" inputmode="numeric" \
        autocomplete="one-time-code" required autofocus>
        <button name="persona" value="\(HTML.escape(persona.id))" data-testid="continue">Continue\
        </button>
        </form>
        """)
  }

  /// What the client may know.
  static func consent(
    _ provider: String, client: String, persona: Persona, scopes: [String],
    fields: [FormFields.Pair], action: String
  ) -> String {
    let kept = fields.filter { !["persona", "consent"].contains($0.name) }
    let items = scopes.map { "<li>\(HTML.isolated($0))</li>" }.joined(separator: "\n")
    return card(
      provider, heading: "\(client) wants access",
      body: """
        <p class="hint">\(HTML.isolated(persona.displayName)), the app gets:</p>
        <ul data-testid="scopes">
        \(items)
        </ul>
        <form method="post" action="\(HTML.escape(action))">
        \(hidden(kept))
        <input type="hidden" name="persona" value="\(HTML.escape(persona.id))">
        <button name="consent" value="yes" data-testid="allow">Allow</button>
        <button name="consent" value="no" data-testid="deny">Deny</button>
        </form>
        """)
  }

  /// Where somebody types the code of a device.
  static func activate(
    _ provider: String, code: String, personas: [Persona], action: String
  ) -> String {
    let people = personas.map { persona in
      """
      <li><button name="persona" value="\(HTML.escape(persona.id))" data-testid="persona">\
      \(HTML.isolated(persona.displayName))</button></li>
      """
    }.joined(separator: "\n")
    return card(
      provider, heading: "Connect a device",
      body: """
        <form method="post" action="\(HTML.escape(action))">
        <label for="code">Code</label>
        <input id="code" name="user_code" value="\(HTML.escape(code))" data-testid="user-code" \
        autocomplete="off" required>
        <ul class="people">
        \(people)
        </ul>
        <button name="persona" value="" data-testid="cancel">Refuse</button>
        </form>
        """)
  }

  static func notice(_ provider: String, heading: String, text: String) -> String {
    card(provider, heading: heading, body: "<p data-testid=\"notice\">\(HTML.isolated(text))</p>")
  }

  /// A form that sends itself: `response_mode=form_post`.
  static func post(_ fields: [FormFields.Pair], to address: String, nonce: String) -> String {
    HTML.page(
      title: "Signing in",
      body: """
        <main class="card">
        <form method="post" action="\(HTML.escape(address))" id="answer">
        \(hidden(fields))
        <button data-testid="continue">Continue</button>
        </form>
        </main>
        """
          + HTML.script("document.getElementById(\"answer\").submit();\n", nonce: nonce))
  }
}

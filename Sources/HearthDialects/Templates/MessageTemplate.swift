/// The words of a mail or text message.
struct MessageTemplate: Sendable {
  let purpose: DialectMessage.Purpose
  let channel: DialectMessage.Channel
  /// Empty for text messages.
  let subject: LocalText?
  let text: LocalText
  /// Made of the text when a definition gives none.
  let html: LocalText?
  let links: LinkTemplates?

  init(
    _ value: DefinitionValue, languages: LanguageRule, clients: [ClientRule]
  ) throws(DefinitionFault) {
    let object = try value.object(["for", "by", "subject", "text", "html", "link"])
    purpose = try object.required("for").choice(of: DialectMessage.Purpose.self)
    channel = try object["by"]?.choice(of: DialectMessage.Channel.self) ?? .mail
    let inLink = Self.placeholders(of: purpose)
    links = try object.optional("link") { value throws(DefinitionFault) in
      try LinkTemplates(value, allowed: inLink, clients: clients)
    }
    let allowed = links == nil ? inLink : inLink.union([.link])
    text = try LocalText(object.required("text"), languages: languages, allowed: allowed)
    switch channel {
    case .mail:
      subject = try LocalText(
        object.required("subject"), languages: languages,
        allowed: Placeholder.common.union(Placeholder.account))
      html = try object.optional("html") { value throws(DefinitionFault) in
        try LocalText(value, languages: languages, allowed: allowed)
      }
    case .sms:
      for name in ["subject", "html"] where object[name] != nil {
        throw object.missing(name, reason: "cannot be in a text message")
      }
      subject = nil
      html = nil
    }
    try requireSecret(object)
  }

  private static func placeholders(of purpose: DialectMessage.Purpose) -> Set<Placeholder> {
    let shared = Placeholder.common.union(Placeholder.account)
    return switch purpose {
    case .token: shared.union([.token, .lifetime, .minutes, .expiresAt])
    case .newPassword: shared.union([.newPassword])
    case .notice: shared
    }
  }

  /// A message is of no use to a client that does not find in it what it was sent for.
  private func requireSecret(_ object: DefinitionObject) throws(DefinitionFault) {
    for (name, body) in [("text", text), ("html", html)] {
      guard let body else { continue }
      switch purpose {
      case .token:
        let hasLink = body.uses(.link) && links?.carriesToken == true
        guard body.uses(.token) || hasLink else {
          throw object.missing(name, reason: "must have {token}, or {link} with a link that has it")
        }
      case .newPassword:
        guard body.uses(.newPassword) else {
          throw object.missing(name, reason: "must have {newPassword}")
        }
      case .notice: break
      }
    }
  }
}

package import HearthMime
package import HearthWire

/// The providers whose APIs are understood.
package enum MailProvider: String, Sendable, CaseIterable {
  case resend, sendgrid, postmark, mailgun, ses
}

/// A mail that came over a provider's API.
package struct ProviderMail: Sendable {
  package enum Content: Sendable {
    case draft(MimeDraft)
    /// RFC 5322 text that the app wrote itself.
    case raw([UInt8])
  }

  /// What a provider's test address stands for.
  package enum Fate: String, Sendable {
    case bounced, complained, dropped
  }

  package let provider: MailProvider
  /// The key of the request. It may be the id of a project.
  package let key: String
  /// The project that the request names in a header.
  package let project: String?
  package var content: Content
  package var sender: String
  package var recipients: [String]
  package var tags: [String] = []
  package var metadata = JSONObject()
  /// Nil when the mail is delivered.
  package var fate: Fate?

  init(
    _ provider: MailProvider, call: MailCall, key: String, draft: MimeDraft, bcc: [MimeAddress]
  ) {
    self.provider = provider
    self.key = key
    project = call.projectHeader
    content = .draft(draft)
    sender = draft.from.address
    recipients = (draft.to + draft.cc + bcc).map(\.address)
    fate = TestAddresses.fate(of: recipients)
  }

  init(
    _ provider: MailProvider, call: MailCall, key: String, raw: [UInt8], sender: String,
    recipients: [String]
  ) {
    self.provider = provider
    self.key = key
    project = call.projectHeader
    content = .raw(raw)
    self.sender = sender
    self.recipients = recipients
    fate = TestAddresses.fate(of: recipients)
  }
}

/// The addresses with which the providers let apps test bounces.
enum TestAddresses {
  static func fate(of recipients: [String]) -> ProviderMail.Fate? {
    recipients.lazy.compactMap(fate).first
  }

  private static func fate(_ address: String) -> ProviderMail.Fate? {
    let address = address.lowercased()
    guard let at = address.lastIndex(of: "@") else { return nil }
    let domain = address[address.index(after: at)...]
    guard let names = names[String(domain)] else { return nil }
    let local = address[..<at].prefix { $0 != "+" }.replacing("_", with: "")
    return names[String(local)]
  }

  private static let names: [String: [String: ProviderMail.Fate]] = [
    "resend.dev": ["bounced": .bounced, "complained": .complained, "suppressed": .dropped],
    "simulator.amazonses.com": [
      "bounce": .bounced, "complaint": .complained, "suppressionlist": .bounced,
    ],
    "bounce-testing.postmarkapp.com": [
      "hardbounce": .bounced, "softbounce": .bounced, "blocked": .bounced,
      "spamcomplaint": .complained,
    ],
  ]
}

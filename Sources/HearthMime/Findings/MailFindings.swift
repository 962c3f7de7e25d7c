/// What a test wants out of a mail that it knows nothing else about: its code and its link.
package struct MailFindings: Sendable {
  /// What the mail is for.
  package enum Kind: String, Sendable {
    case reset, verify, magic, otp, none
  }

  package var kind: Kind = .none
  /// The code that a person would type in. Nil when the mail has none.
  package var code: String?
  /// All candidates for the code, the likeliest first.
  package var codes: [String] = []
  /// The link that a person would follow. Nil when the mail has none.
  package var link: String?
  /// All links, in the order of the mail.
  package var links: [String] = []
  /// The secret within ``link``.
  package var linkToken: String?
  /// How long code and link are valid after the mail, in seconds, if the mail says so.
  package var expiresIn: Int?

  package init() {}
}

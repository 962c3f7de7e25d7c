/// What a test wants out of a mail that it knows nothing else about: its code and its link.
package struct MailFindings: Sendable {
  /// What the mail is for.
  package enum Kind: String, Sendable {
    case reset, verify, magic, otp, none
  }

  /// A code or link that was looked at, and how likely it is the one that the mail is about.
  package struct Candidate: Sendable, Equatable {
    package enum Subject: String, Sendable { case code, link }

    package var subject: Subject
    package var value: String
    package var score: Double
    /// What the score comes from, in words.
    package var reason: String

    package init(_ subject: Subject, value: String, score: Double, reason: String) {
      self.subject = subject
      self.value = value
      self.score = score
      self.reason = reason
    }
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
  /// Codes and links that were considered, the likeliest first.
  package var candidates: [Candidate] = []

  package init() {}
}

/// How a session behaves, and what it allows.
package struct SmtpOptions: Sendable {
  /// Whether STARTTLS is offered. Clients that find it offered use it, and most of them refuse a
  /// certificate that they do not trust: a port for all clients must not offer it.
  package var offersTLS = false
  /// The name that the server gives itself.
  package var host = "localhost"
  /// The largest mail in bytes, which EHLO announces as `SIZE` (RFC 1870).
  package var message = 25 << 20
  /// Bytes of a command.
  package var command = 2048
  /// Bytes of a line that answers a prompt of AUTH, as RFC 4954 has it.
  package var response = 12_288
  /// Recipients of one mail. RFC 5321 has a server take 100 at least.
  package var recipients = 1000
  /// Lines that are not commands, after which the connection ends.
  package var mistakes = 20
  /// How long a client may make no progress: each line is some. RFC 5321, section 4.5.3.2.7, asks for
  /// five minutes at least.
  package var idleTime = Duration.seconds(5 * 60)
  /// How long a client may take for its first line, which the standard gives no time.
  package var greetingTime = Duration.seconds(30)
  /// How long a client may make no progress while nearly all places are taken.
  package var crowdedTime = Duration.seconds(10)
  /// How long a mail may take after `DATA`, however small the pieces are that it comes in.
  package var mailTime = Duration.seconds(10 * 60)
  /// How long a connection may last, even where each of its commands comes in time.
  package var sessionTime = Duration.seconds(60 * 60)

  package init() {}
}

/// A step of the conversation, at which a test can have the server fail.
package enum SmtpStage: String, Sendable, CaseIterable {
  case connect, ehlo, starttls, auth, mail, rcpt, data, end
}

/// A mail that a client has sent to its end.
///
/// It is the envelope: the addresses of MAIL and RCPT, which need not be those in the header.
package struct SmtpMail: Sendable, Equatable {
  /// Empty for a mail about a mail, which has no one to answer to.
  package let sender: String
  package let recipients: [String]
  /// The name that the client logged in with.
  package let user: String?
  /// The mail itself, with the line ends as they came, and without the dots of the transfer.
  package let data: [UInt8]
}

/// What the server says: a code, and one line or several.
///
/// The first word of most lines is an enhanced status code (RFC 3463), since EHLO announces
/// ENHANCEDSTATUSCODES (RFC 2034). Its class is the first digit of the reply's code.
package struct SmtpReply: Sendable, Equatable {
  package let code: Int
  /// At least one, without codes and without line ends.
  package let lines: [String]

  package init(_ code: Int, lines: String...) { self.init(code, lines: lines) }

  init(_ code: Int, lines: [String]) {
    self.code = code
    self.lines = lines
  }

  /// A refusal with a text from outside, which cannot end the line.
  ///
  /// Control characters are left out. A text that has no enhanced status code gets one of the
  /// code's class.
  package init(refusing code: Int, text: String) {
    let printable = text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }
    let words = String(String.UnicodeScalarView(printable))
    let hasClass = words.wholeMatch(of: /[245]\.\d{1,3}\.\d{1,3}( .*)?/) != nil
    self.init(code, lines: hasClass ? words : "\(code / 100).0.0 \(words)")
  }

  /// As it is sent. Some clients take what one read gives for the whole reply, so it is one piece.
  package var bytes: [UInt8] {
    var text = ""
    for (index, line) in lines.enumerated() {
      text += "\(code)\(index == lines.count - 1 ? " " : "-")\(line)\r\n"
    }
    return Array(text.utf8)
  }
}

extension SmtpReply {
  static let ok = SmtpReply(250, lines: "2.0.0 Ok")
  static let senderOk = SmtpReply(250, lines: "2.1.0 Ok")
  static let recipientOk = SmtpReply(250, lines: "2.1.5 Ok")
  static let bye = SmtpReply(221, lines: "2.0.0 Bye")
  static let authenticated = SmtpReply(235, lines: "2.7.0 Authentication successful")
  static let sendData = SmtpReply(354, lines: "End data with <CR><LF>.<CR><LF>")
  static let cannotVerify = SmtpReply(252, lines: "2.1.5 Send some mail to find out")
  /// The commands that can be given now.
  static func help(withTLS: Bool) -> SmtpReply {
    let secure = withTLS ? " STARTTLS" : ""
    return SmtpReply(
      214, lines: "2.0.0 EHLO HELO MAIL RCPT DATA RSET NOOP QUIT AUTH\(secure) VRFY HELP")
  }
  static let readyForTLS = SmtpReply(220, lines: "2.0.0 Ready to start TLS")

  // After 421 the server closes the connection (RFC 5321, section 3.8).
  static let idle = SmtpReply(421, lines: "4.4.2 Idle for too long")
  static let mailTooSlow = SmtpReply(421, lines: "4.4.2 The mail takes too long")
  static let sessionTooLong = SmtpReply(421, lines: "4.4.2 The connection takes too long")
  static let stopping = SmtpReply(421, lines: "4.3.2 The server stops")
  static let tooManyErrors = SmtpReply(421, lines: "4.7.0 Too many errors")
  package static let tooManySessions = SmtpReply(421, lines: "4.7.0 Too many connections")
  static let noStorage = SmtpReply(
    452, lines: "4.3.1 Too much mail is being received; try again later")
  static let tooManyRecipients = SmtpReply(452, lines: "4.5.3 Too many recipients")
  static let noTLS = SmtpReply(454, lines: "4.7.0 TLS is not available")

  static let lineTooLong = SmtpReply(500, lines: "5.5.2 Line too long")
  static let unknownCommand = SmtpReply(500, lines: "5.5.2 Command not recognized")
  /// For a client that begins TLS with its first byte, as on port 465.
  static let needsNoTLS = SmtpReply(500, lines: "5.5.1 This port does not begin with TLS")
  static let badSyntax = SmtpReply(501, lines: "5.5.4 Syntax error in the parameters")
  static let badBase64 = SmtpReply(501, lines: "5.5.2 Cannot decode the response")
  static let cancelled = SmtpReply(501, lines: "5.7.0 Authentication cancelled")
  static let notOffered = SmtpReply(502, lines: "5.5.1 Command not offered here")
  static let badSequence = SmtpReply(503, lines: "5.5.1 Bad sequence of commands")
  static let unknownMechanism = SmtpReply(504, lines: "5.5.4 Unrecognized authentication type")
  static let tooLarge = SmtpReply(552, lines: "5.3.4 Message too large")
  static let badAddress = SmtpReply(553, lines: "5.1.3 Bad address")
  static let noRecipients = SmtpReply(554, lines: "5.5.1 No valid recipients")

  static func queued(_ id: String) -> SmtpReply {
    SmtpReply(250, lines: "2.0.0 Ok: queued as \(id)")
  }
  static func notKept(_ reason: String) -> SmtpReply {
    SmtpReply(refusing: 451, text: "4.3.0 \(reason)")
  }
}

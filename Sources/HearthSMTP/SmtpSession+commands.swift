/// What commands do, and how what takes time ends.
extension SmtpSession {
  /// Answers a command, or asks whether it is to fail; its effect comes in `checked`.
  mutating func perform(_ command: SmtpCommand) {
    if let refusal = refusal(of: command) { return reply(refusal) }
    switch command {
    case .hello(let name, _): ask(.check(.ehlo, address: name), waitingFor: .check(command))
    case .mail(let address, _): ask(.check(.mail, address: address), waitingFor: .check(command))
    case .recipient(let address):
      ask(.check(.rcpt, address: address), waitingFor: .check(command))
    case .data: ask(.check(.data, address: sender), waitingFor: .check(command))
    case .startTLS: ask(.check(.starttls, address: nil), waitingFor: .check(command))
    case .authenticate(let mechanism, let initial): authenticate(mechanism, initial: initial)
    case .reset:
      resetTransaction()
      reply(.ok)
    case .noOperation: reply(.ok)
    case .verify: reply(.cannotVerify)
    case .help: reply(.help(withTLS: options.offersTLS && !isSecure))
    case .expand: reply(.notOffered)
    case .quit:
      reply(.bye)
      close()
    case .http: close()
    case .malformed(let refusal): mistake(refusal)
    case .unknown: mistake(.unknownCommand)
    }
  }

  /// Why a command cannot be carried out now.
  ///
  /// It is decided before faults are asked: a fault is for commands that would succeed.
  private func refusal(of command: SmtpCommand) -> SmtpReply? {
    switch command {
    case .mail where sender != nil: .badSequence
    // RFC 1870 lets a server refuse the announced size, so that the client need not send the mail.
    case .mail(_, let size?) where size > options.message: .tooLarge
    case .recipient where sender == nil: .badSequence
    case .recipient where recipients.count >= options.recipients: .tooManyRecipients
    case .data where sender == nil: .badSequence
    case .data where recipients.isEmpty: .noRecipients
    case .startTLS where !options.offersTLS: .notOffered
    case .startTLS where isSecure: .badSequence
    // RFC 4954, section 4: AUTH is valid once in a session, and not within a mail.
    case .authenticate where user != nil || sender != nil: .badSequence
    default: nil
    }
  }

  private mutating func authenticate(_ name: String, initial: String?) {
    guard let mechanism = SmtpAuthentication.Mechanism(rawValue: name) else {
      return mistake(.unknownMechanism)
    }
    var authentication = SmtpAuthentication(mechanism, challenge: challenge)
    let step = authentication.begin(initial)
    phase = .authenticating(authentication)
    take(step)
  }

  mutating func take(_ step: SmtpAuthentication.Step) {
    switch step {
    case .prompt(let text): reply(SmtpReply(334, lines: text))
    case .user(let user):
      ask(.check(.auth, address: user), waitingFor: .authenticationCheck(user: user))
    case .failed(let refusal):
      phase = .commands
      mistake(refusal)
    }
  }

  /// How the stage that was to be checked goes on.
  ///
  /// Without effect unless the session waits: the connection may have ended in the meantime.
  package mutating func checked(_ verdict: Verdict) {
    guard case .waiting(let wait) = phase else { return }
    switch verdict {
    case .goesOn: break
    case .lost where wait == .check(.startTLS): return close()
    case .lost: lose()
    case .dropped: return close()
    case .refused(let refusal):
      reply(refusal)
      if wait == .endCheck { resetTransaction() }
      phase = .commands
      // After 421 the server closes the connection, as it does when it has refused the greeting.
      if refusal.code == 421 || wait == .connectCheck { close() }
      return settle()
    }
    phase = .commands
    switch wait {
    case .connectCheck: reply(SmtpReply(220, lines: "\(options.host) ESMTP Hearth"))
    case .check(let command): carryOut(command)
    case .authenticationCheck(let user):
      self.user = user
      reply(.authenticated)
    case .endCheck:
      let mail = SmtpMail(
        sender: sender ?? "", recipients: recipients, user: user, data: data.bytes)
      ask(.keep(mail), waitingFor: .storage)
    case .tls, .handshake, .storage: break
    }
    if case .waiting = phase { return }
    settle()
  }

  private mutating func carryOut(_ command: SmtpCommand) {
    switch command {
    case .hello(_, let isExtended):
      resetTransaction()
      reply(isExtended ? extensions : SmtpReply(250, lines: options.host))
    case .mail(let address, _):
      sender = address
      reply(.senderOk)
    case .recipient(let address):
      if !recipients.contains(address) { recipients.append(address) }
      reply(.recipientOk)
    case .data:
      data = SmtpData(limit: options.message)
      reply(.sendData)
      phase = .data
    case .startTLS: ask(.prepareTLS, waitingFor: .tls)
    default: break
    }
  }

  private var extensions: SmtpReply {
    let mechanisms = SmtpAuthentication.Mechanism.allCases.map(\.rawValue).joined(separator: " ")
    var lines = [
      options.host, "SIZE \(options.message)", "8BITMIME", "SMTPUTF8", "PIPELINING",
      "ENHANCEDSTATUSCODES", "AUTH \(mechanisms)",
    ]
    // RFC 3207 has a server leave it out once TLS is active.
    if options.offersTLS, !isSecure { lines.insert("STARTTLS", at: 5) }
    return SmtpReply(250, lines: lines)
  }

  /// Whether TLS can begin.
  package mutating func tlsIsReady(_ isReady: Bool) {
    guard phase == .waiting(.tls) else { return }
    guard isReady else {
      reply(.noTLS)
      phase = .commands
      return settle()
    }
    reply(.readyForTLS)
    // Before the handshake: whatever was pipelined after STARTTLS is not trusted.
    discardInput()
    ask(.beginTLS, waitingFor: .handshake)
  }

  /// The handshake has succeeded. What was said before does not count (RFC 3207, section 4.2): the
  /// client greets and logs in again.
  package mutating func tlsBegan() {
    guard phase == .waiting(.handshake) else { return }
    isSecure = true
    user = nil
    discardInput()
    resetTransaction()
    phase = .commands
    settle()
  }

  /// What became of the mail that was to be kept.
  ///
  /// The acknowledgement is written only here, so a mail with a reply 250 is in the store.
  package mutating func kept(_ result: Result<String, SmtpRefusal>) {
    guard phase == .waiting(.storage) else { return }
    switch result {
    case .success(let id): finish(.queued(id))
    case .failure(let refusal): finish(.notKept(refusal.reason))
    }
  }
}

/// Why a mail was not kept.
package struct SmtpRefusal: Error, Equatable {
  let reason: String

  package init(_ reason: String) { self.reason = reason }
}

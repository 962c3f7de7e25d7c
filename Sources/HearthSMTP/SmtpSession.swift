/// The server's side of an SMTP connection. It decides what to do; the owner of the socket does it.
///
/// Bytes go in by `received`, and `next` gives one action after the other until it is nil: then
/// more bytes are needed, or the outcome of an action that takes time.
///
/// A value without a socket, a clock or a mailbox. Its owner holds it on one thread, tells it of
/// time that has passed, and calls `next` after each change. It holds at most one mail of
/// ``SmtpOptions/message`` bytes, and of other input what was read at once beyond a line.
package struct SmtpSession: Sendable {
  package enum Action: Sendable, Equatable {
    case reply(SmtpReply)
    /// Find out whether the stage is to fail; goes on with `checked`. The address is the sender's,
    /// the recipient's or the user's name.
    case check(SmtpStage, address: String?)
    /// Get ready for TLS; goes on with `tlsIsReady`, then with `tlsBegan`.
    case prepareTLS
    /// TLS begins after what has been written.
    case beginTLS
    /// Keep the mail; goes on with `kept`.
    case keep(SmtpMail)
    case close
  }

  /// How a stage that was checked goes on.
  package enum Verdict: Sendable, Equatable {
    case goesOn
    case refused(SmtpReply)
    /// The connection ends at once. The command has no effect and no reply.
    case dropped
    /// The command takes effect, and then the connection ends without a reply.
    case lost
  }

  // One command is under way at a time. With PIPELINING (RFC 2920) the next ones may be in `input`
  // already; they stay there until the phase is `commands` again.
  enum Phase: Equatable {
    case commands
    case authenticating(SmtpAuthentication)
    case data
    case waiting(Wait)
    case closed
  }

  /// What is waited for, and what it was about.
  enum Wait: Equatable {
    case connectCheck
    case check(SmtpCommand)
    case authenticationCheck(user: String)
    case endCheck
    case tls
    case handshake
    case storage
  }

  let options: SmtpOptions
  let challenge: String
  var phase = Phase.waiting(.connectCheck)
  /// Bytes that were received. Those before `position` are used up, and go when more come.
  private var input: [UInt8] = []
  private var position = 0
  /// Whether the rest of a line that is too long is thrown away up to its end.
  private var isSkippingLine = false
  /// What the owner is still to do, first things first.
  private var actions: [Action] = []
  private var mistakes = 0
  private var lines = 0
  /// The connection ends after what happens now, without a reply.
  private var isLost = false
  /// What the connection ends with after what is under way.
  private var farewell: SmtpReply?
  var isSecure = false
  /// Nil before AUTH, and again after STARTTLS.
  var user: String?
  /// The sender of the mail that is being made; nil where MAIL has not come. Empty for a bounce.
  var sender: String?
  var recipients: [String] = []
  /// Empty with a limit of 0 outside of the phase `data` and what follows it.
  var data = SmtpData(limit: 0)

  /// The challenge is for CRAM-MD5; it looks like an address in brackets.
  package init(_ options: SmtpOptions, challenge: String) {
    self.options = options
    self.challenge = challenge
    actions = [.check(.connect, address: nil)]
  }

  /// Whether the client should be read on. While the server is at work, it should not.
  package var mayRead: Bool {
    switch phase {
    case .commands, .authenticating, .data, .waiting(.handshake): true
    case .waiting, .closed: false
    }
  }

  /// Changes with each line of the client, and with each KiB of a mail, but not with each byte.
  package var progress: Int { lines + data.bytes.count >> 10 }

  /// Whether a line has come from the client, as the first thing that clients do.
  package var hasSpoken: Bool { lines > 0 }

  /// Whether a mail is being received.
  package var isReceivingMail: Bool { phase == .data }

  /// The name that the client logged in with.
  package var userName: String? { user }

  /// Bytes of the mail that is being received.
  package var messageBytes: Int { data.bytes.count }
}

// What comes.
extension SmtpSession {
  /// Takes bytes of the client, after TLS. Call `next` afterwards.
  package mutating func received(_ bytes: some Sequence<UInt8>) {
    guard phase != .closed else { return }
    if position == input.count {
      input = Array(bytes)
    } else {
      input.removeFirst(position)
      input.append(contentsOf: bytes)
    }
    position = 0
  }

  /// The next thing to do; nil until more bytes or an outcome have come.
  package mutating func next() -> Action? {
    while true {
      if !actions.isEmpty { return actions.removeFirst() }
      switch phase {
      case .waiting, .closed: return nil
      case .data:
        guard takeData() else { return nil }
      case .commands:
        if let line = takeLine(upTo: options.command) {
          perform(SmtpCommand(line))
        } else if actions.isEmpty {
          return nil
        }
      case .authenticating(var authentication):
        if let line = takeLine(upTo: options.response) {
          let step = authentication.received(line)
          phase = .authenticating(authentication)
          take(step)
        } else if actions.isEmpty {
          return nil
        }
      }
    }
  }

  /// A line without its end: CRLF, or LF alone. Nil when it has not come yet.
  ///
  /// LF alone ends a command, which telnet and scripts send. Within a mail it does not: see
  /// ``SmtpData``.
  private mutating func takeLine(upTo limit: Int) -> String? {
    guard isSkippingLine || isSecure || !beginsWithTLS else {
      reply(.needsNoTLS)
      close()
      return nil
    }
    guard let end = input[position...].firstIndex(of: UInt8(ascii: "\n")) else {
      // Nothing of a line that is too long is kept, so a client without line ends holds no memory.
      if input.count - position > limit || isSkippingLine { skipLine(to: input.count) }
      return nil
    }
    guard end - position <= limit, !isSkippingLine else {
      skipLine(to: end + 1)
      isSkippingLine = false
      guard phase != .closed else { return nil }
      // It ends an exchange of AUTH, too.
      phase = .commands
      mistake(.lineTooLong)
      return nil
    }
    var line = input[position..<end]
    if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
    position = end + 1
    lines += 1
    return String(decoding: line, as: UTF8.self)
  }

  private mutating func skipLine(to end: Int) {
    let verb = input[position...].prefix { $0 != UInt8(ascii: " ") }.prefix(16)
    if !isSkippingLine, SmtpCommand.isHTTP(String(decoding: verb, as: UTF8.self)) {
      return close()
    }
    isSkippingLine = true
    position = end
  }

  /// The first bytes of a handshake; no command begins like that.
  private var beginsWithTLS: Bool {
    input.count - position >= 2 && input[position] == 0x16 && input[position + 1] == 0x03
  }

  /// Whether the mail is there to its end.
  private mutating func takeData() -> Bool {
    let (count, isEnd) = data.append(input[position...])
    position += count
    // A client that goes on sending for ever is not waited for.
    if data.dropped > options.message * 2 {
      reply(.tooLarge)
      close()
      return true
    }
    guard isEnd else { return false }
    if data.isRefused {
      finish(.noStorage)
    } else if data.dropped > 0 {
      finish(.tooLarge)
    } else {
      phase = .waiting(.endCheck)
      actions.append(.check(.end, address: sender))
    }
    return true
  }

  /// The mail that is being received does not fit into memory.
  package mutating func refuseMessage() { data.refuse() }

  /// Nothing came for too long.
  ///
  /// Work of the server is not the client's silence, so nothing happens while it lasts.
  package mutating func timedOut() {
    switch phase {
    case .waiting(.handshake): close()
    case .waiting, .closed: break
    case .commands, .authenticating, .data:
      reply(.idle)
      close()
    }
  }

  /// The mail that is being received takes too long, whatever has come of it.
  package mutating func mailTimedOut() {
    guard phase == .data else { return }
    reply(.mailTooSlow)
    close()
  }

  /// The connection has lasted too long: it ends after what is under way.
  package mutating func sessionTimedOut() { end(.sessionTooLong) }

  /// The server stops: the connection ends after what is under way.
  package mutating func stop() { end(.stopping) }

  private mutating func end(_ reply: SmtpReply) {
    farewell = reply
    switch phase {
    case .waiting(.handshake): close()
    case .waiting: break
    case .commands, .authenticating, .data, .closed: sayFarewell()
    }
  }

  private mutating func sayFarewell() {
    guard let farewell, phase != .closed else { return }
    reply(farewell)
    close()
  }
}

// What is said.
extension SmtpSession {
  mutating func reply(_ reply: SmtpReply) {
    if !isLost { actions.append(.reply(reply)) }
  }

  /// Ends the mail or the command, and goes on with the next one.
  mutating func finish(_ last: SmtpReply?) {
    if let last { reply(last) }
    resetTransaction()
    phase = .commands
    settle()
  }

  mutating func settle() {
    if isLost { close() }
    sayFarewell()
  }

  /// Nothing is read or answered after it. The mail that was being received is gone.
  mutating func close() {
    guard phase != .closed else { return }
    phase = .closed
    input = []
    position = 0
    resetTransaction()
    actions.append(.close)
  }

  mutating func resetTransaction() {
    sender = nil
    recipients = []
    data = SmtpData(limit: 0)
  }

  /// What was sent without TLS does not count after it, and is not read either: somebody between
  /// the two could have written it.
  mutating func discardInput() {
    input = []
    position = 0
    isSkippingLine = false
  }

  /// Answers a line that is not a valid command. A client of another protocol sends many of them:
  /// the connection ends after ``SmtpOptions/mistakes``.
  mutating func mistake(_ refusal: SmtpReply) {
    mistakes += 1
    guard mistakes <= options.mistakes else {
      reply(.tooManyErrors)
      return close()
    }
    reply(refusal)
  }

  mutating func ask(_ action: Action, waitingFor wait: Wait) {
    phase = .waiting(wait)
    actions.append(action)
  }

  mutating func lose() { isLost = true }
}

import HearthSMTP

/// A session, and what a client hears of it. Checks pass unless a test has an opinion.
struct Conversation {
  var session: SmtpSession
  /// The verdicts on stages; those that are not here pass.
  var verdicts: [SmtpStage: SmtpSession.Verdict] = [:]
  /// What was asked.
  var checks: [String] = []
  var mails: [SmtpMail] = []
  var isClosed = false
  var beganTLS = 0
  /// What becomes of mails.
  var result: Result<String, SmtpRefusal> = .success("7")

  init(_ change: (inout SmtpOptions) -> Void = { _ in }) {
    var options = SmtpOptions()
    change(&options)
    session = SmtpSession(options, challenge: "<1@localhost>")
  }

  /// Sends the text and gives what the server says.
  mutating func say(_ text: String) -> String { say(Array(text.utf8)) }

  mutating func say(_ bytes: [UInt8]) -> String {
    session.received(bytes)
    return listen()
  }

  mutating func listen() -> String {
    var heard = ""
    while let action = session.next() {
      switch action {
      case .reply(let reply): heard += String(decoding: reply.bytes, as: UTF8.self)
      case .check(let stage, let address):
        checks.append("\(stage.rawValue) \(address ?? "-")")
        session.checked(verdicts[stage] ?? .goesOn)
      case .prepareTLS: session.tlsIsReady(true)
      case .beginTLS:
        beganTLS += 1
        session.tlsBegan()
      case .keep(let mail):
        mails.append(mail)
        session.kept(result)
      case .close: isClosed = true
      }
    }
    return heard
  }

  /// The codes of the replies to the text.
  mutating func codes(_ text: String) -> [Int] {
    say(text).split(separator: "\r\n").filter { $0.dropFirst(3).first == " " }
      .compactMap { Int($0.prefix(3)) }
  }
}

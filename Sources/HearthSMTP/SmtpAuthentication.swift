import HearthWire

/// The exchange that `AUTH` begins. Every password is right; the user name counts.
/// A value inside of the session. It holds no password: what a client sends as one is not looked
/// at.
struct SmtpAuthentication: Equatable {
  /// The mechanisms that are offered. CRAM-MD5 is among them for clients that prefer it. XOAUTH2 is
  /// what clients of Gmail and of Outlook use, with an access token.
  enum Mechanism: String, CaseIterable {
    case plain = "PLAIN"
    case login = "LOGIN"
    case cramMD5 = "CRAM-MD5"
    case xoauth2 = "XOAUTH2"
  }

  /// What a line of the client leads to.
  enum Step: Equatable {
    /// Ask for more, in base64.
    case prompt(String)
    case user(String)
    case failed(SmtpReply)
  }

  let mechanism: Mechanism
  /// What the digest of CRAM-MD5 would be made of.
  let challenge: String
  /// The user name of LOGIN, when the password is still to come.
  private var user: String?

  init(_ mechanism: Mechanism, challenge: String) {
    self.mechanism = mechanism
    self.challenge = challenge
  }

  /// The initial response is what came in the line of the command; `=` stands for an empty one.
  mutating func begin(_ initial: String?) -> Step {
    // The client of CRAM-MD5 can say nothing before it has the challenge, so an initial response is
    // not read.
    if let initial, mechanism != .cramMD5 { return received(initial == "=" ? "" : initial) }
    switch mechanism {
    case .plain, .xoauth2: return .prompt("")
    case .login: return .prompt(Self.encoded("Username:"))
    case .cramMD5: return .prompt(Self.encoded(challenge))
    }
  }

  /// Takes a line of the client that is not a command, in base64.
  ///
  /// A single `*` is how a client ends the exchange (RFC 4954, section 4).
  mutating func received(_ line: String) -> Step {
    if line == "*" { return .failed(.cancelled) }
    guard let bytes = Base64.decode(line.filter { $0 != " " }) else { return .failed(.badBase64) }
    switch mechanism {
    case .plain: return plain(bytes)
    case .login:
      if let user { return .user(user) }
      user = Self.text(bytes)
      return .prompt(Self.encoded("Password:"))
    case .cramMD5:
      // The user name may contain blanks; the digest after it does not.
      let text = Self.text(bytes)
      guard let blank = text.lastIndex(of: " ") else { return .failed(.badBase64) }
      return .user(String(text[..<blank]))
    case .xoauth2:
      // `user=NAME`, the character U+0001, `auth=Bearer TOKEN`, and U+0001 twice. A client that
      // leaves out `user=` is taken at its word.
      let field = bytes.split(separator: 1).first ?? []
      let text = Self.text(Array(field))
      return .user(text.hasPrefix("user=") ? String(text.dropFirst(5)) : text)
    }
  }

  /// An identity to act as, which may be empty, the user and the password, with NUL between them.
  private func plain(_ bytes: [UInt8]) -> Step {
    // An empty identity is the usual case, so empty parts count.
    let parts = bytes.split(separator: 0, omittingEmptySubsequences: false)
    guard parts.count == 3 else { return .failed(.badBase64) }
    return .user(Self.text(Array(parts[1])))
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  private static func encoded(_ text: String) -> String { Base64.encode(Array(text.utf8)) }
}

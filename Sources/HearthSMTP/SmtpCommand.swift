/// A line that a client sent, read leniently: words in any case, blanks in odd places, addresses
/// without a domain or without brackets.
enum SmtpCommand: Equatable {
  case hello(String, isExtended: Bool)
  /// The address is empty for `<>`, the sender of a bounce. The size is what the client announces
  /// with `SIZE=` (RFC 1870), in bytes; nil where it does not.
  case mail(String, size: Int?)
  case recipient(String)
  case data
  case reset
  case noOperation
  case quit
  /// The mechanism is in upper case. `initial` is the response that came in the same line, still in
  /// base64.
  case authenticate(mechanism: String, initial: String?)
  case startTLS
  case verify
  case expand
  case help
  /// A web page made its browser talk to this port.
  case http
  case malformed(SmtpReply)
  case unknown

  init(_ line: String) {
    let verb = line.prefix { $0 != " " && $0 != "\t" }
    let rest = line.dropFirst(verb.count).trimmed
    switch verb.uppercased() {
    case "EHLO": self = .hello(String(rest), isExtended: true)
    case "HELO": self = .hello(String(rest), isExtended: false)
    case "MAIL": self = Self.path(rest, after: "FROM").map(Self.mail) ?? .malformed(.badSyntax)
    case "RCPT": self = Self.path(rest, after: "TO").map(Self.recipient) ?? .malformed(.badSyntax)
    case "DATA": self = .data
    case "RSET": self = .reset
    case "NOOP": self = .noOperation
    case "QUIT": self = .quit
    case "AUTH": self = Self.authenticate(rest)
    case "STARTTLS": self = .startTLS
    case "VRFY": self = .verify
    case "EXPN": self = .expand
    case "HELP": self = .help
    case let word where Self.isHTTP(word): self = .http
    default: self = .unknown
    }
  }

  /// Whether a line begins as a request of HTTP does, or is its header `Host`.
  static func isHTTP(_ verb: String) -> Bool {
    [
      "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "CONNECT", "TRACE", "PRI",
      "HOST:",
    ].contains(verb.uppercased())
  }

  private static func authenticate(_ rest: Substring) -> SmtpCommand {
    let words = rest.split(separator: " ", maxSplits: 1)
    guard let mechanism = words.first else { return .malformed(.badSyntax) }
    return .authenticate(
      mechanism: mechanism.uppercased(),
      initial: words.count > 1 ? String(words[1].trimmed) : nil)
  }

  private static func mail(_ address: String, parameters: Substring) -> SmtpCommand {
    var size: Int?
    for parameter in parameters.split(separator: " ") {
      let parts = parameter.split(separator: "=", maxSplits: 1)
      guard parts.first?.uppercased() == "SIZE", parts.count > 1 else { continue }
      guard parts[1].allSatisfy({ ("0"..."9").contains($0) }) else { return .malformed(.badSyntax) }
      // Digits that no number holds are a size that is too large.
      size = Int(parts[1]) ?? .max
    }
    return address.isUsable ? .mail(address, size: size) : .malformed(.badAddress)
  }

  private static func recipient(_ address: String, _: Substring) -> SmtpCommand {
    // RFC 5321 allows an empty path in MAIL only.
    address.isUsable && !address.isEmpty ? .recipient(address) : .malformed(.badAddress)
  }

  /// The address after `FROM:` or `TO:`, and what follows it.
  private static func path(
    _ text: Substring, after word: String
  ) -> (address: String, rest: Substring)? {
    guard let colon = text.firstIndex(of: ":"), text[..<colon].trimmed.uppercased() == word else {
      return nil
    }
    let path = text[text.index(after: colon)...].trimmed
    guard path.first == "<" else {
      let address = path.prefix { $0 != " " && $0 != "\t" }
      return address.isEmpty ? nil : (String(address), path.dropFirst(address.count))
    }
    guard let end = closingBracket(of: path) else { return nil }
    var address = path[path.index(after: path.startIndex)..<end].trimmed
    // A route in front of the address, `<@one,@two:user@host>`. RFC 5321 has servers ignore it.
    if address.first == "@", let route = address.firstIndex(of: ":") {
      address = address[address.index(after: route)...]
    }
    return (String(address), path[path.index(after: end)...])
  }

  /// The bracket that ends the path, which a quoted local part may contain too.
  private static func closingBracket(of path: Substring) -> Substring.Index? {
    var isQuoted = false
    var isEscaped = false
    for index in path.indices {
      let character = path[index]
      if isEscaped {
        isEscaped = false
      } else if isQuoted, character == "\\" {
        isEscaped = true
      } else if character == "\"" {
        isQuoted.toggle()
      } else if character == ">", !isQuoted {
        return index
      }
    }
    // A quotation mark that is not closed is part of the address.
    return isQuoted ? path.lastIndex(of: ">") : nil
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    var text = self
    while text.first == " " || text.first == "\t" { text.removeFirst() }
    while text.last == " " || text.last == "\t" { text.removeLast() }
    return text
  }
}

extension String {
  /// Whether it can stand in a header and in a command without ending either.
  fileprivate var isUsable: Bool {
    unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
  }
}

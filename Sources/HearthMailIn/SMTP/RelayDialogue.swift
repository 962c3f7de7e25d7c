import HearthWire
package import NIOCore
package import NIOSSL
import NIOTLS

package /// Why a mail was not forwarded: the server's refusal, or an error.
  struct RelayFailure: Error, CustomStringConvertible
{
  package let description: String

  init(_ description: String) { self.description = description }
}

/// The client's side of SMTP for one mail, as RFC 5321 has it.
///
/// It lives within one connection, in the task that runs ``send(_:)``, and waits for each reply
/// before it sends on: PIPELINING is of no use for one mail. The time of the whole is bounded by
/// its caller.
package struct RelayDialogue {
  /// Lines of the server without their ends.
  package var replies: NIOAsyncChannelInboundStream<String>.AsyncIterator
  package let output: NIOAsyncChannelOutboundWriter<ByteBuffer>
  package let channel: any Channel
  package let address: RelayAddress
  /// Nil where the address asks for no TLS.
  package let tls: NIOSSLContext?
  /// Keywords of the last answer to EHLO, in upper case.
  private var offers: Set<String> = []
  /// What the server offers for AUTH, in upper case.
  private var mechanisms: Set<String> = []
  private var isSecure = false

  package init(
    replies: NIOAsyncChannelInboundStream<String>.AsyncIterator,
    output: NIOAsyncChannelOutboundWriter<ByteBuffer>, channel: any Channel,
    address: RelayAddress, tls: NIOSSLContext?
  ) {
    self.replies = replies
    self.output = output
    self.channel = channel
    self.address = address
    self.tls = tls
    isSecure = address.security == .tls
  }

  /// - Returns: the recipients that were refused, with the server's words; not all of them.
  /// Sends the mail and ends the conversation.
  ///
  /// - Throws: ``RelayFailure`` with the first line of a refusal, and errors of the connection.
  package mutating func send(_ mail: RelayedMail) async throws -> [(
    recipient: String, reply: String
  )] {
    try await expect("220")
    try await greet()
    if let tls, !isSecure, offers.contains("STARTTLS") { try await beginTLS(tls) }
    if let credentials = address.credentials { try await logIn(credentials) }
    // RFC 6152: a mail with bytes above 0x7F is announced as such. To a server without 8BITMIME it
    // is sent unchanged.
    let body = offers.contains("8BITMIME") && !mail.isSevenBit ? " BODY=8BITMIME" : ""
    try await say("MAIL FROM:<\(mail.sender)>\(body)", expecting: "250")
    var refused: [(recipient: String, reply: String)] = []
    for recipient in mail.recipients {
      do {
        // 250, and 251 where the server forwards the mail.
        try await say("RCPT TO:<\(recipient)>", expecting: "25")
      } catch let failure as RelayFailure {
        refused.append((recipient, failure.description))
        // One recipient is enough for the mail to be sent.
        guard refused.count < mail.recipients.count else { throw failure }
      }
    }
    try await say("DATA", expecting: "354")
    try await output.write(ByteBuffer(bytes: mail.stuffed))
    try await expect("250")
    // The mail is the server's by now (RFC 5321, section 6.1), so nobody waits for the reply.
    try await output.write(ByteBuffer(string: "QUIT\r\n"))
    return refused
  }

  private mutating func greet() async throws {
    // What the server offers before TLS does not hold after it (RFC 3207, section 4.2).
    offers = []
    mechanisms = []
    for line in try await say("EHLO localhost", expecting: "250").dropFirst() {
      // Some old servers write `AUTH=LOGIN`.
      let words = line.uppercased().split { $0 == " " || $0 == "=" }.map(String.init)
      guard let name = words.first else { continue }
      offers.insert(name)
      if name == "AUTH" { mechanisms.formUnion(words.dropFirst()) }
    }
  }

  private mutating func beginTLS(_ tls: NIOSSLContext) async throws {
    try await say("STARTTLS", expecting: "220")
    let (channel, host) = (channel, address.host)
    try await channel.eventLoop.submit {
      try channel.pipeline.syncOperations.addHandler(HandshakeMark(), position: .first)
      try Self.addTLS(tls, host: host, to: channel)
    }.get()
    // A reply that came with the first one, in clear, would count as one under TLS.
    guard try await replies.next() == HandshakeMark.line else {
      throw RelayFailure("it sent more than the answer to STARTTLS before TLS")
    }
    isSecure = true
    // What came before TLS may be from an attacker.
    try await greet()
  }

  /// Puts TLS before all other handlers. Must be called on the channel's loop. The certificate has
  /// to be for the host.
  static func addTLS(_ tls: NIOSSLContext, host: String, to channel: any Channel) throws {
    // The name of the server in the handshake is never an address (RFC 6066, section 3).
    let isName = (try? SocketAddress(ipAddress: host, port: 0)) == nil
    let handler = try NIOSSLClientHandler(context: tls, serverHostname: isName ? host : nil)
    try channel.pipeline.syncOperations.addHandler(handler, position: .first)
  }

  private mutating func logIn(_ credentials: RelayAddress.Credentials) async throws {
    guard isSecure || address.isLoopback else {
      throw RelayFailure("it offers no TLS, and the password would be readable on its way")
    }
    do {
      // PLAIN is tried too where the server says nothing of AUTH.
      if mechanisms.contains("PLAIN") || !mechanisms.contains("LOGIN") {
        let response = "\0\(credentials.user)\0\(credentials.password)"
        try await say("AUTH PLAIN \(Self.encoded(response))", expecting: "235")
      } else {
        try await say("AUTH LOGIN", expecting: "334")
        try await say(Self.encoded(credentials.user), expecting: "334")
        try await say(Self.encoded(credentials.password), expecting: "235")
      }
    } catch let failure as RelayFailure {
      // Only the code, because the text of a server may repeat what it was sent.
      throw RelayFailure("it refused the user name and password: \(failure.description.prefix(3))")
    }
  }

  private static func encoded(_ text: String) -> String { Base64.encode(Array(text.utf8)) }

  /// Whether the addresses need no SMTPUTF8 (RFC 6531), and cannot end a command.
  package static func canSay(_ mail: RelayedMail) -> Bool {
    ([mail.sender] + mail.recipients).allSatisfy { address in
      address.utf8.allSatisfy {
        $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ">")
      }
    }
  }

  @discardableResult
  private mutating func say(_ line: String, expecting code: String) async throws -> [String] {
    try await output.write(ByteBuffer(string: line + "\r\n"))
    return try await expect(code)
  }

  /// Reads a reply to its last line: `250-…` goes on, `250 …` ends (RFC 5321, section 4.2.1). Gives
  /// the lines without codes.
  @discardableResult
  private mutating func expect(_ code: String) async throws -> [String] {
    var lines: [String] = []
    while let line = try await replies.next() {
      // A server could keep the conversation going for ever.
      guard lines.count < 100 else { throw RelayFailure("an endless reply") }
      lines.append(line)
      guard line.dropFirst(3).first != "-" else { continue }
      // Only at the end: the rest of a refusal must not be taken for the next reply.
      if let refusal = lines.first(where: { !$0.hasPrefix(code) }) { throw RelayFailure(refusal) }
      return lines.map { String($0.dropFirst(4)) }
    }
    throw RelayFailure("the connection was closed")
  }
}

/// Writes a line that no server can send between what comes in clear and what comes under TLS. It is
/// after the handler of TLS.
private final class HandshakeMark: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  static let line = "\0TLS"

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case .handshakeCompleted? = event as? TLSUserEvent {
      context.fireChannelRead(wrapInboundOut(ByteBuffer(string: Self.line + "\r\n")))
      context.fireChannelReadComplete()
    }
    context.fireUserInboundEventTriggered(event)
  }
}

extension RelayedMail {
  fileprivate var isSevenBit: Bool { content.allSatisfy { $0 < 0x80 } }

  /// With CRLF at the end of each line, whatever there was: a server might take a dot after another
  /// end for the end of the mail. A line that begins with a dot gets another one (RFC 5321, section
  /// 4.5.2).
  fileprivate var stuffed: [UInt8] {
    let (cr, lf, dot) = (UInt8(ascii: "\r"), UInt8(ascii: "\n"), UInt8(ascii: "."))
    var output: [UInt8] = []
    output.reserveCapacity(content.count + content.count / 32 + 5)
    var isStart = true
    var last: UInt8 = 0
    for byte in content {
      defer { last = byte }
      if byte == cr || byte == lf {
        if byte == lf, last == cr { continue }
        output.append(cr)
        output.append(lf)
        isStart = true
      } else {
        if isStart, byte == dot { output.append(dot) }
        output.append(byte)
        isStart = false
      }
    }
    if !isStart { output += [cr, lf] }
    return output + [dot, cr, lf]
  }
}

/// Cuts what arrives into lines of text, without their ends. Bytes of an unfinished line are kept
/// up to a bound.
struct LineDecoder: ByteToMessageDecoder {
  typealias InboundOut = String
  /// Bytes of a line. RFC 5321 has replies of 512 at most; servers are not that strict.
  private static let longest = 8192

  mutating func decode(
    context: ChannelHandlerContext, buffer: inout ByteBuffer
  ) throws -> DecodingState {
    let bytes = buffer.readableBytesView
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else {
      if bytes.count > Self.longest { throw RelayFailure("an endless line") }
      return .needMoreData
    }
    let length = end - bytes.startIndex
    let line = buffer.readString(length: length) ?? ""
    buffer.moveReaderIndex(forwardBy: 1)
    context.fireChannelRead(wrapInboundOut(line.hasSuffix("\r") ? String(line.dropLast()) : line))
    return .continue
  }
}

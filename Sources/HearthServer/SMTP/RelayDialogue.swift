import HearthWire
import NIOCore
import NIOSSL

/// Why a mail was not forwarded: the server's refusal, or an error.
struct RelayFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// The client's side of SMTP: one mail, as RFC 5321 has it.
struct RelayDialogue {
  var replies: NIOAsyncChannelInboundStream<String>.AsyncIterator
  let output: NIOAsyncChannelOutboundWriter<ByteBuffer>
  let channel: any Channel
  let address: RelayAddress
  let tls: NIOSSLContext?
  private var offers: Set<String> = []
  private var mechanisms: Set<String> = []
  private var isSecure = false

  init(
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
  mutating func send(_ mail: RelayedMail) async throws -> [(recipient: String, reply: String)] {
    try await expect("220")
    try await greet()
    if let tls, !isSecure, offers.contains("STARTTLS") { try await beginTLS(tls) }
    if let credentials = address.credentials { try await logIn(credentials) }
    let body = offers.contains("8BITMIME") && !mail.isSevenBit ? " BODY=8BITMIME" : ""
    try await say("MAIL FROM:<\(mail.sender)>\(body)", expecting: "250")
    var refused: [(recipient: String, reply: String)] = []
    for recipient in mail.recipients {
      do {
        try await say("RCPT TO:<\(recipient)>", expecting: "25")
      } catch let failure as RelayFailure {
        refused.append((recipient, failure.description))
        guard refused.count < mail.recipients.count else { throw failure }
      }
    }
    try await say("DATA", expecting: "354")
    try await output.write(ByteBuffer(bytes: mail.stuffed))
    try await expect("250")
    try await output.write(ByteBuffer(string: "QUIT\r\n"))
    return refused
  }

  private mutating func greet() async throws {
    offers = []
    mechanisms = []
    for line in try await say("EHLO localhost", expecting: "250").dropFirst() {
      let words = line.uppercased().split { $0 == " " || $0 == "=" }.map(String.init)
      guard let name = words.first else { continue }
      offers.insert(name)
      if name == "AUTH" { mechanisms.formUnion(words.dropFirst()) }
    }
  }

  private mutating func beginTLS(_ tls: NIOSSLContext) async throws {
    try await say("STARTTLS", expecting: "220")
    let (channel, host) = (channel, address.host)
    try await channel.eventLoop.submit { try Self.addTLS(tls, host, to: channel) }.get()
    isSecure = true
    // What came before TLS may be from an attacker.
    try await greet()
  }

  /// On the channel's loop. The certificate has to be for the host.
  static func addTLS(_ tls: NIOSSLContext, _ host: String, to channel: any Channel) throws {
    let isName = (try? SocketAddress(ipAddress: host, port: 0)) == nil
    let handler = try NIOSSLClientHandler(context: tls, serverHostname: isName ? host : nil)
    try channel.pipeline.syncOperations.addHandler(handler, position: .first)
  }

  private mutating func logIn(_ credentials: RelayAddress.Credentials) async throws {
    guard isSecure || address.isLoopback else {
      throw RelayFailure("it offers no TLS, and the password would be readable on its way")
    }
    do {
      if mechanisms.contains("PLAIN") || !mechanisms.contains("LOGIN") {
        let response = "\0\(credentials.user)\0\(credentials.password)"
        try await say("AUTH PLAIN \(Self.encoded(response))", expecting: "235")
      } else {
        try await say("AUTH LOGIN", expecting: "334")
        try await say(Self.encoded(credentials.user), expecting: "334")
        try await say(Self.encoded(credentials.password), expecting: "235")
      }
    } catch let failure as RelayFailure {
      throw RelayFailure("it refused the user name and password: \(failure.description.prefix(3))")
    }
  }

  private static func encoded(_ text: String) -> String { Base64.encode(Array(text.utf8)) }

  /// Whether the addresses need no extension of SMTP, and cannot end a command.
  static func canSay(_ mail: RelayedMail) -> Bool {
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

  /// Reads a reply to its last line: `250-…` goes on, `250 …` ends. Gives the lines without codes.
  @discardableResult
  private mutating func expect(_ code: String) async throws -> [String] {
    var lines: [String] = []
    while let line = try await replies.next() {
      guard line.hasPrefix(code) else { throw RelayFailure(line) }
      guard lines.count < 100 else { throw RelayFailure("an endless reply") }
      lines.append(String(line.dropFirst(4)))
      if line.dropFirst(3).first != "-" { return lines }
    }
    throw RelayFailure("the connection was closed")
  }
}

extension RelayedMail {
  fileprivate var isSevenBit: Bool { content.allSatisfy { $0 < 0x80 } }

  /// With CRLF at the end of each line, whatever there was: a server might take a dot after another
  /// end for the end of the mail. A line that begins with a dot gets another one.
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

/// Lines of text, however they arrive.
struct LineDecoder: ByteToMessageDecoder {
  typealias InboundOut = String
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

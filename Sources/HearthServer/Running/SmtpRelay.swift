import HearthErrors
import HearthMailbox
import HearthOperations
import HearthSQLite
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// Hands every captured mail on to a real mail server, which may be down: nobody waits for it.
struct SmtpRelay: Sendable {
  let host: String
  let port: Int
  let store: Store
  let server: ServerFacts
  let logger: Logger

  /// - Throws: ``ConfigurationError`` when this is not a `host:port`.
  init(
    _ address: String, _ store: Store, _ server: ServerFacts, _ logger: Logger
  ) throws(ConfigurationError) {
    guard let (host, port) = Configuration.hostAndPort(address) else {
      throw ConfigurationError(address, in: "--smtp-relay", expected: "host:port")
    }
    self.host = host
    self.port = port
    self.store = store
    self.server = server
    self.logger = logger
  }

  /// Relays until the server stops. A mail that cannot be handed on is tried again, twice.
  ///
  /// Changes only wake it: a burst may be longer than their buffer, but every mail is in the store.
  func run() async {
    let changes = server.changes.stream()
    var last =
      (try? store.transaction { transaction throws(APIError) in
        try transaction.newestMessageID()
      }) ?? 0
    for await change in changes.cancelOnGracefulShutdown() {
      guard case .messageCaptured = change else { continue }
      let mails =
        (try? store.transaction { transaction throws(APIError) in
          try transaction.messages(after: last)
        }) ?? []
      for mail in mails {
        last = mail.id
        if mail.type != TextMessage.type, mail.isSent { await relay(mail) }
      }
    }
  }

  private func relay(_ mail: Message) async {
    guard SmtpDialogue.canSay(mail.sender), SmtpDialogue.canSay(mail.recipient) else {
      logger.warning("Mail \(mail.id) was not relayed: its address needs SMTPUTF8")
      return
    }
    for attempt in 1...3 {
      do {
        return try await deliver(mail)
      } catch {
        if Task.isCancelled || Task.isShuttingDownGracefully { return }
        logger.warning("Mail \(mail.id) was not relayed to \(host):\(port): \(error)")
        if attempt < 3 { try? await Task.sleep(for: .milliseconds(200 * attempt)) }
      }
    }
  }

  private func deliver(_ message: Message) async throws {
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connectTimeout(.seconds(5))
      .connect(host: host, port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(ByteToMessageHandler(LineDecoder()))
          return try NIOAsyncChannel<String, ByteBuffer>(wrappingChannelSynchronously: channel)
        }
      }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await channel.executeThenClose { input, output in
          var dialogue = SmtpDialogue(replies: input.makeAsyncIterator(), output: output)
          try await dialogue.send(message)
        }
      }
      group.addTask {
        try await Task.sleep(for: .seconds(20))
        throw SmtpFailure(reply: "no answer within 20 seconds")
      }
      defer { group.cancelAll() }
      try await group.next()
    }
  }
}

/// What the mail server said instead of yes.
private struct SmtpFailure: Error, CustomStringConvertible {
  let reply: String
  var description: String { reply }
}

/// One mail, as RFC 5321 has it.
private struct SmtpDialogue {
  var replies: NIOAsyncChannelInboundStream<String>.AsyncIterator
  let output: NIOAsyncChannelOutboundWriter<ByteBuffer>

  mutating func send(_ message: Message) async throws {
    try await expect("220")
    try await say("EHLO localhost", expecting: "250")
    try await say("MAIL FROM:<\(message.sender)>", expecting: "250")
    try await say("RCPT TO:<\(message.recipient)>", expecting: "25")
    try await say("DATA", expecting: "354")
    // A line that begins with a dot gets another one.
    var data = message.mime.split(separator: "\r\n", omittingEmptySubsequences: false)
      .map { $0.hasPrefix(".") ? "." + $0 : String($0) }.joined(separator: "\r\n")
    if !data.hasSuffix("\r\n") { data += "\r\n" }
    try await say(data + ".", expecting: "250")
    try await output.write(ByteBuffer(string: "QUIT\r\n"))
  }

  /// Whether an address needs no extension of SMTP, and cannot end the command.
  static func canSay(_ address: String) -> Bool {
    address.utf8.allSatisfy {
      $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ">")
    }
  }

  private mutating func say(_ line: String, expecting code: String) async throws {
    try await output.write(ByteBuffer(string: line + "\r\n"))
    try await expect(code)
  }

  /// Reads a reply to its last line: `250-…` goes on, `250 …` ends.
  private mutating func expect(_ code: String) async throws {
    while let line = try await replies.next() {
      guard line.hasPrefix(code) else { throw SmtpFailure(reply: line) }
      if line.dropFirst(3).first != "-" { return }
    }
    throw SmtpFailure(reply: "the connection was closed")
  }
}

/// Lines of text, however they arrive.
private struct LineDecoder: ByteToMessageDecoder {
  typealias InboundOut = String
  private static let longest = 8192

  mutating func decode(
    context: ChannelHandlerContext, buffer: inout ByteBuffer
  ) throws -> DecodingState {
    let bytes = buffer.readableBytesView
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else {
      if bytes.count > Self.longest { throw SmtpFailure(reply: "an endless line") }
      return .needMoreData
    }
    let length = end - bytes.startIndex
    let line = buffer.readString(length: length) ?? ""
    buffer.moveReaderIndex(forwardBy: 1)
    context.fireChannelRead(wrapInboundOut(line.hasSuffix("\r") ? String(line.dropLast()) : line))
    return .continue
  }
}

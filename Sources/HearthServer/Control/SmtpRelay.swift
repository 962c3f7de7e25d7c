import HearthCore
import HearthStore
import Logging
import Mailbox
import NIOCore
import NIOPosix

/// Hands every captured mail on to a real mail server, which may be down: nobody waits for it.
struct SmtpRelay: Sendable {
  let host: String
  let port: Int
  let store: Store
  let server: ServerFacts
  let logger: Logger

  /// - Throws: ``ConfigurationError`` when this is no `host:port`.
  init(
    _ address: String, _ store: Store, _ server: ServerFacts, _ logger: Logger
  ) throws(ConfigurationError) {
    let parts = address.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, let port = UInt16(parts[1]), port > 0 else {
      throw ConfigurationError(address, in: "--smtp-relay", expected: "host:port")
    }
    host = String(parts[0])
    self.port = Int(port)
    self.store = store
    self.server = server
    self.logger = logger
  }

  /// Relays until it is cancelled. A mail that cannot be handed on is tried again, twice.
  func run() async {
    for await change in store.changes.stream() {
      guard case .messageCaptured(let project, let id) = change,
        let message = try? message(id, of: project), message.type != TextMessage.type
      else { continue }
      for attempt in 1...3 {
        do {
          try await deliver(message)
          break
        } catch {
          if Task.isCancelled { return }
          logger.warning("Mail \(id) was not relayed to \(host):\(port): \(error)")
          if attempt < 3 { try? await Task.sleep(for: .milliseconds(200 * attempt)) }
        }
      }
    }
  }

  private func message(_ id: Int64, of project: String) throws(APIError) -> Message? {
    try store.transaction { transaction throws(APIError) in
      try ProjectTransaction(transaction, projectId: project, tenantId: nil, server: server)
        .message(id)
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
    try await say("MAIL FROM:<\(Self.path(message.sender))>", expecting: "250")
    try await say("RCPT TO:<\(Self.path(message.recipient))>", expecting: "25")
    try await say("DATA", expecting: "354")
    // A line that begins with a dot gets another one.
    var data = message.mime.split(separator: "\r\n", omittingEmptySubsequences: false)
      .map { $0.hasPrefix(".") ? "." + $0 : String($0) }.joined(separator: "\r\n")
    if !data.hasSuffix("\r\n") { data += "\r\n" }
    try await say(data + ".", expecting: "250")
    try await output.write(ByteBuffer(string: "QUIT\r\n"))
  }

  /// Nothing that could end the command.
  private static func path(_ address: String) -> String {
    address.filter { $0.isASCII && !$0.isWhitespace && !"<>\r\n".contains($0) }
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

import HearthOperations
import HearthSMTP
import HearthSQLite
import HearthTLS
import HearthTestSupport
import Logging
import NIOCore
import NIOEmbedded
import Testing

@testable import HearthServer

/// The time of the loop passes as the test says.
@Suite struct `The time of a connection of SMTP` {
  private static let envelope = "EHLO x\r\nMAIL FROM:<a@x.test>\r\nRCPT TO:<b@x.test>\r\nDATA\r\n"

  private static func connection() throws -> EmbeddedChannel {
    let clock = ManualClock()
    let server = ServerFacts(clock: clock)
    let intake = MailIntake(
      store: try Store(migrations: []), server: server,
      faults: MailFaults(faults: Faults(), clock: clock))
    let service = SmtpService(
      intake: intake,
      certificates: ServerCertificates(dataDirectory: nil, names: [], clock: clock),
      logger: Logger(label: "test"))
    let channel = EmbeddedChannel(handler: SmtpConnectionHandler(service, SmtpOptions()))
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    return channel
  }

  private static func codes(_ channel: EmbeddedChannel) throws -> [String] {
    var text = ""
    while let buffer = try channel.readOutbound(as: ByteBuffer.self) {
      text += String(buffer: buffer)
    }
    return text.split(separator: "\r\n").filter { $0.dropFirst(3).first == " " }
      .map { String($0.prefix(3)) }
  }

  @Test func `ends a mail that comes byte by byte`() throws {
    let channel = try Self.connection()
    try channel.writeInbound(ByteBuffer(string: Self.envelope))
    for _ in 1...10 {
      #expect(channel.isActive)
      try channel.writeInbound(ByteBuffer(string: "x"))
      channel.embeddedEventLoop.advanceTime(by: .minutes(1))
    }
    #expect(try Self.codes(channel) == ["220", "250", "250", "250", "354", "421"])
    #expect(!channel.isActive)
  }

  @Test func `ends a connection that says something again and again`() throws {
    let channel = try Self.connection()
    for _ in 1...15 {
      #expect(channel.isActive)
      try channel.writeInbound(ByteBuffer(string: "NOOP\r\n"))
      channel.embeddedEventLoop.advanceTime(by: .minutes(4))
    }
    #expect(try Self.codes(channel).last == "421")
    #expect(!channel.isActive)
  }
}

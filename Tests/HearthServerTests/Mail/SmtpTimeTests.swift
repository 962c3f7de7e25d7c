import HearthOperations
import HearthSMTP
import HearthSQLite
import HearthTLS
import HearthTestSupport
import Logging
import NIOCore
import NIOEmbedded
import Testing

@testable import HearthMailIn
@testable import HearthObservation
@testable import HearthServer
@testable import HearthTransport

/// The time of the loop passes as the test says.
@Suite struct `The time of a connection of SMTP` {
  private static let envelope = "EHLO x\r\nMAIL FROM:<a@x.test>\r\nRCPT TO:<b@x.test>\r\nDATA\r\n"

  private static func connection(besides others: Int = 0) throws -> EmbeddedChannel {
    let clock = ManualClock()
    let server = ServerFacts(clock: clock)
    let intake = MailIntake(
      store: try Store(migrations: []), server: server,
      faults: MailFaults(faults: Faults(.ofServer), clock: clock), projectIds: { _ in [] })
    let service = SmtpService(
      intake: intake,
      certificates: ServerCertificates(dataDirectory: nil, names: [], clock: clock),
      logger: Logger(label: "test"))
    let places = service.sessions.reserve(others)
    let channel = EmbeddedChannel(handler: SmtpConnectionHandler(service, options: SmtpOptions()))
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    channel.closeFuture.whenComplete { _ in withExtendedLifetime(places) {} }
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

  @Test func `ends a mail that comes bit by bit`() throws {
    let channel = try Self.connection()
    try channel.writeInbound(ByteBuffer(string: Self.envelope))
    for _ in 1...10 {
      #expect(channel.isActive)
      try channel.writeInbound(ByteBuffer(repeating: UInt8(ascii: "x"), count: 1024))
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

  @Test(arguments: ["", "E"]) func `ends a connection that never sends a line`(
    bytes: String
  ) throws {
    let channel = try Self.connection()
    for _ in 1...9 {
      channel.embeddedEventLoop.advanceTime(by: .seconds(3))
      #expect(channel.isActive)
      try channel.writeInbound(ByteBuffer(string: bytes))
    }
    channel.embeddedEventLoop.advanceTime(by: .seconds(5))
    #expect(try Self.codes(channel) == ["220", "421"])
    #expect(!channel.isActive)
  }

  @Test(arguments: [(0, true), (160, false)])
  func `ends a client that does nothing sooner where others wait`(
    others: Int, stays: Bool
  ) throws {
    let channel = try Self.connection(besides: others)
    try channel.writeInbound(ByteBuffer(string: "EHLO x\r\n"))
    for _ in 1...5 {
      channel.embeddedEventLoop.advanceTime(by: .seconds(5))
      try channel.writeInbound(ByteBuffer(string: "NOOP\r\n"))
    }
    #expect(channel.isActive)
    channel.embeddedEventLoop.advanceTime(by: .seconds(15))
    #expect(channel.isActive == stays)
  }
}

import Foundation
import NIOCore
import NIOEmbedded
import Testing

@testable import HearthServer
@testable import HearthTransport

/// A port when the process has no file left.
@Suite struct `A port` {
  /// Counts the reads that get through.
  private final class Reads: ChannelOutboundHandler {
    typealias OutboundIn = Never

    var count = 0

    func read(context: ChannelHandlerContext) {
      count += 1
      context.read()
    }
  }

  /// Whether errors get past the pause.
  private final class Errors: ChannelInboundHandler {
    typealias InboundIn = Never

    var count = 0

    func errorCaught(context: ChannelHandlerContext, error: any Error) { count += 1 }
  }

  private struct Port {
    let channel = EmbeddedChannel()
    let reads = Reads()
    let errors = Errors()

    init() throws {
      let pipeline = channel.pipeline.syncOperations
      try pipeline.addHandlers([reads, PortAdmission(PortLoad(most: 10)), errors])
    }

    func fail(_ code: CInt) {
      channel.pipeline.fireErrorCaught(IOError(errnoCode: code, reason: "accept"))
      channel.embeddedEventLoop.run()
    }

    /// The option that takes the socket out of the poll; nil where it was never set.
    var autoRead: Bool? {
      channel.options.last { $0.option is ChannelOptions.Types.AutoReadOption }?.value as? Bool
    }
  }

  @Test(arguments: [EMFILE, ENFILE])
  func `takes the socket out of the poll, and puts it back`(code: CInt) throws {
    let port = try Port()
    port.fail(code)
    #expect(port.autoRead == false)
    port.channel.embeddedEventLoop.advanceTime(by: PortAdmission.pause - .nanoseconds(1))
    #expect(port.autoRead == false)
    port.channel.embeddedEventLoop.advanceTime(by: .nanoseconds(1))
    #expect(port.autoRead == true)
    #expect(port.errors.count == 0)
  }

  @Test func `lets no read through before its end`() throws {
    let port = try Port()
    port.channel.read()
    #expect(port.reads.count == 1)
    port.fail(EMFILE)
    for _ in 0..<3 { port.channel.read() }
    #expect(port.reads.count == 1)
    port.channel.embeddedEventLoop.advanceTime(by: PortAdmission.pause)
    port.channel.read()
    #expect(port.reads.count == 2)
  }

  @Test func `is one for all failures until its end`() throws {
    let port = try Port()
    for _ in 0..<3 { port.fail(EMFILE) }
    port.channel.embeddedEventLoop.advanceTime(by: PortAdmission.pause)
    #expect(port.autoRead == true)
    // No second end is to come.
    port.fail(EMFILE)
    #expect(port.autoRead == false)
    port.channel.embeddedEventLoop.advanceTime(by: PortAdmission.pause - .nanoseconds(1))
    #expect(port.autoRead == false)
  }

  @Test func `does not wait after other errors`() throws {
    let port = try Port()
    port.fail(ECONNABORTED)
    #expect(port.autoRead == nil)
    port.channel.read()
    #expect(port.reads.count == 1)
  }
}

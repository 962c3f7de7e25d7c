import NIOCore
import NIOPosix

/// A TCP connection that says what a test wants, and nothing by itself.
final class RawConnection: Sendable {
  private let channel: any Channel
  private let received: AsyncStream<String>

  private init(_ channel: any Channel, received: AsyncStream<String>) {
    self.channel = channel
    self.received = received
  }

  /// Says the text as soon as it is connected: the server ends connections that say nothing for a
  /// while, and on a busy machine the next line of a test may come later. One that lingers stays
  /// open when the server has closed its half.
  static func open(
    port: Int, saying text: String, lingering: Bool = false
  ) async throws -> RawConnection {
    let (received, continuation) = AsyncStream.makeStream(of: String.self)
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connectTimeout(.seconds(120))
      .channelOption(ChannelOptions.allowRemoteHalfClosure, value: lingering)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(Receiver(continuation))
        }
      }
      .connect(host: "127.0.0.1", port: port)
      .flatMap { channel in channel.writeAndFlush(ByteBuffer(string: text)).map { channel } }
      .get()
    return RawConnection(channel, received: received)
  }

  func send(_ text: String) async throws {
    try await channel.writeAndFlush(ByteBuffer(string: text))
  }

  /// Closes the half that sends.
  func finish() async throws { try await channel.close(mode: .output) }

  /// The server may have closed it before: it does so with silent ones where others wait.
  func close() async { try? await channel.close() }

  /// What comes until the text is complete, or until the server closes.
  func text(until end: String? = nil) async -> String {
    var text = ""
    for await piece in received {
      text += piece
      if let end, text.contains(end) { break }
    }
    return text
  }

  private final class Receiver: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let continuation: AsyncStream<String>.Continuation

    init(_ continuation: AsyncStream<String>.Continuation) { self.continuation = continuation }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      continuation.yield(String(buffer: unwrapInboundIn(data)))
    }

    func channelInactive(context: ChannelHandlerContext) { continuation.finish() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      context.close(promise: nil)
    }
  }
}

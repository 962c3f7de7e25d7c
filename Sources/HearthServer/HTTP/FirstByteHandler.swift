import NIOCore

/// Notes when the request that is being read began to arrive, of which the HTTP decoder says nothing
/// before it has all headers.
final class FirstByteHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  /// Nil between requests.
  private(set) var began: NIODeadline?

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if began == nil { began = .now() }
    context.fireChannelRead(data)
  }

  /// The request has been read to its end.
  func end() { began = nil }
}

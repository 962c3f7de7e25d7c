import HummingbirdCore
import Logging
import NIOCore

/// Lets one port speak HTTP/1.1 and HTTP/2 without TLS, over which gRPC comes.
///
/// The first bytes of a connection tell which of the two it is. It takes the place of the HTTP/1.1
/// channel it is made from; the settings and handlers of that one keep their meaning.
struct PortSharing<HTTP1: ServerChildChannel>: ServerChildChannel {
  /// A connection, and what it transactions out to speak.
  struct Connection: ServerChildChannelValue {
    let channel: any Channel
    fileprivate let language: EventLoopFuture<Language>
  }

  fileprivate enum Language: Sendable {
    case http1(HTTP1.Value)
    case http2(HTTP2Connections.Connection)
  }

  let http1: HTTP1
  let http2: HTTP2Connections
  /// How long a connection may take to say what it speaks. One that says nothing is closed then.
  var decisionTime = TimeAmount.seconds(10)

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Connection> {
    channel.eventLoop.makeCompletedFuture {
      let language = channel.eventLoop.makePromise(of: Language.self)
      let peek = FirstBytes(decisionTime, language) { isHTTP2 in
        isHTTP2
          ? http2.setup(channel: channel).map { .http2($0) } : welcome(channel, logger)
      }
      do {
        try channel.pipeline.syncOperations.addHandler(peek)
      } catch {
        language.fail(error)
        throw error
      }
      return Connection(channel: channel, language: language.futureResult)
    }
  }

  private func welcome(_ channel: any Channel, _ logger: Logger) -> EventLoopFuture<Language> {
    do {
      try channel.pipeline.syncOperations.addHandler(FirstByteHandler())
    } catch {
      return channel.eventLoop.makeFailedFuture(error)
    }
    return http1.setup(channel: channel, logger: logger).map { .http1($0) }
  }

  /// Returns when the connection has ended. When the task is cancelled, it ends soon.
  func handle(value connection: Connection, logger: Logger) async {
    let channel = connection.channel
    let language = try? await withTaskCancellationHandler {
      try await connection.language.get()
    } onCancel: {
      channel.close(promise: nil)
    }
    switch language {
    case .http1(let value): await http1.handle(value: value, logger: logger)
    case .http2(let value): await http2.handle(value)
    case nil: break  // It ended before it had said what it speaks.
    }
  }
}

/// Holds back the first bytes of a connection until they tell what it speaks, then gives way.
private final class FirstBytes<Language: Sendable>: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  /// Adds the handlers that the rest of the connection needs.
  typealias Install = (_ isHTTP2: Bool) -> EventLoopFuture<Language>

  private let decisionTime: TimeAmount
  private let language: EventLoopPromise<Language>
  private let install: Install
  private var bytes = ByteBuffer()
  private var isDecided = false
  private var deadline: Scheduled<Void>?

  init(
    _ decisionTime: TimeAmount, _ language: EventLoopPromise<Language>, install: @escaping Install
  ) {
    self.decisionTime = decisionTime
    self.language = language
    self.install = install
  }

  func handlerAdded(context: ChannelHandlerContext) {
    deadline = context.eventLoop.assumeIsolated().scheduleTask(in: decisionTime) {
      context.close(promise: nil)
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var more = unwrapInboundIn(data)
    bytes.writeBuffer(&more)
    guard !isDecided, let isHTTP2 = ClientPreface.begins(bytes.readableBytesView) else { return }
    isDecided = true
    deadline?.cancel()
    install(isHTTP2).assumeIsolated().whenComplete { result in
      self.language.completeWith(result)
      switch result {
      case .success: context.pipeline.syncOperations.removeHandler(self, promise: nil)
      case .failure: context.close(promise: nil)
      }
    }
  }

  func removeHandler(
    context: ChannelHandlerContext, removalToken: ChannelHandlerContext.RemovalToken
  ) {
    context.fireChannelRead(wrapInboundOut(bytes))
    context.fireChannelReadComplete()
    context.leavePipeline(removalToken: removalToken)
  }

  /// A client that half-closes, or a server that stops, ends what has not begun.
  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case ChannelEvent.inputClosed, is ChannelShouldQuiesceEvent:
      if !isDecided { context.close(promise: nil) }
    default: break
    }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  /// Comes when the connection is closed, too.
  func handlerRemoved(context: ChannelHandlerContext) {
    deadline?.cancel()
    if !isDecided { language.fail(ChannelError.eof) }
  }
}

/// What every HTTP/2 client sends first.
private enum ClientPreface {
  private static let bytes = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

  /// Whether the input begins with it; nil while that is open.
  static func begins(_ input: ByteBufferView) -> Bool? {
    guard bytes.starts(with: input.prefix(bytes.count)) else { return false }
    return input.count < bytes.count ? nil : true
  }
}

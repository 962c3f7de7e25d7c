import NIOCore

/// Lets one port speak HTTP/1.1 and HTTP/2 without TLS, over which gRPC comes.
///
/// The first bytes of a connection tell which of the two it is. SDKs that speak HTTP/2 know that
/// the port does (RFC 9113 section 3.3); none asks for an upgrade. Behind TLS the bytes decide in
/// the same way, whatever ALPN has chosen. Record 0012.
struct PortSharing: Sendable {
  struct Connection: Sendable {
    fileprivate let channel: any Channel
    fileprivate let language: EventLoopFuture<Language>
  }

  fileprivate enum Language: Sendable {
    case http1(HTTP1Connections.Connection)
    case http2(HTTP2Connections.Connection)
  }

  let http1: HTTP1Connections
  let http2: HTTP2Connections
  /// How long a connection may take to say what it speaks. One that says nothing is closed then.
  let decisionTime: TimeAmount

  /// Adds the handler that looks at the first bytes; on the connection's loop.
  func setUp(_ channel: any Channel) throws -> Connection {
    let language = channel.eventLoop.makePromise(of: Language.self)
    let peek = FirstBytes(decisionTime, language: language) { isHTTP2 in
      isHTTP2 ? .http2(try http2.setUp(channel)) : .http1(try http1.setUp(channel))
    }
    do {
      try channel.pipeline.syncOperations.addHandler(peek)
    } catch {
      language.fail(error)
      throw error
    }
    return Connection(channel: channel, language: language.futureResult)
  }

  /// Returns when the connection has ended. When the task is cancelled, it ends soon.
  func handle(_ connection: Connection) async {
    let channel = connection.channel
    let language = try? await withTaskCancellationHandler {
      try await connection.language.get()
    } onCancel: {
      channel.close(promise: nil)
    }
    switch language {
    case .http1(let value): await http1.handle(value)
    case .http2(let value): await http2.handle(value)
    case nil: break  // It ended before it had said what it speaks.
    }
  }
}

/// Holds back the first bytes of a connection until they tell what it speaks, then gives way.
///
/// It owns these bytes, the deadline and the promise, on the connection's loop. Bytes that are no
/// beginning of the preface decide at once, so it never holds more than one read beyond the
/// preface. The promise is completed in every case, at the latest when the handler is removed: a
/// task waits for it.
private final class FirstBytes<Language: Sendable>: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  /// Adds the handlers that the rest of the connection needs.
  typealias Install = (_ isHTTP2: Bool) throws -> Language

  private let decisionTime: TimeAmount
  private let language: EventLoopPromise<Language>
  private let install: Install
  private var bytes = ByteBuffer()
  private var isDecided = false
  private var deadline: Scheduled<Void>?

  init(
    _ decisionTime: TimeAmount, language: EventLoopPromise<Language>, install: @escaping Install
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
    do {
      language.succeed(try install(isHTTP2))
      context.pipeline.syncOperations.removeHandler(self, promise: nil)
    } catch {
      language.fail(error)
      context.close(promise: nil)
    }
  }

  /// At once, within `channelRead`: the handlers after this one hear of the read's completion.
  func removeHandler(
    context: ChannelHandlerContext, removalToken: ChannelHandlerContext.RemovalToken
  ) {
    context.fireChannelRead(wrapInboundOut(bytes))
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

/// What every HTTP/2 client sends first (RFC 9113 section 3.4).
private enum ClientPreface {
  private static let bytes = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

  /// Whether the input begins with it; nil while that is open.
  static func begins(_ input: ByteBufferView) -> Bool? {
    guard bytes.starts(with: input.prefix(bytes.count)) else { return false }
    return input.count < bytes.count ? nil : true
  }
}

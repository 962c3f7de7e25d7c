import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// Carries out what `HTTP1ConnectionState` decides. It is the only handler after NIO's decoder and
/// encoder.
///
/// It owns the state and the timer, and is used on the connection's loop alone. It feeds the stream
/// of requests that the connection's task reads, and ends it when no other request can come. The
/// stream has no bound of its own: `read` holds the socket back, so no more than one turn of
/// reading the socket waits in it.
final class HTTP1ConnectionHandler: ChannelDuplexHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  private var state: HTTP1ConnectionState
  /// A quarter of the shorter time-out, by which a connection may outlive its time-out.
  private let interval: TimeAmount
  private let load: PortLoad
  private let requests: AsyncStream<ReceivedRequest>.Continuation
  private let disconnect: Signal
  private var tick: RepeatedTask?

  init(
    _ limits: Limits, load: PortLoad, requests: AsyncStream<ReceivedRequest>.Continuation,
    disconnect: Signal
  ) {
    state = HTTP1ConnectionState(limits, at: .now())
    interval = .milliseconds(max(1, min(limits.requestTime, limits.idleTime) * 1000 / 4))
    self.load = load
    self.requests = requests
    self.disconnect = disconnect
  }

  private func perform(_ action: HTTP1ConnectionState.Action, context: ChannelHandlerContext) {
    switch action {
    case .none: break
    case .askForBody:
      let head = HTTPResponseHead(version: .http1_1, status: .continue)
      context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
    case .answer(let request): requests.yield(request)
    case .answerLast(let request):
      requests.yield(request)
      requests.finish()
    case .finish: requests.finish()
    case .read: context.read()
    case .close: context.close(promise: nil)
    }
  }

  // MARK: From the client

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    perform(state.received(unwrapInboundIn(data)), context: context)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    state.readCompleted(at: .now())
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    perform(state.failed(error), context: context)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case ChannelEvent.inputClosed: endInput(context)
    case is ChannelShouldQuiesceEvent: perform(state.stop(), context: context)
    default: break
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    tick?.cancel()
    endInput(context)
  }

  private func endInput(_ context: ChannelHandlerContext) {
    disconnect.come()
    perform(state.inputEnded(), context: context)
  }

  // MARK: To the client

  /// NIO asks before each turn of reading the socket. A read that is not passed on leaves the bytes
  /// in the kernel, and TCP holds the client back.
  func read(context: ChannelHandlerContext) {
    if state.mayRead() { context.read() }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head(let head):
      context.write(wrapOutboundOut(.head(HTTPResponseHead(head))), promise: promise)
    case .body(let bytes):
      context.write(wrapOutboundOut(.body(.byteBuffer(bytes))), promise: promise)
    case .end(let trailers):
      let end = wrapOutboundOut(.end(trailers.map(HTTPHeaders.init)))
      let action = state.answered(at: .now())
      if case .close = action {
        // The connection is closed next, which fails what is not flushed.
        context.writeAndFlush(end, promise: promise)
      } else {
        context.write(end, promise: promise)
      }
      perform(action, context: context)
    }
  }

  /// The connection's task closes the output after the last answer. The input stays open and is
  /// read on, as RFC 9112 section 9.6 asks for: to close a socket with bytes unread resets the
  /// connection, and the client may lose the answer.
  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    context.close(mode: mode, promise: promise)
    if mode == .output { perform(state.outputClosed(at: .now()), context: context) }
  }

  // MARK: Time

  func handlerAdded(context: ChannelHandlerContext) {
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    tick = context.eventLoop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in
      let (handler, context) = bound.value
      let isCrowded = handler.load.isCrowded
      handler.perform(handler.state.ticked(at: .now(), isCrowded: isCrowded), context: context)
    }
  }

  func handlerRemoved(context: ChannelHandlerContext) { tick?.cancel() }
}

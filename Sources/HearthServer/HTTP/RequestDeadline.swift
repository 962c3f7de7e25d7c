import NIOCore
import NIOHTTPTypes

/// Closes a connection whose request does not come to its end in time, or that stays silent.
///
/// One coarse tick for each connection instead of a timer for each request, of which there are
/// thousands a second.
final class RequestDeadline: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let requestTime: TimeAmount
  private let idleTime: TimeAmount
  private var deadline = NIODeadline.distantFuture
  private var tick: RepeatedTask?

  init(_ limits: Limits) {
    requestTime = .seconds(limits.requestTime)
    idleTime = .seconds(limits.idleTime)
  }

  func handlerAdded(context: ChannelHandlerContext) {
    deadline = .now() + idleTime
    let interval = TimeAmount.nanoseconds(
      max(1_000_000, min(requestTime.nanoseconds, idleTime.nanoseconds) / 4))
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    tick = context.eventLoop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in
      let (handler, context) = bound.value
      if NIODeadline.now() > handler.deadline { context.close(promise: nil) }
    }
  }

  func handlerRemoved(context: ChannelHandlerContext) { tick?.cancel() }

  func channelInactive(context: ChannelHandlerContext) {
    tick?.cancel()
    context.fireChannelInactive()
  }

  /// While a complete request is being answered, time does not count.
  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head: deadline = .now() + requestTime
    case .body: break
    case .end: deadline = .distantFuture
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .end = unwrapOutboundIn(data) { deadline = .now() + idleTime }
    context.write(data, promise: promise)
  }
}

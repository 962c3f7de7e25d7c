import HTTPTypes
import HearthErrors
import HearthTime
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Takes requests in, with patience but not too much of it: closes a connection whose request does
/// not come to its end in time, or that stays silent; says what is wrong with what is not HTTP; and
/// asks for the body where a client waits to be asked. A server that stops has it close the
/// connection, behind the answers that are on their way.
///
/// One coarse tick for each connection instead of a timer for each request, of which there are
/// thousands a second.
final class RequestIntake: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  /// How long a connection may be idle where others wait for its place, or soon will.
  private static let crowdedIdleTime = TimeAmount.seconds(10)

  private let requestTime: TimeAmount
  private let idleTime: TimeAmount
  private let limits: Limits
  private let load: PortLoad
  private var firstByte: FirstByteHandler?
  private var silentSince = NIODeadline.now()
  /// Whether the head of a request has come and its end has not.
  private var isReading = false
  /// Whether the request that is being read has been refused already.
  private var isRefused = false
  /// Requests that were read and have no answer yet. While there are any, time does not count.
  private var unanswered = 0
  private var isStopping = false
  /// Whether the last answer has been given, and the client is to close.
  private var isOver = false
  private var tick: RepeatedTask?

  init(_ limits: Limits, _ load: PortLoad) {
    requestTime = .seconds(limits.requestTime)
    idleTime = .seconds(limits.idleTime)
    self.limits = limits
    self.load = load
  }

  func handlerAdded(context: ChannelHandlerContext) {
    firstByte = try? context.pipeline.syncOperations.handler(type: FirstByteHandler.self)
    let interval = TimeAmount.nanoseconds(
      max(1_000_000, min(requestTime.nanoseconds, idleTime.nanoseconds) / 4))
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    tick = context.eventLoop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in
      let (handler, context) = bound.value
      if handler.isOverdue(.now()) { context.close(promise: nil) }
    }
  }

  private func isOverdue(_ now: NIODeadline) -> Bool {
    if isOver { return now > silentSince + requestTime }
    guard unanswered == 0 else { return false }
    if let began = firstByte?.began { return now > began + requestTime }
    return now > silentSince + (load.isCrowded ? min(idleTime, Self.crowdedIdleTime) : idleTime)
  }

  func handlerRemoved(context: ChannelHandlerContext) { tick?.cancel() }

  func channelInactive(context: ChannelHandlerContext) {
    tick?.cancel()
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      isReading = true
      isRefused = false
      if unanswered == 0, waitsToBeAsked(head) {
        context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
      }
    case .body: break
    case .end:
      isReading = false
      if !isRefused { unanswered += 1 }
      firstByte?.end()
    }
    context.fireChannelRead(data)
  }

  /// Who brings too much is not asked, but refused.
  private func waitsToBeAsked(_ head: HTTPRequest) -> Bool {
    guard head.headerFields[.expect]?.lowercased() == "100-continue" else { return false }
    let length = head.headerFields[.contentLength].flatMap { Int($0) } ?? 0
    return length <= limits.body(of: head.path)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .end = unwrapOutboundIn(data) {
      if unanswered > 0 { unanswered -= 1 } else { isRefused = true }
      silentSince = .now()
      if isStopping, isIdle {
        context.writeAndFlush(data, promise: promise)
        return context.close(promise: nil)
      }
    }
    context.write(data, promise: promise)
  }

  private var isIdle: Bool { unanswered == 0 && !isReading }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard event is ChannelShouldQuiesceEvent else {
      return context.fireUserInboundEventTriggered(event)
    }
    if isIdle || isRefused || isOver { context.close(promise: nil) } else { isStopping = true }
  }

  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    if mode == .output {
      isOver = true
      silentSince = .now()
    }
    context.close(mode: mode, promise: promise)
  }

  /// What cannot be read as a request is refused here, where no other answer is on its way.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    let isOfConnection = error is ChannelError || error is IOError
    // The decoder says it again for all that comes after it.
    if isOver, !isOfConnection { return }
    guard isIdle, !isOfConnection else {
      context.fireErrorCaught(error)
      return
    }
    var reply = ReplyWriter.refusal(
      error as? HTTPParserError == .headerOverflow
        ? APIError(.headersTooLarge) : APIError(.invalidArgument, "this is not HTTP: \(error)"))
    // Whose page it is nobody can tell any more.
    reply.headers[.accessControlAllowOrigin] = "*"
    reply.headers[.contentLength] = String(reply.body.count)
    reply.headers[.connection] = "close"
    let head = HTTPResponse(status: .init(code: reply.status), headerFields: reply.headers)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.write(wrapOutboundOut(.body(ByteBuffer(bytes: reply.body))), promise: nil)
    isOver = true
    silentSince = .now()
    // The client closes first, or loses the answer.
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
      bound.value.close(mode: .output, promise: nil)
    }
  }
}

import HearthErrors
import NIOCore
import NIOHTTPTypes

/// Assembles the request of an HTTP/2 stream that is not gRPC, and has it answered.
///
/// It owns what has come of the request, on the loop of the connection, and passes it on once. It
/// ends with the stream; the answer is made in a task of the connection and may outlive both.
final class HTTP2Request: ChannelInboundHandler {
  typealias InboundIn = HTTPRequestPart

  private var assembly: RequestAssembly
  /// Comes when the stream ends, so that what waits for something does not go on.
  private let disconnect: Signal
  private let answer: (ReceivedRequest) -> Void
  private var hasHead = false
  /// Whether the request has been passed on, whole or refused.
  private var isOver = false

  init(_ limits: Limits, disconnect: Signal, answer: @escaping (ReceivedRequest) -> Void) {
    assembly = RequestAssembly(limits)
    self.disconnect = disconnect
    self.answer = answer
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isOver else { return }
    do throws(APIError) {
      switch unwrapInboundIn(data) {
      case .head(let head):
        hasHead = true
        try assembly.begin(head)
      case .body(let part): try assembly.append(part)
      case .end: finish()
      }
    } catch {
      finish(refusing: error)
    }
  }

  private func finish(refusing refusal: APIError? = nil) {
    isOver = true
    answer(assembly.finish(refusing: refusal))
  }

  /// The stream was reset, or what came cannot be a request.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // Of a connection that is broken: nobody is there to be answered.
    guard !isOver, !(error is ChannelError || error is IOError) else { return }
    let reason = hasHead ? "the body ended early" : "this is not HTTP: \(error)"
    finish(refusing: APIError(.invalidArgument, detail: reason))
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case ChannelEvent.inputClosed = event { disconnect.come() }
    context.fireUserInboundEventTriggered(event)
  }

  func channelInactive(context: ChannelHandlerContext) {
    disconnect.come()
    context.fireChannelInactive()
  }
}

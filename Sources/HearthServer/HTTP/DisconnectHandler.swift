import NIOCore
import NIOHTTPTypes

/// Tells when a connection's client has gone, which an answer that only waits would not notice.
///
/// Hummingbird lets a client close its sending half, so that the channel itself stays open until
/// something is written. A browser that closes that half has closed both.
final class DisconnectHandler: ChannelInboundHandler, RemovableChannelHandler, Sendable {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart

  private let signal = Signal()

  /// What to do then; at once where it has come already.
  func whenItComes(_ act: (@Sendable () -> Void)?) { signal.whenItComes(act) }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case ChannelEvent.inputClosed = event { signal.come() }
    context.fireUserInboundEventTriggered(event)
  }

  func channelInactive(context: ChannelHandlerContext) {
    signal.come()
    context.fireChannelInactive()
  }
}

import NIOCore
import NIOHTTPTypes
import Synchronization

/// Tells when a connection's client has gone, which an answer that only waits would not notice.
///
/// Hummingbird lets a client close its sending half, so that the channel itself stays open until
/// something is written. A browser that closes that half has closed both.
final class Departure: ChannelInboundHandler, RemovableChannelHandler, Sendable {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart

  private struct State {
    var hasGone = false
    var act: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// What to do then; at once where it has come already.
  func whenItComes(_ act: (@Sendable () -> Void)?) {
    let hasGone = state.withLock { state in
      state.act = act
      return state.hasGone
    }
    if hasGone { act?() }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case ChannelEvent.inputClosed = event { go() }
    context.fireUserInboundEventTriggered(event)
  }

  func channelInactive(context: ChannelHandlerContext) {
    go()
    context.fireChannelInactive()
  }

  private func go() {
    let act = state.withLock { state in
      state.hasGone = true
      return state.act
    }
    act?()
  }
}

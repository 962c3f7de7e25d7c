import NIOCore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Lets a port wait where the process has no file left for the next connection. It would try again
/// at once otherwise, and again, with all of a processor's time.
final class AcceptPause: ChannelDuplexHandler, Sendable {
  typealias InboundIn = any Channel
  typealias OutboundIn = any Channel

  private static let pause = TimeAmount.milliseconds(100)

  private struct State {
    var isPaused = false
    var isReadHeld = false
  }

  private let state: NIOLoopBoundBox<State>

  init(_ eventLoop: any EventLoop) {
    state = .makeBoxSendingValue(State(), eventLoop: eventLoop)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard let code = (error as? IOError)?.errnoCode, code == EMFILE || code == ENFILE else {
      return context.fireErrorCaught(error)
    }
    guard !state.value.isPaused else { return }
    state.value.isPaused = true
    context.eventLoop.assumeIsolated().scheduleTask(in: Self.pause) {
      let isReadHeld = self.state.value.isReadHeld
      self.state.value = State()
      if isReadHeld { context.read() }
    }
  }

  func read(context: ChannelHandlerContext) {
    if state.value.isPaused { state.value.isReadHeld = true } else { context.read() }
  }
}

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

  static let pause = TimeAmount.milliseconds(100)

  private let isPaused: NIOLoopBoundBox<Bool>

  init(_ eventLoop: any EventLoop) {
    isPaused = .makeBoxSendingValue(false, eventLoop: eventLoop)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard let code = (error as? IOError)?.errnoCode, code == EMFILE || code == ENFILE else {
      return context.fireErrorCaught(error)
    }
    guard !isPaused.value else { return }
    isPaused.value = true
    // Only the option takes the socket out of the poll: the read that failed stays pending, and
    // the connection that waits would wake the loop again and again.
    let channel = context.channel
    channel.setOption(.autoRead, value: false).whenComplete { _ in }
    context.eventLoop.assumeIsolated().scheduleTask(in: Self.pause) {
      self.isPaused.value = false
      channel.setOption(.autoRead, value: true).whenComplete { _ in }
    }
  }

  /// The end of the pause reads on its own.
  func read(context: ChannelHandlerContext) {
    if !isPaused.value { context.read() }
  }
}

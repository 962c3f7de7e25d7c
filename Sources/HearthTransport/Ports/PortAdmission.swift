package import NIOCore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Accepts as many connections as the port takes; more wait in the kernel's queue. It owns the
/// decision to read from the listening socket, on that socket's loop.
///
/// One read of the listening socket may accept several connections, by which their count may exceed
/// the bound.
package final class PortAdmission: ChannelDuplexHandler {
  package typealias InboundIn = any Channel
  package typealias InboundOut = any Channel
  package typealias OutboundIn = Never

  /// How long the port waits where the process has no file left for the next connection. It would
  /// try again at once otherwise, and again, with all of a processor's time.
  package static let pause = TimeAmount.milliseconds(100)

  private let load: PortLoad
  private var isPaused = false
  private var isReadHeld = false
  private var retry: Scheduled<Void>?

  package init(_ load: PortLoad) { self.load = load }

  package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    load.connectionOpened()
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    unwrapInboundIn(data).closeFuture.hop(to: context.eventLoop).whenComplete { _ in
      let (admission, context) = bound.value
      admission.load.connectionClosed()
      if admission.isReadHeld { admission.read(context: context) }
    }
    context.fireChannelRead(data)
  }

  package func read(context: ChannelHandlerContext) {
    isReadHeld = isPaused || load.isFull
    guard isReadHeld else { return context.read() }
    guard !isPaused, retry == nil else { return }
    // The connections may be those of another socket of the port, of whose ends this one hears
    // nothing.
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    retry = context.eventLoop.scheduleTask(in: Self.pause) {
      let (admission, context) = bound.value
      admission.retry = nil
      if admission.isReadHeld { admission.read(context: context) }
    }
  }

  package func handlerRemoved(context: ChannelHandlerContext) { retry?.cancel() }

  /// No error goes further, which would end the port. Where it has to end, NIO closes the channel.
  package func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard !isPaused, let code = (error as? IOError)?.errnoCode,
      [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(code)
    else { return }
    isPaused = true
    // Only the option takes the socket out of the poll: the read that failed stays pending, and
    // the connection that waits would wake the loop again and again.
    let channel = context.channel
    channel.setOption(.autoRead, value: false).whenComplete { _ in }
    context.eventLoop.assumeIsolated().scheduleTask(in: Self.pause) {
      self.isPaused = false
      // Reads on its own.
      channel.setOption(.autoRead, value: true).whenComplete { _ in }
    }
  }
}

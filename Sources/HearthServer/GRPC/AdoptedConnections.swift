import GRPCCore
import GRPCNIOTransportHTTP2Posix
import NIOCore
import NIOPosix
import ServiceLifecycle
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The transport of a gRPC server that has no port of its own.
typealias AdoptingTransport = HTTP2ServerTransport.Custom<AdoptedConnections>

/// Hands connections that others have accepted to a gRPC server.
///
/// Any number of ports may share one. The first connection has the gRPC server started; one that
/// comes when it has ended is refused.
final class AdoptedConnections: HTTP2ServerTransport.ListenerFactory {
  typealias ConnectionChannel = HTTP2ServerTransport.ConnectionConfigurator.ConnectionChannel

  /// The way in, as long as the gRPC server serves.
  private struct Intake {
    let configurator: HTTP2ServerTransport.ConnectionConfigurator
    let entrance: NIOLoopBound<Entrance>
  }

  let eventLoopGroup: any EventLoopGroup
  private let graceTime: TimeAmount
  private let intake = Mutex<Intake?>(nil)
  private let opening: EventLoopPromise<Void>
  private let wanted: EventLoopPromise<Void>

  /// The grace time is how long a connection may take to end once it has been asked to.
  init(
    eventLoopGroup: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton,
    graceTime: TimeAmount = .seconds(1)
  ) {
    self.eventLoopGroup = eventLoopGroup
    self.graceTime = graceTime
    opening = eventLoopGroup.any().makePromise()
    wanted = eventLoopGroup.any().makePromise()
  }

  // NIO ends a debug build when a promise is dropped that nobody kept.
  deinit {
    opening.succeed()
    wanted.fail(NotServing())
  }

  /// Returns when the first connection has come, or throws when none ever will.
  func firstHasCome() async throws {
    try await withTaskCancellationOrGracefulShutdownHandler {
      try await wanted.futureResult.get()
    } onCancelOrGracefulShutdown: {
      self.wanted.fail(NotServing())
    }
  }

  /// To be called when the gRPC server has ended, which it may do before it ever served.
  func serverEnded() { opening.succeed() }

  /// Makes a connection the gRPC server's, whose handlers it gets, as soon as that serves.
  func adopt(_ channel: any Channel) -> EventLoopFuture<Void> {
    wanted.succeed()
    return opening.futureResult.hop(to: channel.eventLoop).flatMap { self.take(channel) }
  }

  private func take(_ channel: any Channel) -> EventLoopFuture<Void> {
    guard let intake = intake.withLock({ $0 }) else {
      return channel.eventLoop.makeFailedFuture(NotServing())
    }
    do {
      // HTTP/2 knows no half-closed connections, and gRPC notices only one that is closed.
      try channel.syncOptions?.setOption(.allowRemoteHalfClosure, value: false)
      try channel.pipeline.syncOperations.addHandler(StopDeadline(graceTime))
    } catch {
      return channel.eventLoop.makeFailedFuture(error)
    }
    return intake.configurator.configure(channel: channel, tls: .none).map { connection in
      // A server that stops may never take it, and NIO ends the process when an asynchronous
      // channel is dropped while it is open.
      channel.closeFuture.whenComplete { _ in withExtendedLifetime(connection) {} }
      intake.entrance.eventLoop.execute { intake.entrance.value.admit(connection, channel) }
    }
  }

  /// Makes the listener the transport asks for: a pipe to which nobody writes.
  ///
  /// It has to be a channel with an event loop, and this is the smallest there is.
  func makeListeningChannel(
    listenerConfigurator: HTTP2ServerTransport.ListenerConfigurator,
    connectionConfigurator: HTTP2ServerTransport.ConnectionConfigurator
  ) async throws -> NIOAsyncChannel<ConnectionChannel, Never> {
    let pipe = try SilentPipe()
    do {
      let (listener, entrance) = try await NIOPipeBootstrap(group: eventLoopGroup)
        .takingOwnershipOfDescriptors(input: pipe.input, output: pipe.output) { channel in
          listenerConfigurator.configure(channel: channel).flatMapThrowing {
            let entrance = Entrance()
            try channel.pipeline.syncOperations.addHandler(entrance)
            let listener = try NIOAsyncChannel<ConnectionChannel, Never>(
              wrappingChannelSynchronously: channel)
            return (listener, NIOLoopBound(entrance, eventLoop: channel.eventLoop))
          }
        }
      intake.withLock { $0 = Intake(configurator: connectionConfigurator, entrance: entrance) }
      opening.succeed()
      listener.channel.closeFuture.whenComplete { _ in self.intake.withLock { $0 = nil } }
      return listener
    } catch {
      pipe.close()
      throw error
    }
  }
}

/// The gRPC server is not running.
struct NotServing: Error {}

/// Where connections come into the listener's pipeline.
private final class Entrance: ChannelInboundHandler {
  typealias InboundIn = any Channel
  typealias InboundOut = AdoptedConnections.ConnectionChannel

  private var context: ChannelHandlerContext?
  private var arriving: AdoptedConnections.ConnectionChannel?

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }
  func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

  func admit(_ connection: AdoptedConnections.ConnectionChannel, _ channel: any Channel) {
    guard let context else { return channel.close(promise: nil) }
    // Not from here on, but all the way: gRPC's handler in front of this one takes note of the
    // sockets, which it tells to end when the server stops.
    arriving = connection
    context.pipeline.fireChannelRead(channel)
    context.pipeline.fireChannelReadComplete()
    arriving = nil
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard let connection = arriving else { return }
    context.fireChannelRead(wrapInboundOut(connection))
  }
}

/// Ends a connection whose client does not let go of it when it is asked to.
private final class StopDeadline: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let graceTime: TimeAmount
  private var deadline: Scheduled<Void>?

  init(_ graceTime: TimeAmount) { self.graceTime = graceTime }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is ChannelShouldQuiesceEvent, deadline == nil {
      deadline = context.eventLoop.assumeIsolated().scheduleTask(in: graceTime) {
        context.close(promise: nil)
      }
    }
    context.fireUserInboundEventTriggered(event)
  }

  func handlerRemoved(context: ChannelHandlerContext) { deadline?.cancel() }
}

/// Both ends of a pipe.
private struct SilentPipe {
  let input: CInt
  let output: CInt

  init() throws {
    var ends: [CInt] = [-1, -1]
    guard pipe(&ends) == 0 else { throw IOError(errnoCode: errno, reason: "pipe") }
    (input, output) = (ends[0], ends[1])
  }

  /// For when nobody else has taken them.
  func close() {
    for end in [input, output] { _ = closeDescriptor(end) }
  }
}

/// `close` under a name that a type with a `close` of its own can call.
private func closeDescriptor(_ descriptor: CInt) -> CInt { close(descriptor) }

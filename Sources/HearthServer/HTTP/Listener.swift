import NIOCore
import NIOExtras
import NIOPosix
import ServiceLifecycle

/// One port: accepts connections, and has each handled in a task of its own.
///
/// `run` owns the listening socket, the count of its connections, and the group of their tasks.
struct Listener: Sendable {
  /// Connections that wait in the kernel's queue.
  private static let backlog: Int32 = 256

  let host: String
  let limits: Limits
  let methods: GRPCMethods
  let answering: RequestAnswering
  let front: PortFront

  /// Where connections come in.
  enum Place {
    case port(Int)
    /// A listening socket that another process has opened, perhaps in another network.
    case socket(Int32)
  }

  /// Serves until it is stopped. `onBound` hears the port, which matters where 0 was asked for; it
  /// is called once, before the first connection is handled.
  ///
  /// A graceful shutdown closes the socket and asks each connection to end, which it does behind
  /// the answers that are on their way. Throws where the port cannot be bound.
  func run(on place: Place, onBound: @escaping @Sendable (Int) async -> Void) async throws {
    let load = PortLoad(most: limits.connections)
    let answer: ConnectedClient.Answer = { try await answering.answer($0, of: $1, load) }
    let sharing = PortSharing(
      http1: HTTP1Connections(limits: limits, load: load, answer: answer),
      http2: HTTP2Connections(limits: limits, load: load, methods: methods, answer: answer),
      decisionTime: .seconds(limits.requestTime))
    let loops = MultiThreadedEventLoopGroup.singleton
    let quiescing = ServerQuiescingHelper(group: loops)
    let bootstrap = ServerBootstrap(group: loops)
      .serverChannelOption(.backlog, value: Self.backlog)
      // Otherwise connections in TIME_WAIT keep a server that starts again from its port.
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      // A client that has said all may close its half, and still gets its answers.
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .serverChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          try pipeline.addHandler(PortAdmission(load))
          try pipeline.addHandler(quiescing.makeServerChannelHandler(channel: channel))
        }
      }
    let server = try await bind(bootstrap, place, sharing)
    await withGracefulShutdownHandler {
      await onBound(server.channel.localAddress?.port ?? 0)
      await Self.handle(server, sharing)
    } onGracefulShutdown: {
      quiescing.initiateShutdown(promise: nil)
    }
  }

  private func bind(
    _ bootstrap: ServerBootstrap, _ place: Place, _ sharing: PortSharing
  ) async throws -> NIOAsyncChannel<PortSharing.Connection, Never> {
    let setUp: @Sendable (any Channel) -> EventLoopFuture<PortSharing.Connection> = {
      [front] channel in
      channel.eventLoop.makeCompletedFuture {
        try front.setUp(channel)
        return try sharing.setUp(channel)
      }
    }
    return switch place {
    case .port(let port):
      try await bootstrap.bind(host: host, port: port, childChannelInitializer: setUp)
    case .socket(let socket): try await bootstrap.bind(socket, childChannelInitializer: setUp)
    }
  }

  /// Returns when the port is closed and the last connection has ended.
  private static func handle(
    _ server: NIOAsyncChannel<PortSharing.Connection, Never>, _ sharing: PortSharing
  ) async {
    await withDiscardingTaskGroup { group in
      // Throws where the task is cancelled.
      try? await server.executeThenClose { connections in
        for try await connection in connections {
          group.addTask { await sharing.handle(connection) }
        }
      }
    }
  }
}

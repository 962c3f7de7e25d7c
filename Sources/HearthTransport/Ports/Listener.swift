import NIOCore
import NIOExtras
import NIOPosix
import ServiceLifecycle

/// One port: accepts connections, and has each handled in a task of its own. What listens on
/// 127.0.0.1 listens on ::1 too, where the machine has that and the port is free there.
///
/// `run` owns the listening sockets, the count of its connections, and the group of their tasks.
package struct Listener: Sendable {
  /// Connections that wait in the kernel's queue.
  private static let backlog: Int32 = 256

  package let host: String
  package let limits: Limits
  package let methods: GRPCMethods
  package let answering: RequestAnswering
  package let front: PortFront

  package init(
    host: String, limits: Limits, methods: GRPCMethods, answering: RequestAnswering,
    front: PortFront
  ) {
    self.host = host
    self.limits = limits
    self.methods = methods
    self.answering = answering
    self.front = front
  }

  /// Where connections come in.
  package enum Place {
    case port(Int)
    /// A listening socket that another process has opened, perhaps in another network.
    case socket(Int32)
  }

  /// Serves until it is stopped. `onBound` hears the port, which matters where 0 was asked for; it
  /// is called once, before the first connection is handled.
  ///
  /// A graceful shutdown closes the socket and asks each connection to end, which it does after
  /// the answers that are on their way. Throws where the port cannot be bound.
  package func run(on place: Place, onBound: @escaping @Sendable (Int) async -> Void) async throws {
    let load = PortLoad(most: limits.connections)
    let answer: ConnectedClient.Answer = { try await answering.answer($0, of: $1, load: load) }
    let sharing = PortSharing(
      http1: HTTP1Connections(limits: limits, load: load, answer: answer),
      http2: HTTP2Connections(limits: limits, load: load, methods: methods, answer: answer),
      decisionTime: .seconds(limits.requestTime))
    let first = try await open(place, host: host, load: load, sharing: sharing)
    let port = first.server.channel.localAddress?.port ?? 0
    let second = await openBeside(
      first.server.channel.localAddress, place: place, load: load, sharing: sharing)
    await withGracefulShutdownHandler {
      await onBound(port)
      await withDiscardingTaskGroup { group in
        group.addTask { await Self.handle(first.server, sharing: sharing) }
        if let second { group.addTask { await Self.handle(second.server, sharing: sharing) } }
      }
    } onGracefulShutdown: {
      first.quiescing.initiateShutdown(promise: nil)
      second?.quiescing.initiateShutdown(promise: nil)
    }
  }

  /// A listening socket, and what asks its connections to end.
  private struct Opened {
    let server: NIOAsyncChannel<PortSharing.Connection, Never>
    let quiescing: ServerQuiescingHelper
  }

  /// The same port at the other address of this machine. Nil where there is no IPv6, or the port is
  /// taken there: nobody has asked for it.
  private func openBeside(
    _ address: SocketAddress?, place: Place, load: PortLoad, sharing: PortSharing
  ) async -> Opened? {
    guard case .port = place, let twin = LoopbackTwin(of: address) else { return nil }
    return try? await open(.port(twin.port), host: twin.host, load: load, sharing: sharing)
  }

  private func open(
    _ place: Place, host: String, load: PortLoad, sharing: PortSharing
  ) async throws -> Opened {
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
    return Opened(
      server: try await bind(bootstrap, place: place, host: host, sharing: sharing),
      quiescing: quiescing)
  }

  private func bind(
    _ bootstrap: ServerBootstrap, place: Place, host: String, sharing: PortSharing
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
    _ server: NIOAsyncChannel<PortSharing.Connection, Never>, sharing: PortSharing
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

import NIOCore
import NIOPosix
import Synchronization

/// Lets a command in a namespace reach a port of this machine's loopback: whatever connects to the
/// socket talks to the port.
///
/// It runs outside, on the shared event loops. It takes over the socket, which was opened in the
/// namespace. Bytes are read only as the other end takes them, so a connection holds little.
struct LoopbackRelay: Sendable {
  /// How many connections it carries at once. Further ones wait.
  private static let most = 512

  /// A listening socket of the namespace.
  let socket: Int32
  /// Where the port is, outside.
  let host: String
  let port: Int

  /// Carries connections until the task is cancelled.
  func run() async throws {
    let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      // A half that is closed is closed on the other side too, and what the other half still sends
      // goes through.
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .bind(socket) { Self.wrapped($0) }
    try await server.executeThenClose { connections in
      try await withThrowingTaskGroup(of: Void.self) { group in
        var count = 0
        for try await connection in connections {
          // At the bound, a connection is taken up when another one ends. Further ones wait in the
          // kernel.
          if count == Self.most { try await group.next() } else { count += 1 }
          group.addTask { await carry(connection) }
        }
      }
    }
  }

  private typealias Connection = NIOAsyncChannel<ByteBuffer, ByteBuffer>

  private static func wrapped(_ channel: any Channel) -> EventLoopFuture<Connection> {
    channel.eventLoop.makeCompletedFuture {
      try Connection(
        wrappingChannelSynchronously: channel,
        configuration: .init(isOutboundHalfClosureEnabled: true))
    }
  }

  /// A connection that fails ends: the command sees it closed.
  private func carry(_ connection: Connection) async {
    try? await connection.executeThenClose { fromCommand, toCommand in
      let target = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .channelOption(.allowRemoteHalfClosure, value: true)
        .connect(host: host, port: port) { Self.wrapped($0) }
      try await target.executeThenClose { fromTarget, toTarget in
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask { try await Self.pass(fromCommand, to: toTarget) }
          group.addTask { try await Self.pass(fromTarget, to: toCommand) }
          // The first failure ends both.
          while try await group.next() != nil {}
        }
      }
    }
  }

  /// Passes on what comes until it ends, and then closes the half.
  private static func pass(
    _ source: NIOAsyncChannelInboundStream<ByteBuffer>,
    to target: NIOAsyncChannelOutboundWriter<ByteBuffer>
  ) async throws {
    for try await part in source { try await target.write(part) }
    target.finish()
  }
}

/// The relays of a command. A class, because they run until they are stopped. It owns their tasks,
/// and may be called on any thread.
final class Relays: Sendable {
  private let tasks = Mutex<[Task<Void, any Error>]>([])

  /// Starts one. Its failure ends it alone: the port is not reached from the namespace then.
  func start(_ relay: LoopbackRelay) {
    let task = Task { try await relay.run() }
    tasks.withLock { $0.append(task) }
  }

  /// Ends all, with their connections.
  func stop() { tasks.withLock { tasks in tasks.forEach { $0.cancel() } } }
}

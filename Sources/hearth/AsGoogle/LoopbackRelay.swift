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
  static let most = 512

  /// A listening socket of the namespace.
  let socket: Int32
  /// Where the port may be, outside: the first address at which somebody listens counts.
  let hosts: [String]
  let port: Int

  /// Carries connections until the task is cancelled.
  func run() async throws {
    try await listener().executeThenClose { connections in
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

  /// Has the socket listen, and takes it over.
  func listener() async throws -> NIOAsyncChannel<AcceptedConnection, Never> {
    try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      // A half that is closed is closed on the other side too, and what the other half still sends
      // goes through.
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      // Bytes wait in the kernel until somebody carries the connection.
      .childChannelOption(.autoRead, value: false)
      .bind(socket) { $0.eventLoop.makeSucceededFuture(AcceptedConnection($0)) }
  }

  fileprivate typealias Connection = NIOAsyncChannel<ByteBuffer, ByteBuffer>

  fileprivate static func wrapped(_ channel: any Channel) -> EventLoopFuture<Connection> {
    channel.eventLoop.makeCompletedFuture { try wrappedNow(channel) }
  }

  /// On the connection's loop.
  fileprivate static func wrappedNow(_ channel: any Channel) throws -> Connection {
    try Connection(
      wrappingChannelSynchronously: channel,
      configuration: .init(isOutboundHalfClosureEnabled: true))
  }

  /// A connection that fails ends: the command sees it closed.
  func carry(_ accepted: AcceptedConnection) async {
    try? await accepted.connection().executeThenClose { fromCommand, toCommand in
      guard let target = await target() else { return }
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

  /// Nil where nobody listens.
  private func target() async -> Connection? {
    for host in hosts {
      let connection = try? await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .channelOption(.allowRemoteHalfClosure, value: true)
        .connect(host: host, port: port) { Self.wrapped($0) }
      if let connection { return connection }
    }
    return nil
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

/// A connection that nobody carries yet. One that nobody takes, as the listener ends, is closed: a
/// class, so that it hears of that. It may be used on any thread.
final class AcceptedConnection: Sendable {
  private let channel: any Channel
  private let isTaken = Atomic(false)

  fileprivate init(_ channel: any Channel) { self.channel = channel }

  deinit {
    if !isTaken.load(ordering: .relaxed) { channel.close(promise: nil) }
  }

  /// Takes it; must be called once. It has to be used up, and its bytes come from now on.
  ///
  /// - Throws: where it has been closed already.
  fileprivate func connection() async throws -> LoopbackRelay.Connection {
    let channel = channel
    let connection = try await channel.eventLoop.submit {
      guard channel.isActive else { throw ChannelError.ioOnClosedChannel }
      let connection = try LoopbackRelay.wrappedNow(channel)
      channel.setOption(.autoRead, value: true).whenFailure { _ in channel.close(promise: nil) }
      return connection
    }.get()
    isTaken.store(true, ordering: .relaxed)
    return connection
  }
}

/// The relays of a command. A class, because they run until they are stopped. It owns their tasks,
/// and may be called on any thread.
final class Relays: Sendable {
  private let tasks = Mutex<[Task<Void, any Error>]>([])

  /// Starts one. Its failure ends it alone: the port is not reached from the namespace then.
  func start(_ relay: LoopbackRelay) { start { try await relay.run() } }

  /// The same for a port at which somebody may listen.
  func start(_ port: KeptPort) { start { try await port.run() } }

  private func start(_ run: @escaping @Sendable () async throws -> Void) {
    let task = Task { try await run() }
    tasks.withLock { $0.append(task) }
  }

  /// Ends all, with their connections.
  func stop() { tasks.withLock { tasks in tasks.forEach { $0.cancel() } } }
}

import NIOCore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A port of this machine that a command in a namespace reaches too, and at which somebody listens or
/// does not.
///
/// The socket of the namespace listens as long as somebody does outside. So a command that waits for a
/// service is refused until it is there, as it would be outside. A service that ends is noticed a moment
/// later; until then, connections are closed as soon as they are made.
struct KeptPort: Sendable {
  private static let interval = Duration.milliseconds(100)
  /// A service may listen at either address.
  private static let hosts = ["127.0.0.1", "::1"]

  private let socket: Int32
  private let port: Int

  /// Takes over a socket that listens, and has it refuse connections where nobody listens outside.
  init(_ socket: Int32, port: Int) {
    self.socket = socket
    self.port = port
    if !ListeningPorts.contains(port) { Self.refuse(socket) }
  }

  /// In Linux, a listening socket that is shut down keeps its port, refuses connections, and can listen
  /// again.
  private static func refuse(_ socket: Int32) { shutdown(socket, Int32(SHUT_RD)) }

  /// Carries connections until the task is cancelled.
  func run() async throws {
    defer { close(socket) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      var count = 0
      while true {
        try await wait(until: true)
        // The listener closes its own descriptor of the socket.
        let relay = LoopbackRelay(socket: dup(socket), hosts: Self.hosts, port: port)
        let listener = try await relay.listener()
        group.addTask {
          try await wait(until: false)
          listener.channel.close(promise: nil)
        }
        try await listener.executeThenClose { connections in
          for try await connection in connections {
            if count == LoopbackRelay.most { try await group.next() } else { count += 1 }
            group.addTask { await relay.carry(connection) }
          }
        }
        Self.refuse(socket)
      }
    }
  }

  private func wait(until isListening: Bool) async throws {
    while ListeningPorts.contains(port) != isListening { try await Task.sleep(for: Self.interval) }
  }
}

import GRPCCore
import GRPCNIOTransportHTTP2Posix
import ServiceLifecycle

/// A gRPC server whose connections come from ports that others opened.
///
/// It is made when the first of them comes: who tests without Firestore, or over REST, neither waits
/// for it nor keeps it in memory.
struct GRPCService: Service {
  let connections: AdoptedConnections
  private let services: [any RegistrableRPCService]

  init(
    _ services: [any RegistrableRPCService], connections: AdoptedConnections = .init()
  ) {
    self.connections = connections
    self.services = services
  }

  /// Serves until it is told to stop or cancelled; connections get a moment to end.
  func run() async throws {
    defer { connections.serverEnded() }
    do { try await connections.firstHasCome() } catch { return }
    let server = GRPCServer(
      transport: AdoptingTransport(listenerFactory: connections, config: .longLived),
      services: services, interceptors: [StreamCancellation()])
    // A task of its own, because it must not be cancelled: a stream that arrives when the loop that
    // takes streams is cancelled is dropped, and for that NIO ends the process.
    let serving = Task(executorPreference: EventLoopExecutor.shared) { try await server.serve() }
    do {
      try await withTaskCancellationHandler {
        try await withGracefulShutdownHandler {
          try await serving.value
        } onGracefulShutdown: {
          server.beginGracefulShutdown()
        }
      } onCancel: {
        server.beginGracefulShutdown()
      }
    } catch {
      // To be stopped before it has begun is no failure.
      if !Task.isCancelled && !Task.isShuttingDownGracefully { throw error }
    }
  }
}

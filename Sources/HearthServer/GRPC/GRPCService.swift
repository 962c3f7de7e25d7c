import GRPCCore
import GRPCNIOTransportHTTP2Posix
import ServiceLifecycle

/// A gRPC server whose connections come from ports that others opened.
struct GRPCService: Service {
  let connections: AdoptedConnections
  private let server: GRPCServer<AdoptingTransport>

  init(
    _ services: [any RegistrableRPCService], connections: AdoptedConnections = .init()
  ) {
    self.connections = connections
    server = GRPCServer(
      transport: AdoptingTransport(listenerFactory: connections, config: .longLived),
      services: services, interceptors: [StreamCancellation()])
  }

  /// Serves until it is told to stop; connections get a moment to end.
  func run() async throws {
    defer { connections.serverEnded() }
    try await withGracefulShutdownHandler {
      do {
        try await server.serve()
      } catch {
        // To be stopped before it has begun, or at once, is no failure.
        if !Task.isCancelled && !Task.isShuttingDownGracefully { throw error }
      }
    } onGracefulShutdown: {
      server.beginGracefulShutdown()
    }
  }
}

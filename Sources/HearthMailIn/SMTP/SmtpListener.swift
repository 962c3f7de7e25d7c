package import HearthSMTP
package import HearthSettings
package import HearthTransport
import NIOCore
import NIOExtras
import NIOPosix
import ServiceLifecycle

/// A port of SMTP, and the flag that chooses its number.
package struct SmtpPlan: Sendable {
  package let role: PortRole
  package let port: Int
  /// For messages about the port.
  package let flag: String
  package let options: SmtpOptions

  /// What users call it.
  package var name: String { role == .smtpTLS ? "SMTP with STARTTLS" : "SMTP" }

  /// The ports that the configuration asks for. STARTTLS has one of its own, because most clients
  /// use it wherever it is offered, and do not trust its certificate (record 0055).
  package static func all(_ configuration: Configuration) -> [SmtpPlan] {
    var options = SmtpOptions()
    options.message = configuration.limits.mail
    var plans: [SmtpPlan] = []
    if let port = configuration.smtpPort {
      plans.append(SmtpPlan(role: .smtp, port: port, flag: "--smtp-port", options: options))
    }
    options.offersTLS = true
    if let port = configuration.smtpTLSPort {
      plans.append(SmtpPlan(role: .smtpTLS, port: port, flag: "--smtp-tls-port", options: options))
    }
    return plans
  }
}

/// One port of SMTP: accepts connections, each of which has a handler with a session. It runs on
/// the shared event loops, and owns the listening sockets for as long as `run` does: that of ::1
/// beside that of 127.0.0.1, where there is one.
package struct SmtpListener: Sendable {
  /// More connections wait in the kernel's queue. Those beyond the sessions get a refusal.
  private static let connections = SmtpService.mostSessions + 50

  package let host: String
  package let plan: SmtpPlan
  package let service: SmtpService

  package init(host: String, plan: SmtpPlan, service: SmtpService) {
    self.host = host
    self.plan = plan
    self.service = service
  }

  /// Serves until the task is cancelled or the service is shut down gracefully. Open sessions get
  /// 421 then, and `run` returns when the last one has ended.
  ///
  /// - Parameter onBound: called once, with the number of the port, which the system chooses where
  ///   0 was asked for.
  /// - Throws: errors of the system where the port cannot be opened.
  package func run(onBound: @escaping @Sendable (Int) async -> Void) async throws {
    let loops = MultiThreadedEventLoopGroup.singleton
    let load = PortLoad(most: Self.connections)
    let (server, quiescing) = try await open(host, port: plan.port, load: load, loops: loops)
    var second: (server: any Channel, quiescing: ServerQuiescingHelper)?
    if let twin = LoopbackTwin(of: server.localAddress) {
      second = try? await open(twin.host, port: twin.port, load: load, loops: loops)
    }
    let end = server.eventLoop.makePromise(of: Void.self)
    let secondEnd = second?.server.eventLoop.makePromise(of: Void.self)
    let stop = Signal()
    stop.whenItComes { [second] in
      quiescing.initiateShutdown(promise: end)
      second?.quiescing.initiateShutdown(promise: secondEnd)
    }
    await withTaskCancellationHandler {
      await withGracefulShutdownHandler {
        await onBound(server.localAddress?.port ?? plan.port)
        try? await end.futureResult.get()
        try? await secondEnd?.futureResult.get()
      } onGracefulShutdown: {
        stop.come()
      }
    } onCancel: {
      stop.come()
    }
  }

  private func open(
    _ host: String, port: Int, load: PortLoad, loops: any EventLoopGroup
  ) async throws -> (server: any Channel, quiescing: ServerQuiescingHelper) {
    let quiescing = ServerQuiescingHelper(group: loops)
    let server = try await ServerBootstrap(group: loops)
      .serverChannelOption(.backlog, value: 256)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      // After the last command a script may close its half; it still gets its replies.
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .serverChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          try pipeline.addHandler(PortAdmission(load))
          try pipeline.addHandler(quiescing.makeServerChannelHandler(channel: channel))
        }
      }
      .childChannelInitializer { [service, plan] channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(
            SmtpConnectionHandler(service, options: plan.options))
        }
      }
      .bind(host: host, port: port).get()
    return (server, quiescing)
  }
}

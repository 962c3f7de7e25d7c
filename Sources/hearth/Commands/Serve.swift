import ArgumentParser
import HearthServer
import Logging
import ServiceLifecycle

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// `hearth serve`: starts the emulator and runs until it is stopped.
struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Start the emulator. This is what hearth does by default.",
    discussion: "Each flag has an environment variable, such as HEARTH_AUTH_PORT for --auth-port.")

  @OptionGroup var options: ServerOptions

  func run() async throws { try await Self.run(try options.configuration()) }

  /// Serves until it is stopped.
  static func run(_ configuration: HearthServer.Configuration) async throws {
    OpenFiles.raiseLimit()
    let stop = Stop()
    await stop.handleSignals()
    var configuration = configuration
    // As if somebody had stopped it from outside.
    configuration.onShutdown = { kill(getpid(), SIGTERM) }
    let console = ConsoleLog(logLevel: configuration.logLevel, output: .standardOutput)
    let logger = Logger(label: "hearth") { _ in console }
    let hearth = try Hearth(configuration, logger: logger)
    let group = ServiceGroup(
      configuration: ServiceGroupConfiguration(
        services: [.init(service: Serving(hearth: hearth))],
        logger: Logger(label: "hearth.life") { _ in
          ConsoleLog(logLevel: .error, output: .standardError)
        }
      ).stopping(within: .seconds(1)))
    stop.watch(hearth) { Task { await group.triggerGracefulShutdown() } }
    async let running: Void = group.run()
    if let addresses = await hearth.addresses() {
      hearth.writeLocator(addresses)
      if let directory = configuration.trustDirectory,
        var contents = try hearth.trustContents(addresses)
      {
        contents.serviceAccount = try await hearth.serviceAccountFile()
        try TrustFolder(directory).write(contents)
      }
      Banner(
        configuration, addresses, hearth.googleHosts, hearth.network,
        fingerprint: try hearth.phoneAuthorityFingerprint()
      ).lines.forEach(console.write)
    }
    try await running
  }
}

/// The server as a service of the group, which tells it to stop.
private struct Serving: Service {
  let hearth: Hearth

  func run() async throws { try await hearth.run() }
}

extension ServiceGroupConfiguration {
  /// Requests that are held open, waiting for a mail, are cut off when this time is over.
  func stopping(within duration: Duration) -> ServiceGroupConfiguration {
    var configuration = self
    configuration.maximumGracefulShutdownDuration = duration
    return configuration
  }
}

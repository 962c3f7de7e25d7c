import ArgumentParser
import HearthGoogle
import HearthInstances
import HearthServer
import HearthSettings
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
  @OptionGroup(title: "The rest of the suite") var rest: RestOptions

  func run() async throws { try await Self.run(try options.configuration(), rest: rest.wish()) }

  /// Serves until it is stopped.
  static func run(
    _ configuration: HearthSettings.Configuration, rest wish: Rest.Wish? = nil
  ) async throws {
    OpenFiles.raiseLimit()
    let rest = try Rest.found(wish, beside: configuration)
    let stop = Stop(patience: rest == nil ? Stop.patience : RestRun.patience)
    await stop.handleSignals()
    var configuration = rest?.applied(to: configuration) ?? configuration
    // As if somebody had stopped it from outside.
    configuration.onShutdown = { kill(getpid(), SIGTERM) }
    let console = ConsoleLog(logLevel: configuration.logLevel, output: .standardOutput)
    let logger = Logger(label: "hearth") { _ in console }
    let hearth = try Hearth(configuration, logger: logger)
    let restRun = try rest.map { try RestRun($0, show: console.write) }
    stop.atOnce { restRun?.abandon() }
    let group = ServiceGroup(
      configuration: ServiceGroupConfiguration(
        services: [.init(service: Serving(hearth: hearth))],
        logger: Logger(label: "hearth.life") { _ in
          ConsoleLog(logLevel: .error, output: .standardError)
        }
      ).stopping(within: .seconds(1)))
    stop.watch(hearth) {
      Task {
        await restRun?.end()
        await group.triggerGracefulShutdown()
      }
    }
    let running = Task { try await group.run() }
    if let addresses = await hearth.addresses() {
      hearth.writeLocator(addresses)
      let entry = InstanceFolder.standard.announce(configuration, at: addresses)
      defer { withExtendedLifetime(entry) {} }
      if let directory = configuration.trustDirectory,
        var contents = try hearth.trustContents(addresses)
      {
        contents.serviceAccount = try await hearth.serviceAccountFile()
        try TrustFolder(directory).write(contents)
      }
      let others = await restRun?.start(hearth, at: addresses) ?? [:]
      Banner(
        hearth, addresses: addresses, others: others,
        fingerprint: try hearth.phoneAuthorityFingerprint()
      ).lines.forEach(console.write)
      let ended = await running.result
      await restRun?.end()
      try ended.get()
    }
    try await running.value
  }
}

/// The server as a service of the group, which tells it to stop.
private struct Serving: Service, CustomStringConvertible {
  let hearth: Hearth
  /// The group asks for it at the start. Without it, the whole server would be mirrored.
  var description: String { "hearth" }

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

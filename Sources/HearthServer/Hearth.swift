import Foundation
import HearthDialects
import HearthErrors
import HearthFirestore
import HearthIdentityToolkit
import HearthOperations
import HearthSQLite
package import HearthTime
package import HearthTokens
import HearthTriggers
import HearthWire
package import Logging
import NIOCore
import ServiceLifecycle

/// A server: its store, its keys and its ports, put together by ordinary calls.
package struct Hearth: Service, CustomStringConvertible {
  package let configuration: Configuration
  private let store: Store
  private let keys: KeySet
  private let server: ServerFacts
  private let logger: Logger
  /// For each port those that may open it, one after the other.
  private let listeners: [[Listener]]
  private let ports: Ports
  private let plans: [PortPlan]
  private let channels: FirestoreChannels
  private let relay: SmtpRelay?
  private let events: EventDispatch
  private let rules: RulesTable
  private let streams = OpenStreams()
  private let ending = Ending()

  /// Service groups describe their services, even where nobody reads it; left to itself, that is a
  /// walk through everything the server holds, a third of the start.
  package var description: String { "hearth" }

  package init(
    _ configuration: Configuration, clock: any HearthClock = SystemClock(),
    keys sharedKeys: KeySet? = nil, logger: Logger
  ) throws {
    self.configuration = configuration
    // Neither needs the store, which takes as long: a second processor makes them beside it.
    DispatchQueue.global().async {
      _ = EventLoopExecutor.shared
      _ = RouteCatalogue.all
    }
    store = try Store(directory: configuration.dataDirectory, migrations: Schema.migrations)
    let keys = sharedKeys ?? KeySet(directory: configuration.dataDirectory, clock: clock)
    self.keys = keys
    server = ServerFacts(
      defaultProject: configuration.project, profile: configuration.profile,
      clock: clock, functions: FunctionsClient.functions,
      sendsUserEvents: configuration.functionsAddress != nil)
    self.logger = logger
    let faults = Faults()
    let recorder = CallRecorder(server, bytes: configuration.limits.requestLog)
    events = EventDispatch(server, store, recorder, configuration, logger)
    let standardRules = try configuration.ruleset()
    if let standardRules { configuration.report(standardRules, logger) }
    rules = RulesTable(standard: standardRules, budget: configuration.rulesBudget)
    let firestore = try Firestore(
      store: store, clocks: server.clocks, rules: rules, history: configuration.limits.history,
      observer: events, transactionMode: Self.transactionMode(store, server))
    let context = ServerContext(
      store: store, keys: keys, server: server,
      hosts: Hosts(bound: configuration.host, allowed: configuration.allowedHosts),
      faults: faults, recorder: recorder, events: events,
      webhookHosts: WebhookHosts(allowed: configuration.allowedWebhookHosts),
      onShutdown: configuration.onShutdown)
    let admission = Admission(
      server: server, keys: keys, faults: faults, recorder: recorder,
      singleProject: SingleProjectCheck(
        mode: configuration.singleProjectMode, defaultProject: configuration.project,
        logger: logger),
      credentials: FirestoreCredentials(store: store, keys: keys, server: server), logger: logger)
    let calls = FirestoreCalls(admission: admission)
    let methods = FirestoreMethods(firestore: firestore, calls: calls).all
    let dialects = try configuration.dialects()
    channels = FirestoreChannels(firestore: firestore, calls: calls)
    plans = PortPlan.all(configuration, dialects.ports)
    ports = Ports(expected: plans.count)
    let hub = Self.hub(context, configuration, ports)
    let dispatcher = Dispatcher(
      routing: Routing(context.hosts), admission: admission,
      operations: OperationRunner(context, logger: logger),
      context: context, firestore: FirestoreGateway(firestore: firestore, admission: admission),
      channels: channels, dialects: DialectGateway(dialects, store, server), hub: hub,
      logger: logger)
    let limits = configuration.limits.fitting(ports: plans.count)
    listeners = plans.map { [streams] plan in
      plan.listeners(configuration.host, limits, methods, streams, logger, dispatcher.respond(to:))
    }
    relay = try configuration.smtpRelay.map { [store, server] in
      try SmtpRelay($0, store, server, logger)
    }
  }

  /// The hub, which exports the accounts of the default project.
  private static func hub(
    _ context: ServerContext, _ configuration: Configuration, _ ports: Ports
  ) -> HubGateway {
    HubGateway(
      hosts: context.hosts, events: context.events, configuration: configuration,
      addresses: { await addresses(ports, configuration) }
    ) { directory, _ throws(APIError) in
      let export = AccountExport(
        context.store, context.server, projectId: configuration.project)
      let end = try await context.server.files.run { Result { try export.write(to: directory) } }
      if case .failure(let error) = end { throw APIError(.invalidArgument, message: "\(error)") }
    }
  }

  /// The switch of each project; the standard where it cannot be read.
  private static func transactionMode(
    _ store: Store, _ server: ServerFacts
  ) -> @Sendable (String) -> Switches.TransactionMode {
    { projectId in
      let mode = try? store.transaction { transaction throws(APIError) in
        try ProjectTransaction(transaction, projectId: projectId, tenantId: nil, server: server)
          .switches().transactions
      }
      return mode ?? .emulator
    }
  }

  /// Serves until it is stopped, and then finishes what has begun.
  package func run() async throws {
    do {
      try importAccounts()
      try await readKeys()
    } catch {
      await ports.fail()
      throw error
    }
    ending.begin()
    do {
      try await withTaskExecutorPreference(EventLoopExecutor.shared) { try await serve() }
    } catch is CancellationError {
      // Told to stop at once. What is there is exported all the same.
    }
    try finish()
    store.close()
  }

  /// Exports what is to be exported at the end, once, for the first caller. Who comes second waits.
  package func finish() throws {
    if configuration.hubPort != nil {
      HubLocator.remove(HubLocator.path(of: configuration.project))
    }
    try ending.finish(exportAccounts)
  }

  /// Keys that cannot be used end the start, as a broken database does. The first key is made while
  /// the ports are being opened.
  private func readKeys() async throws {
    guard keys.hasStoredKeys else { return }
    try await keys.waitUntilReady()
    for file in keys.exposedFiles {
      logger.warning(
        "Others than its owner can read the signing key \(file). Run: chmod 600 \(file)")
    }
  }

  private func importAccounts() throws {
    guard let path = configuration.importPath else { return }
    let report = try AccountImporter(store, server, projectId: configuration.project).read(path)
    for file in report.files { logger.info("\(file.imported) accounts in \(file.path).") }
    logger.info("Imported \(report.imported) accounts from \(path).")
    if report.lacksConfig {
      logger.warning("\(path) has no config.json; the project's settings stay as they are.")
    }
    for refusal in report.refusals { logger.warning("Not imported: \(refusal)") }
  }

  private func exportAccounts() throws {
    guard let directory = configuration.exportDirectory else { return }
    logger.info("Exporting accounts to \(directory).")
    var told = 0
    try AccountExport(store, server, projectId: configuration.project).write(to: directory) {
      guard $0 - told >= 20_000 else { return }
      told = $0
      logger.info("Exported \($0) accounts so far.")
    }
    logger.info("Exported accounts to \(directory).")
  }

  /// Says it when the data directory is deleted or moved, which nothing else would notice.
  private func watchData() async {
    while !Task.isCancelled, !store.isLost { try? await Task.sleep(for: .seconds(2)) }
    guard !Task.isCancelled else { return }
    logger.error(
      "The database in \(configuration.dataDirectory ?? "") is gone. What is written now is lost.")
  }

  private func serve() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await keys.waitUntilReady() }
      if configuration.rulesPath != nil {
        group.addTask {
          await cancelWhenGracefulShutdown { await configuration.watchRules(rules, logger) }
        }
      }
      if !store.isInMemory {
        group.addTask { await cancelWhenGracefulShutdown { await watchData() } }
      }
      if let relay { group.addTask { await relay.run() } }
      group.addTask { await cancelWhenGracefulShutdown { await events.run() } }
      group.addTask {
        // Answers without an end of their own would hold up the stop.
        try? await gracefulShutdown()
        channels.shutDown()
        streams.close()
        server.changes.close()
      }
      for index in listeners.indices { group.addTask { try await listen(index) } }
      do {
        // Not `waitForAll`, which would wait for the ports that did open.
        while try await group.next() != nil {}
      } catch {
        await ports.fail()
        group.cancelAll()
        throw error
      }
    }
  }

  /// Serves one of the ports.
  private func listen(_ index: Int) async throws {
    let plan = plans[index]
    for (number, listener) in listeners[index].enumerated() {
      do {
        return try await listener.run { port in
          if number > 0 {
            logger.info("Port \(plan.port) is taken; the hub is at \(port) (\(plan.flag)).")
          }
          await ports.bound(port, at: index)
        }
      } catch let error as IOError {
        guard plan.mayMove else { throw plan.failure(error, host: configuration.host) }
      } catch is SocketAddressError.UnknownHost {
        throw ConfigurationError("cannot resolve host \(configuration.host) (--host)")
      }
    }
    logger.warning("There is no hub: no port could be opened for it (\(plan.flag)).")
    await ports.bound(0, at: index)
  }

  /// Writes the file by which other programs find the hub. It goes when the server ends.
  package func writeLocator(_ addresses: Addresses) {
    guard let port = addresses.hubPort else { return }
    HubLocator(addresses, port: port).write(
      to: HubLocator.path(of: configuration.project), logger)
  }

  /// Serves while the body runs, as a test does.
  package func serving<Value: Sendable>(
    _ body: @Sendable (Addresses) async throws -> Value
  ) async throws -> Value {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await run() }
      guard let addresses = await addresses() else {
        try await group.waitForAll()
        throw ConfigurationError("the server ended before it was ready")
      }
      let value = try await body(addresses)
      group.cancelAll()
      return value
    }
  }

  /// The addresses of all ports, once every one is open; nil when one could not be opened.
  package func addresses() async -> Addresses? {
    await Self.addresses(ports, configuration)
  }

  private static func addresses(
    _ ports: Ports, _ configuration: Configuration
  ) async -> Addresses? {
    guard let ports = await ports.all() else { return nil }
    return Addresses(
      host: configuration.host, ports: ports,
      hasUnsignedPort: configuration.unsignedAuthPort != nil, hasHub: configuration.hubPort != nil)
  }
}

import HearthControl
import HearthDialects
import HearthErrors
import HearthEvents
import HearthFirestore
import HearthIdentityToolkit
import HearthMailIn
import HearthObservation
import HearthOperations
import HearthSQLite
import HearthSeeds
package import HearthSettings
import HearthTLS
package import HearthTime
package import HearthTokens
package import HearthTransport
import HearthTriggerEmail
import HearthTriggers
package import HearthWire
package import Logging
import NIOCore
import ServiceLifecycle

/// A server: its store, its keys and its ports, put together by ordinary calls. It owns all of them.
public final class Hearth: Sendable {
  package let configuration: Configuration
  private let store: Store
  private let keys: KeySet
  let server: ServerFacts
  let logger: Logger
  private let listeners: [Listener]
  let ports: Ports
  /// Nil without `--lan`.
  package let network: LocalNetwork?
  let networkListeners: [(PortRole, Listener)]
  let plans: [PortPlan]
  let report = StartReport()
  private let channels: FirestoreChannels
  let smtp: SmtpService
  let smtpPlans: [SmtpPlan]
  let certificates: ServerCertificates
  let fronts: PortFronts
  private let relay: SmtpRelay?
  private let events: EventDispatch
  private let firestore: Firestore
  private let triggerEmail: TriggerEmail
  /// Files of rules and indexes.
  private let files: FileWatch
  private let rules: RulesTable
  private let indexes = IndexTable()
  let exports: Exports
  /// What others run beside this server.
  package let neighbours = Neighbours()
  let faults = Faults(.ofServer)
  private let streams = OpenStreams()
  private let ending = Ending()
  /// Clears the projects of a shared server whose time is over.
  private let closeInTime: @Sendable () async -> Void
  private let handedSockets = HandedSockets()

  package init(
    _ configuration: Configuration, clock: any HearthClock = SystemClock(),
    keys sharedKeys: KeySet? = nil, logger: Logger
  ) throws {
    self.configuration = configuration
    network = try configuration.localNetwork()
    Self.prepare()
    store = try Store(directory: configuration.dataDirectory, migrations: Schema.migrations)
    keys = sharedKeys ?? KeySet(directory: configuration.dataDirectory, clock: clock)
    files = FileWatch(paths: configuration.rulesPaths + configuration.indexFiles.values)
    server = try ServerFacts(configuration, network: network, clock: clock).reading(store)
    self.logger = logger
    let recorder = CallRecorder(server, bytes: configuration.limits.requestLog)
    events = EventDispatch(
      server, store: store, recorder: recorder, configuration: configuration, logger: logger)
    let sharing = try configuration.sharing(store, clock: clock, logger: logger)
    let intake = MailIntake(
      store: store, server: server, faults: faults, clock: clock, recorder: recorder,
      sharing: sharing)
    triggerEmail = try Self.triggerEmail(configuration, intake: intake, logger: logger)
    rules = try configuration.rules(logger)
    try configuration.readIndexes(into: indexes, server: server, logger: logger)
    firestore = try Firestore(
      store: store, clocks: server.clocks, rules: rules, indexes: indexes,
      history: configuration.history, observer: triggerEmail.observer(with: events),
      switches: Self.switches(store, server: server), contends: Self.contention(faults))
    Self.watch(firestore, server: server)
    exports = Exports(
      store, server: server, firestore: firestore, relativeBelow: configuration.exportBelow)
    try events.load(allowing: configuration.outgoingHosts)
    certificates = ServerCertificates(configuration, network: network)
    fronts = try PortFronts(configuration, certificates: certificates, logger: logger)
    smtp = SmtpService(intake: intake, certificates: certificates, logger: logger)
    smtpPlans = SmtpPlan.all(configuration)
    relay = try SmtpRelay(configuration, store: store, server: server, logger: logger)
    let dialects = try configuration.dialects()
    plans = PortPlan.all(configuration, dialectPorts: dialects.ports)
    ports = Ports(plans, smtpPlans: smtpPlans, network: network, logger: logger)
    let context = ServerContext(
      exports: exports, keys: keys,
      network: ServerNetwork(configuration, network: network, fronts: fronts, relay: relay),
      observation: Observation(recorder: recorder, faults: faults, events: events),
      projects: try ProjectParts(
        exports, faults: faults, sharing: sharing, configuration: configuration, logger: logger),
      overview: Self.overview(configuration, ports: ports, startedAt: clock.now))
    closeInTime = { await ProjectControl.parts(of: context).closeInTime() }
    let admission = Admission(context, configuration: configuration, logger: logger)
    let calls = FirestoreCalls(admission: admission)
    let methods = FirestoreMethods(firestore: firestore, calls: calls, exports: exports).all
    channels = FirestoreChannels(firestore: firestore, calls: calls)
    let dispatcher = Dispatcher(
      context, configuration: configuration, admission: admission, intake: intake,
      channels: channels, dialects: DialectGateway(dialects, store: store, server: server),
      google: fronts.google, ports: ports, neighbours: neighbours, logger: logger)
    (listeners, networkListeners) = Self.listeners(
      plans, smtpPorts: smtpPlans.count, configuration: configuration, network: network,
      methods: methods, streams: streams, dispatcher: dispatcher, fronts: fronts)
  }

  /// Serves until it is stopped, and then finishes what has begun.
  package func run() async throws {
    do {
      try checkPorts()
      for warning in configuration.warnings { logger.warning("\(warning)") }
      try undoUnfinishedImports()
      try await importAll()
      try await readSeeds()
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
    if triggerEmail.isWatching { triggerEmail.reportWaiting() }
    try finish()
    store.close()
  }

  /// Exports what is to be exported at the end, once, for the first caller. Who comes second waits.
  package func finish() throws {
    if configuration.hubPort != nil {
      HubLocator.remove(HubLocator.path(of: configuration.project))
    }
    try ending.finish(exportAll)
  }

  /// Keys that cannot be used end the start, as a broken database does. The first key is made while
  /// the ports are being opened.
  private func readKeys() async throws {
    guard keys.hasStoredKeys else { return }
    try await keys.waitUntilReady()
    for file in keys.exposedFiles {
      logger.warning(
        "Other users can read the signing key \(file). Run: chmod 600 \(file)")
    }
  }

  /// Says it when the data directory is deleted or moved, which nothing else would notice. Files live
  /// in the machine's time, not in that of projects.
  private func watchData() async {
    while !Task.isCancelled, !store.isLost { try? await Task.sleep(for: .seconds(2)) }
    guard !Task.isCancelled else { return }
    logger.error(
      "The database in \(configuration.dataDirectory ?? "") is gone. Further writes are lost.")
  }

  /// A server without a key ends, unless it may have one later. A key that is still being made does
  /// not hold up the end.
  private func waitForKey() async throws {
    do {
      try await cancelWhenGracefulShutdown { try await self.keys.waitUntilReady() }
    } catch is CancellationError {
    } catch let error as KeyError where error.isFullDisk {
      logger.error(
        "\(error). No token can be signed until there is room; each request tries again.")
    }
  }

  private func serve() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { [self] in try await waitForKey() }
      if !files.isEmpty {
        group.addTask { [self] in
          await cancelWhenGracefulShutdown { await self.files.run(self.readAgain) }
        }
      }
      group.addTask { [self] in
        guard let addresses = await addresses() else { return }
        let scheme = configuration.usesTLS ? "https://" : "http://"
        indexes.console = scheme + addresses.authority(addresses.consolePort)
        setPublicURL(addresses)
        await cancelWhenGracefulShutdown { await self.watchTrust() }
      }
      if !store.isInMemory {
        group.addTask { [self] in await cancelWhenGracefulShutdown { await self.watchData() } }
      }
      if let relay { group.addTask { await relay.run() } }
      group.addTask { [self] in await cancelWhenGracefulShutdown { await self.events.run() } }
      group.addTask { [self] in
        await cancelWhenGracefulShutdown { await self.firestore.timeToLive.run(self.firestore) }
      }
      if triggerEmail.isWatching {
        group.addTask { [self] in
          await cancelWhenGracefulShutdown { await self.triggerEmail.run(self.firestore) }
        }
      }
      if configuration.requiresToken {
        group.addTask { [self] in await cancelWhenGracefulShutdown { await self.closeInTime() } }
      }
      group.addTask { [self] in
        // Answers without an end of their own would hold up the stop.
        try? await gracefulShutdown()
        channels.shutDown()
        streams.close()
        server.changes.close()
      }
      for index in listeners.indices {
        group.addTask { [self] in try await listen(index) }
      }
      group.addTask { [self] in try await listenInNetwork() }
      for plan in smtpPlans { group.addTask { [self] in await takeMail(plan) } }
      group.addTask { [self] in await cancelWhenGracefulShutdown { await self.serveHanded() } }
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

  /// Takes over a file of the configuration that has changed.
  private func readAgain(_ path: String) {
    if configuration.rulesPaths.contains(path) {
      configuration.readRulesAgain(path, into: rules, logger: logger)
    }
    if configuration.indexFiles.values.contains(path) {
      configuration.readIndexesAgain(path, into: indexes, logger: logger)
    }
  }

  /// Serves one of the ports.
  private func listen(_ index: Int) async throws {
    let plan = plans[index]
    let candidates = plan.candidates(beside: plans)
    for candidate in candidates {
      do {
        return try await listeners[index].run(on: .port(candidate)) { [self] port in
          let note: Logger.Message? =
            candidate == plan.port || plan.port == 0
            ? nil : "Port \(plan.port) is taken; \(plan.name) is at \(port) (\(plan.flag))."
          await ports.bound(port, to: plan.role, note: note)
        }
      } catch let error as IOError {
        if plan.isNeeded, candidate == candidates.last {
          throw plan.failure(error, host: configuration.host)
        }
      } catch is SocketAddressError.UnknownHost {
        throw ConfigurationError("cannot resolve host \(configuration.host) (--host)")
      }
    }
    await ports.bound(
      0, to: plan.role,
      note: "No port could be opened for \(plan.name) (\(plan.flag) \(plan.port)): it is taken.")
  }

  /// Serves at a listening socket too that was opened in another network, as at the port.
  package func serve(_ socket: Int32, as role: PortRole) {
    handedSockets.add(socket, role: role)
  }

  private func serveHanded() async {
    let roles = plans.map(\.role)
    await handedSockets.serve { [listeners] socket, role in
      guard let index = roles.firstIndex(of: role) else { return }
      try? await listeners[index].run(on: .socket(socket)) { _ in }
    }
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
      group.addTask { [self] in try await run() }
      guard let addresses = await addresses() else {
        try await group.waitForAll()
        throw ConfigurationError("the server ended before it was ready")
      }
      let value = try await body(addresses)
      group.cancelAll()
      return value
    }
  }

  /// What queries of a project's databases have missed of their indexes.
  package func indexReports(of project: String) -> [JSON] {
    indexes.databases(of: project).map { firestore.indexReport(of: $0) }
  }

  /// Which calls brought a token of App Check, of all projects.
  package var appCheckReport: JSON { server.appCheck.report.json }

  /// The addresses of all ports, once every one is open; nil when one could not be opened.
  package func addresses() async -> Addresses? {
    await Self.addresses(ports, configuration: configuration)
  }

  static func addresses(
    _ ports: Ports, configuration: Configuration
  ) async -> Addresses? {
    await ports.all().flatMap { Addresses(host: configuration.host, ports: $0) }
  }
}

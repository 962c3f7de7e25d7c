import Foundation
import HearthDialects
import HearthErrors
import HearthFirestore
import HearthIdentityToolkit
import HearthOperations
import HearthSQLite
package import HearthTime
package import HearthTokens
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
  private let listeners: [Listener]
  private let ports: Ports
  private let plans: [PortPlan]
  private let channels: FirestoreChannels
  private let relay: SmtpRelay?
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
      clock: clock, functions: FunctionsClient(),
      sendsUserEvents: configuration.functionsAddress != nil)
    self.logger = logger
    let faults = Faults()
    let recorder = CallRecorder(server, bytes: configuration.limits.requestLog)
    let standardRules = try configuration.ruleset()
    if let standardRules { configuration.report(standardRules, logger) }
    rules = RulesTable(standard: standardRules, budget: configuration.rulesBudget)
    let firestore = try Firestore(
      store: store, clocks: server.clocks, rules: rules, history: configuration.limits.history,
      transactionMode: Self.transactionMode(store, server))
    let context = ServerContext(
      store: store, keys: keys, server: server,
      hosts: Hosts(bound: configuration.host, allowed: configuration.allowedHosts),
      faults: faults, recorder: recorder, onShutdown: configuration.onShutdown,
      snapshots: try ProjectSnapshots(store, server, faults, firestore, configuration, logger))
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
    let streams = streams
    let dispatcher = Dispatcher(
      routing: Routing(context.hosts), admission: admission,
      operations: OperationRunner(
        context, functionsAddress: configuration.functionsAddress, logger: logger),
      context: context, firestore: FirestoreGateway(firestore: firestore, admission: admission),
      channels: channels, dialects: DialectGateway(dialects, store, server), logger: logger)
    plans = PortPlan.all(configuration, dialects.ports)
    let limits = configuration.limits.fitting(ports: plans.count)
    listeners = plans.map { plan in
      Listener(
        servedPort: plan.servedPort, host: configuration.host, port: plan.port, limits: limits,
        methods: methods, streams: streams, logger: logger, respond: dispatcher.respond(to:))
    }
    relay = try configuration.smtpRelay.map { [store, server] in
      try SmtpRelay($0, store, server, logger)
    }
    ports = Ports(expected: listeners.count)
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
  package func finish() throws { try ending.finish(exportAccounts) }

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
      group.addTask {
        // Answers without an end of their own would hold up the stop.
        try? await gracefulShutdown()
        channels.shutDown()
        streams.close()
        server.changes.close()
      }
      for (index, listener) in listeners.enumerated() {
        group.addTask {
          do {
            try await listener.run { await ports.bound($0, at: index) }
          } catch let error as IOError {
            throw plans[index].failure(error, host: configuration.host)
          } catch is SocketAddressError.UnknownHost {
            throw ConfigurationError("cannot resolve host \(configuration.host) (--host)")
          }
        }
      }
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
    guard let ports = await ports.all() else { return nil }
    return Addresses(
      host: configuration.host, ports: ports,
      hasUnsignedPort: configuration.unsignedAuthPort != nil)
  }
}

/// Where a running server is reached.
package struct Addresses: Sendable {
  package let host: String
  package let authPort: Int
  package let firestorePort: Int
  package let consolePort: Int
  package let unsignedAuthPort: Int?
  /// The ports that dialects have of their own.
  package let dialectPorts: [Int]

  fileprivate init(host: String, ports: [Int], hasUnsignedPort: Bool) {
    self.host = host
    authPort = ports[0]
    firestorePort = ports[1]
    consolePort = ports[2]
    unsignedAuthPort = hasUnsignedPort ? ports[3] : nil
    dialectPorts = Array(ports.dropFirst(hasUnsignedPort ? 4 : 3))
  }

  /// `host:port` as a client on this machine writes it.
  package func authority(_ port: Int) -> String {
    let reachable = host == "0.0.0.0" ? "127.0.0.1" : host == "::" ? "::1" : host
    return reachable.contains(":") ? "[\(reachable)]:\(port)" : "\(reachable):\(port)"
  }
}

/// A port that is to be opened, and the flag that chooses its port.
private struct PortPlan {
  let servedPort: ServedPort
  let port: Int
  let flag: String

  static func all(_ configuration: Configuration, _ dialectPorts: Set<Int>) -> [PortPlan] {
    var plans = [
      PortPlan(
        servedPort: ServedPort(.auth, tokenMode: configuration.tokens),
        port: configuration.authPort,
        flag: "--auth-port"),
      PortPlan(
        servedPort: ServedPort(.firestore, tokenMode: configuration.tokens),
        port: configuration.firestorePort, flag: "--firestore-port"),
      PortPlan(
        servedPort: ServedPort(.console, tokenMode: configuration.tokens),
        port: configuration.consolePort,
        flag: "--console-port"),
    ]
    if let port = configuration.unsignedAuthPort {
      plans.append(
        PortPlan(
          servedPort: ServedPort(.auth, tokenMode: .none), port: port, flag: "--unsigned-auth-port")
      )
    }
    for port in dialectPorts.sorted() {
      plans.append(
        PortPlan(
          servedPort: ServedPort(.dialect, tokenMode: configuration.tokens, dialectPort: port),
          port: port,
          flag: "the dialect's \"serve\""))
    }
    return plans
  }

  func failure(_ error: IOError, host: String) -> any Error {
    switch error.errnoCode {
    case EADDRINUSE:
      ConfigurationError("port \(port) is already in use (choose another with \(flag))")
    case EACCES: ConfigurationError("port \(port) may not be opened (choose another with \(flag))")
    case EADDRNOTAVAIL:
      ConfigurationError("\(host) is not an address of this machine (choose another with --host)")
    default: ConfigurationError("cannot listen on \(host):\(port) (\(flag)): \(error)")
    }
  }
}

/// Collects the ports as they are bound. An actor, because several listeners report at once.
private actor Ports {
  private var ports: [Int?]
  private var hasFailed = false
  private var waiters: [CheckedContinuation<[Int]?, Never>] = []

  init(expected: Int) { ports = Array(repeating: nil, count: expected) }

  func bound(_ port: Int, at index: Int) {
    ports[index] = port
    settle()
  }

  func fail() {
    hasFailed = true
    settle()
  }

  func all() async -> [Int]? {
    await withCheckedContinuation { continuation in
      waiters.append(continuation)
      settle()
    }
  }

  private func settle() {
    let known = ports.compactMap(\.self)
    guard hasFailed || known.count == ports.count else { return }
    for waiter in waiters { waiter.resume(returning: hasFailed ? nil : known) }
    waiters = []
  }
}

import HearthAppCheck
import HearthErrors
import HearthFirestore
import HearthOperations
import HearthSQLite
import HearthSharing
import HearthTLS
import HearthTime
import HearthTransport
import HearthTriggerEmail
import HearthWire
import Logging

/// The parts of a server, as its initialiser puts them together.
extension Hearth {
  /// Neither needs the store, which takes as long to open: a second processor makes them meanwhile.
  static func prepare() {
    // Detached, so that it does not wait for the thread that opens the store. Who needs one of them
    // earlier waits for its lazy initialiser.
    Task.detached {
      _ = EventLoopExecutor.shared
      _ = RouteCatalogue.all
    }
  }

  /// A functions emulator runs the extensions of `firebase.json` by itself. A collection that was
  /// found there is then left to it, or each mail would be sent twice.
  static func triggerEmail(
    _ configuration: Configuration, _ intake: MailIntake, _ logger: Logger
  ) throws(APIError) -> TriggerEmail {
    let isLeft = configuration.foundTriggerEmail && configuration.functionsAddress != nil
    let triggerEmail = TriggerEmail(
      isLeft ? [] : configuration.triggerEmail, store: intake.store,
      clocks: intake.server.clocks, mails: intake, logger: logger)
    try triggerEmail.forgetUnwatched()
    return triggerEmail
  }

  /// Addresses are asked for later, because the ports are not open yet.
  static func overview(
    _ configuration: Configuration, _ ports: Ports, _ startedAt: Timestamp
  ) -> Overview {
    Overview(configuration: configuration, startedAt: startedAt) {
      await addresses(ports, configuration)
    }
  }

  static func hub(
    _ context: ServerContext, _ configuration: Configuration, _ ports: Ports,
    _ neighbours: Neighbours
  ) -> HubGateway {
    HubGateway(
      hosts: context.hosts, events: context.events, configuration: configuration,
      addresses: { await addresses(ports, configuration) }, exports: context.exports,
      neighbours: neighbours)
  }

  /// The switches of each project; the initial ones where they cannot be read.
  ///
  /// Those that are known are taken from memory, without a transaction.
  static func switches(
    _ store: Store, _ server: ServerFacts
  ) -> @Sendable (String) -> Switches {
    { projectId in
      if let known = server.knownSwitches(of: projectId) { return known }
      let switches = try? store.transaction { transaction throws(APIError) in
        try ProjectTransaction(transaction, projectId: projectId, tenantId: nil, server: server)
          .switches()
      }
      return switches ?? server.initialSwitches
    }
  }

  /// Whether a fault aborts a commit of that caller. Asked before each commit.
  static func contention(
    _ faults: Faults
  ) -> @Sendable (DatabaseName, FirestoreCaller) -> Bool {
    { database, caller in faults.contends(in: database.project, email: caller.email) }
  }

  /// What a change of rules or switches sets off.
  static func watch(_ firestore: Firestore, _ server: ServerFacts) {
    tellOfRules(server, firestore.rules)
    watchSwitches(server, firestore)
  }

  /// Tells those who watch that rules have changed, of whichever project.
  private static func tellOfRules(_ server: ServerFacts, _ rules: RulesTable) {
    rules.observe { [changes = server.changes] in
      guard changes.isWatched else { return }
      changes.publish([.eventEverywhere(name: "rules.changed", [:])])
    }
  }

  /// Documents may be due when their deletion is not delayed any more.
  private static func watchSwitches(_ server: ServerFacts, _ firestore: Firestore) {
    server.changes.observe { [timeToLive = firestore.timeToLive] changes in
      for case .event(let project, "switches.changed", _) in changes {
        timeToLive.reconsider(project)
      }
    }
  }

  /// One listener for each port, in the order of the plans, and one more for those that the local
  /// network reaches.
  static func listeners(
    _ plans: [PortPlan], _ configuration: Configuration, _ network: LocalNetwork?,
    _ listener: (PortPlan, String) -> Listener
  ) -> ([Listener], [(PortRole, Listener)]) {
    (
      plans.map { listener($0, configuration.host) },
      network.map { network in
        plans.filter(\.isForNetwork).map { ($0.role, listener($0, network.address)) }
      } ?? []
    )
  }
}

extension Hosts {
  init(_ configuration: Configuration, _ network: LocalNetwork?) {
    self.init(
      bound: configuration.host, allowed: configuration.allowedHosts,
      network: network?.reached,
      opensControlToNetwork: configuration.opensControlToNetwork)
  }
}

extension Dispatcher {
  init(
    _ context: ServerContext, _ configuration: Configuration, _ admission: Admission,
    _ firestore: Firestore, _ channels: FirestoreChannels, _ dialects: DialectGateway,
    _ ports: Ports, _ neighbours: Neighbours, _ logger: Logger
  ) {
    self.init(
      routing: Routing(context.hosts), admission: admission,
      operations: OperationRunner(context, logger: logger), context: context,
      firestore: FirestoreGateway(firestore: firestore, admission: admission), channels: channels,
      dialects: dialects,
      hub: Hearth.hub(context, configuration, ports, neighbours), mailAPI: MailAPIGateway(context),
      logger: logger)
  }
}

extension Admission {
  init(_ context: ServerContext, _ configuration: Configuration, _ logger: Logger) {
    let appCheck = AppCheckJudge(context.server, store: context.store)
    self.init(
      store: context.store, server: context.server, hosts: context.hosts, keys: context.keys,
      faults: context.faults, recorder: context.recorder,
      singleProject: SingleProjectCheck(
        mode: configuration.singleProjectMode, defaultProject: configuration.project,
        logger: logger),
      credentials: FirestoreCredentials(
        store: context.store, keys: context.keys, server: context.server,
        sharing: context.sharing?.projects),
      appCheck: appCheck,
      appCheckWatch: AppCheckWatch(appCheck, server: context.server, store: context.store),
      sharing: context.sharing, logger: logger)
  }
}

extension ServerCertificates {
  /// For the host that the server listens on, and the names that it is reached by.
  ///
  /// Their times are the machine's, by which clients judge them, and not a project's. What phones
  /// trust is made for one run (record 0071).
  convenience init(_ configuration: Configuration, _ network: LocalNetwork?) {
    let isForPhones = configuration.offersAuthorityToPhones
    self.init(
      dataDirectory: configuration.dataDirectory,
      names: configuration.allowedHosts + [configuration.host]
        + (isForPhones ? network?.names ?? [] : []),
      clock: SystemClock(), days: isForPhones ? configuration.trustDays : nil)
  }
}

extension OperationRunner {
  init(_ context: ServerContext, logger: Logger) {
    self.init(
      store: context.store, keys: context.keys, server: context.server, hosts: context.hosts,
      events: context.events, logger: logger)
  }
}

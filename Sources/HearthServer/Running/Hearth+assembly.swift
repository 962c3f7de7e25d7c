import HearthAppCheck
import HearthControl
import HearthDirectory
import HearthErrors
import HearthEvents
import HearthFirestore
import HearthGoogle
import HearthMailIn
import HearthObservation
import HearthOperations
import HearthSQLite
import HearthSeeds
import HearthSettings
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
    _ configuration: Configuration, intake: MailIntake, logger: Logger
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
    _ configuration: Configuration, ports: Ports, startedAt: Timestamp
  ) -> Overview {
    Overview(configuration: configuration, startedAt: startedAt) {
      await addresses(ports, configuration: configuration)
    }
  }

  static func hub(
    _ context: ServerContext, configuration: Configuration, ports: Ports,
    neighbours: Neighbours
  ) -> HubGateway {
    HubGateway(
      hosts: context.network.hosts, events: context.observation.events,
      configuration: configuration,
      addresses: { await addresses(ports, configuration: configuration) }, exports: context.exports,
      neighbours: neighbours)
  }

  /// The switches of each project; the initial ones where they cannot be read.
  ///
  /// Those that are known are taken from memory, without a transaction.
  static func switches(
    _ store: Store, server: ServerFacts
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
  static func watch(_ firestore: Firestore, server: ServerFacts) {
    tellOfRules(server, rules: firestore.rules)
    watchSwitches(server, firestore: firestore)
  }

  /// Tells those who watch that rules have changed, of whichever project.
  private static func tellOfRules(_ server: ServerFacts, rules: RulesTable) {
    rules.observe { [changes = server.changes] in
      guard changes.isWatched else { return }
      changes.publish([.eventEverywhere(name: "rules.changed", [:])])
    }
  }

  /// Documents may be due when their deletion is not delayed any more.
  private static func watchSwitches(_ server: ServerFacts, firestore: Firestore) {
    server.changes.observe { [timeToLive = firestore.timeToLive] changes in
      for case .event(let project, "switches.changed", _) in changes {
        timeToLive.reconsider(project)
      }
    }
  }

  /// One listener for each port, in the order of the plans, and one more for those that the local
  /// network reaches.
  static func listeners(
    _ plans: [PortPlan], smtpPorts: Int, configuration: Configuration, network: LocalNetwork?,
    methods: GRPCMethods, streams: OpenStreams, dispatcher: Dispatcher, fronts: PortFronts
  ) -> ([Listener], [(PortRole, Listener)]) {
    let webPorts = plans.count * (network == nil ? 1 : 2)
    let limits = configuration.limits.fitting(ports: webPorts + smtpPorts)
    func listener(_ plan: PortPlan, host: String) -> Listener {
      plan.listener(
        host, limits: limits, isFirestoreAsProduction: configuration.isFirestoreAsProduction,
        methods: methods, streams: streams, dispatcher: dispatcher, fronts: fronts)
    }
    return (
      plans.map { listener($0, host: configuration.host) },
      network.map { network in
        plans.filter(\.isForNetwork).map { ($0.role, listener($0, host: network.address)) }
      } ?? []
    )
  }
}

extension TriggerEmail {
  /// What sees the commits: events, and mails where a collection of them is watched.
  func observer(with events: EventDispatch) -> any CommitObserver {
    isWatching ? CommitObservers([events, self]) : events
  }
}

extension Hosts {
  init(_ configuration: Configuration, network: LocalNetwork?) {
    self.init(
      bound: configuration.host, allowed: configuration.allowedHosts,
      network: network?.reached,
      opensControlToNetwork: configuration.opensControlToNetwork)
  }
}

extension Dispatcher {
  init(
    _ context: ServerContext, configuration: Configuration, admission: Admission,
    intake: MailIntake, channels: FirestoreChannels, dialects: DialectGateway,
    google: GoogleGateway?, ports: Ports, neighbours: Neighbours, logger: Logger
  ) {
    self.init(
      routing: Routing(context.network.hosts), admission: admission,
      operations: OperationRunner(context, logger: logger), context: context,
      firestore: FirestoreGateway(firestore: context.exports.firestore, admission: admission),
      channels: channels, dialects: dialects,
      hub: Hearth.hub(context, configuration: configuration, ports: ports, neighbours: neighbours),
      mailAPI: MailAPIGateway(
        intake, hosts: context.network.hosts,
        texts: SMSAPIGateway(
          intake, hosts: context.network.outgoingHosts,
          caller: FunctionsClient.events(context.network.outgoingHosts))),
      google: google, logger: logger)
  }
}

extension ServerNetwork {
  init(
    _ configuration: Configuration, network: LocalNetwork?, fronts: PortFronts, relay: SmtpRelay?
  ) {
    self.init(
      hosts: Hosts(configuration, network: network), trust: fronts.trust,
      refusedHosts: fronts.google?.refused,
      outgoingHosts: configuration.outgoingHosts, relay: relay)
  }
}

extension ProjectParts {
  init(
    _ exports: Exports, faults: Faults, sharing: Sharing?, configuration: Configuration,
    logger: Logger
  ) throws(APIError) {
    self.init(
      snapshots: try ProjectSnapshots(
        exports.store, server: exports.server, faults: faults, firestore: exports.firestore,
        configuration: configuration, logger: logger),
      directory: AccountDirectory(exports.store), sharing: sharing)
  }
}

extension EventDispatch {
  convenience init(
    _ server: ServerFacts, store: Store, recorder: CallRecorder, configuration: Configuration,
    logger: Logger
  ) {
    self.init(
      server, store: store, recorder: recorder, configuration: configuration, logger: logger,
      caller: FunctionsClient.events(configuration.outgoingHosts))
  }
}

extension Admission {
  init(_ context: ServerContext, configuration: Configuration, logger: Logger) {
    let appCheck = AppCheckJudge(context.server, store: context.store)
    self.init(
      store: context.store, server: context.server, hosts: context.network.hosts,
      keys: context.keys, faults: context.observation.faults,
      recorder: context.observation.recorder,
      singleProject: SingleProjectCheck(
        mode: configuration.singleProjectMode, defaultProject: configuration.project,
        logger: logger),
      credentials: FirestoreCredentials(
        store: context.store, keys: context.keys, server: context.server,
        sharing: context.projects.sharing?.projects),
      appCheck: appCheck,
      appCheckWatch: AppCheckWatch(appCheck, server: context.server, store: context.store),
      sharing: context.projects.sharing, logger: logger)
  }
}

extension ServerCertificates {
  /// For the host that the server listens on, and the names that it is reached by.
  ///
  /// Their times are the machine's, by which clients judge them, and not a project's. What phones
  /// trust is made for one run (record 0071).
  convenience init(_ configuration: Configuration, network: LocalNetwork?) {
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
      store: context.store, keys: context.keys, server: context.server,
      hosts: context.network.hosts, events: context.observation.events, logger: logger)
  }
}

import HearthTokens
import NIOCore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What a port of the server is for.
package enum PortRole: Hashable {
  case auth
  case firestore
  case console
  case unsignedAuth
  case hub
  /// SMTP without TLS, and with STARTTLS.
  case smtp
  case smtpTLS
  case mailAPI
  /// Google's hosts over TLS, the proxy that leads there, and the metadata server.
  case google
  case proxy
  case metadata
  /// A port of dialects, by the number that they ask for.
  case dialect(Int)
}

/// Where a running server is reached.
package struct Addresses: Sendable {
  package let host: String
  package let authPort: Int
  package let firestorePort: Int
  package let consolePort: Int
  /// Where tokens are unsigned whatever the mode; nil without such a port.
  package let unsignedAuthPort: Int?
  /// The ports that dialects have of their own.
  package let dialectPorts: [Int]
  /// Nil without a hub.
  package let hubPort: Int?
  /// Nil where mail is not taken over SMTP, without TLS or with it.
  package let smtpPort: Int?
  package let smtpTLSPort: Int?
  /// Nil where the send APIs are not served.
  package let mailAPIPort: Int?
  /// Nil unless the server runs as Google.
  package let googlePort: Int?
  package let proxyPort: Int?
  package let metadataPort: Int?

  /// Nil where one of the three ports that every server has is missing.
  init?(host: String, ports: [PortRole: Int]) {
    guard let auth = ports[.auth], let firestore = ports[.firestore], let console = ports[.console]
    else { return nil }
    self.host = host
    authPort = auth
    firestorePort = firestore
    consolePort = console
    unsignedAuthPort = ports[.unsignedAuth]
    // 0 where no port could be opened.
    let opened = ports.filter { $0.value > 0 }
    hubPort = opened[.hub]
    smtpPort = opened[.smtp]
    smtpTLSPort = opened[.smtpTLS]
    mailAPIPort = opened[.mailAPI]
    googlePort = opened[.google]
    proxyPort = opened[.proxy]
    metadataPort = opened[.metadata]
    dialectPorts = ports.compactMap { role, port in
      if case .dialect = role { port } else { nil }
    }.sorted()
  }

  /// `host:port` as a client on this machine writes it.
  package func authority(_ port: Int) -> String {
    let reachable = reachableHost
    return reachable.contains(":") ? "[\(reachable)]:\(port)" : "\(reachable):\(port)"
  }

  /// The host as a client on this machine names it.
  package var reachableHost: String {
    host == "0.0.0.0" ? "127.0.0.1" : host == "::" ? "::1" : host
  }
}

/// A port that is to be opened, and the flag that chooses its number. A value; the listener is made
/// of it once the rest of the server is there.
struct PortPlan {
  let role: PortRole
  let servedPort: ServedPort
  /// 0 has the system choose.
  let port: Int
  let flag: String
  /// Whether another port will do where this one is taken.
  let mayMove: Bool
  /// What is missing where the port is taken; nil where the server cannot do without it.
  let missing: String?

  private init(
    _ role: PortRole, _ servedPort: ServedPort, _ port: Int, _ flag: String, mayMove: Bool = false,
    missing: String? = nil
  ) {
    self.role = role
    self.servedPort = servedPort
    self.port = port
    self.flag = flag
    self.mayMove = mayMove
    self.missing = missing
  }

  /// The ports that the configuration asks for, without those of SMTP.
  static func all(_ configuration: Configuration, _ dialectPorts: Set<Int>) -> [PortPlan] {
    let mode = configuration.tokens
    var plans = [
      PortPlan(
        .auth, ServedPort(.auth, tokenMode: mode), configuration.authPort, "--auth-port"),
      PortPlan(
        .firestore, ServedPort(.firestore, tokenMode: mode), configuration.firestorePort,
        "--firestore-port"),
      PortPlan(
        .console, ServedPort(.console, tokenMode: mode), configuration.consolePort,
        "--console-port"),
    ]
    if let port = configuration.unsignedAuthPort {
      plans.append(
        PortPlan(
          .unsignedAuth, ServedPort(.auth, tokenMode: .none), port, "--unsigned-auth-port"))
    }
    for port in dialectPorts.sorted() {
      plans.append(
        PortPlan(
          .dialect(port), ServedPort(.dialect, tokenMode: mode, dialectPort: port), port,
          "the dialect's \"serve\""))
    }
    if let port = configuration.hubPort {
      plans.append(
        PortPlan(
          .hub, ServedPort(.hub, tokenMode: mode), port, "--hub-port", mayMove: true,
          missing: "the hub"))
    }
    if let port = configuration.mailAPIPort {
      plans.append(
        PortPlan(
          .mailAPI, ServedPort(.mailAPI, tokenMode: mode), port, "--mail-api-port",
          missing: "the send APIs of mail providers"))
    }
    return plans + google(configuration)
  }

  private static func google(_ configuration: Configuration) -> [PortPlan] {
    guard configuration.asGoogle else { return [] }
    let mode = configuration.tokens
    let google = ServedPort(.google, tokenMode: mode)
    var plans = [PortPlan(.google, google, configuration.tlsPort, "--tls-port")]
    if let port = configuration.proxyPort {
      plans.append(PortPlan(.proxy, google, port, "--proxy-port"))
    }
    if let port = configuration.metadataPort {
      plans.append(
        PortPlan(.metadata, ServedPort(.metadata, tokenMode: mode), port, "--metadata-port"))
    }
    return plans
  }

  /// The listener of the port, with the beginning of the pipeline and the limits that are its own.
  func listener(
    _ host: String, _ limits: Limits, _ methods: GRPCMethods, _ streams: OpenStreams,
    _ dispatcher: Dispatcher, _ fronts: PortFronts
  ) -> Listener {
    var limits = limits
    // The send APIs are among Google's hosts.
    if [.mailAPI, .google].contains(servedPort.kind) {
      limits.body = max(limits.body, MailAPIGateway.longest)
    }
    let front = fronts.front(of: role)
    var methods = methods
    // On Google's ports, gRPC is served under the names of Google's hosts only.
    if servedPort.isOfGoogle, let google = fronts.google { methods = methods.played(by: google) }
    return Listener(
      host: host, limits: limits, methods: methods,
      answering: RequestAnswering(
        servedPort: servedPort, isSecure: front.isSecure, limits: limits,
        delivery: ReplyDelivery(streams: streams), respond: dispatcher.respond(to:)),
      front: front)
  }

  /// The ports to try, one after the other: the one that was asked for, those after it, and any
  /// that is free.
  var candidates: [Int] {
    guard mayMove, port > 0 else { return [port] }
    return [port] + (port + 1...port + 20).filter { $0 < 65536 } + [0]
  }

  /// What to tell people of a port that cannot be opened, with the flag that helps.
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

/// Collects the ports as they are bound, and lets others wait for all of them.
///
/// An actor, because several listeners report at once. Every port is reported exactly once, with 0
/// where it could not be opened, or ``fail()`` is called. Waiters end in both cases.
actor Ports {
  private typealias Waiter = CheckedContinuation<[PortRole: Int]?, Never>

  /// Ports of this machine that have to be reported.
  private let expected: Int
  /// Ports of the local network that have to be reported.
  private let expectedInNetwork: Int
  private var ports: [PortRole: Int] = [:]
  private var countInNetwork = 0
  private var hasFailed = false
  private var waiters: [Waiter] = []
  private var waitersForNumbers: [Waiter] = []

  init(_ plans: [PortPlan], _ smtpPlans: [SmtpPlan], _ network: LocalNetwork?) {
    expected = plans.count + smtpPlans.count
    expectedInNetwork = network == nil ? 0 : plans.count(where: \.isForNetwork)
  }

  func bound(_ port: Int, to role: PortRole) {
    ports[role] = port
    settle()
  }

  /// The port of a role is open at the address in the local network too, or is not wanted there.
  func boundInNetwork() {
    countInNetwork += 1
    settle()
  }

  /// The server does not start. Waiters get nil.
  func fail() {
    hasFailed = true
    settle()
  }

  /// All of them, once every one is open; nil when one could not be opened.
  func all() async -> [PortRole: Int]? {
    await withCheckedContinuation { continuation in
      waiters.append(continuation)
      settle()
    }
  }

  /// The same, before they are open in the local network.
  func numbers() async -> [PortRole: Int]? {
    await withCheckedContinuation { continuation in
      waitersForNumbers.append(continuation)
      settle()
    }
  }

  /// Lets go those who wait for what is complete. Called after each change, and again by late
  /// callers.
  private func settle() {
    guard hasFailed || ports.count == expected else { return }
    resume(&waitersForNumbers)
    if hasFailed || countInNetwork == expectedInNetwork { resume(&waiters) }
  }

  private func resume(_ waiters: inout [Waiter]) {
    for waiter in waiters { waiter.resume(returning: hasFailed ? nil : ports) }
    waiters = []
  }
}

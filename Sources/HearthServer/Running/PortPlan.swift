import HearthGoogle
import HearthMailIn
import HearthSettings
import HearthTokens
import HearthTransport
import NIOCore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

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
  /// What the log calls what is there.
  let name: String
  /// Whether the server cannot do without it.
  let isNeeded: Bool

  private init(
    _ role: PortRole, servedPort: ServedPort, port: Int, flag: String, mayMove: Bool = false,
    name: String = "", isNeeded: Bool = true
  ) {
    self.role = role
    self.servedPort = servedPort
    self.port = port
    self.flag = flag
    self.mayMove = mayMove
    self.name = name
    self.isNeeded = isNeeded
  }

  /// The ports that the configuration asks for, without those of SMTP.
  static func all(_ configuration: Configuration, dialectPorts: Set<Int>) -> [PortPlan] {
    let mode = configuration.tokens
    var plans = [
      PortPlan(
        .auth, servedPort: ServedPort(.auth, tokenMode: mode), port: configuration.authPort,
        flag: "--auth-port"),
      PortPlan(
        .firestore, servedPort: ServedPort(.firestore, tokenMode: mode),
        port: configuration.firestorePort, flag: "--firestore-port"),
    ]
    if let port = configuration.consolePort {
      plans.append(
        PortPlan(
          .console, servedPort: ServedPort(.console, tokenMode: mode), port: port,
          flag: "--console-port", mayMove: configuration.consoleMayMove, name: "the console"))
    }
    if let port = configuration.unsignedAuthPort {
      plans.append(
        PortPlan(
          .unsignedAuth, servedPort: ServedPort(.auth, tokenMode: .none), port: port,
          flag: "--unsigned-auth-port"))
    }
    for port in dialectPorts.sorted() {
      plans.append(
        PortPlan(
          .dialect(port), servedPort: ServedPort(.dialect, tokenMode: mode, dialectPort: port),
          port: port, flag: "the dialect's \"serve\""))
    }
    if let port = configuration.hubPort {
      plans.append(
        PortPlan(
          .hub, servedPort: ServedPort(.hub, tokenMode: mode), port: port, flag: "--hub-port",
          mayMove: true, name: "the hub", isNeeded: false))
    }
    if let port = configuration.mailAPIPort {
      plans.append(
        PortPlan(
          .mailAPI, servedPort: ServedPort(.mailAPI, tokenMode: mode), port: port,
          flag: "--mail-api-port", name: "the send APIs of mail providers", isNeeded: false))
    }
    return plans + google(configuration)
  }

  private static func google(_ configuration: Configuration) -> [PortPlan] {
    guard configuration.asGoogle else { return [] }
    let mode = configuration.tokens
    let google = ServedPort(.google, tokenMode: mode)
    var plans = [
      PortPlan(.google, servedPort: google, port: configuration.tlsPort, flag: "--tls-port")
    ]
    if let port = configuration.proxyPort {
      plans.append(PortPlan(.proxy, servedPort: google, port: port, flag: "--proxy-port"))
    }
    if let port = configuration.metadataPort {
      plans.append(
        PortPlan(
          .metadata, servedPort: ServedPort(.metadata, tokenMode: mode), port: port,
          flag: "--metadata-port"))
    }
    return plans
  }

  /// The listener of the port, with the beginning of the pipeline and the limits that are its own.
  func listener(
    _ host: String, limits: Limits, isFirestoreAsProduction: Bool, methods: GRPCMethods,
    streams: OpenStreams, dispatcher: Dispatcher, fronts: PortFronts
  ) -> Listener {
    var limits = limits
    // The send APIs are among Google's hosts.
    if [.mailAPI, .google].contains(servedPort.kind) {
      limits.body = max(limits.body, MailAPIGateway.longest)
    }
    let routing = dispatcher.routing
    limits.bound = routing.bounds(
      at: servedPort, within: limits, isFirestoreAsProduction: isFirestoreAsProduction)
    let front = fronts.front(of: role)
    var methods = methods
    // On Google's ports, gRPC is served under the names of Google's hosts only.
    if servedPort.isOfGoogle, let google = fronts.google {
      methods = methods.refused { google.refusal(ofCallAt: $0) }
    }
    return Listener(
      host: host, limits: limits, methods: methods,
      answering: RequestAnswering(
        servedPort: servedPort, isSecure: front.isSecure, limits: limits,
        delivery: ReplyDelivery(streams: streams), rows: routing.rowsAhead(at: servedPort, limits),
        respond: dispatcher.respond(to:)),
      front: front)
  }

  /// The ports to try, one after the other: the one that was asked for, those after it which no
  /// other plan has, and any that is free.
  func candidates(beside plans: [PortPlan]) -> [Int] {
    guard mayMove, port > 0 else { return [port] }
    let planned = Set(plans.map(\.port))
    return [port] + (port + 1...port + 20).filter { $0 < 65536 && !planned.contains($0) } + [0]
  }

  /// What to tell people of a port that somebody else has.
  var takenWords: String {
    let owner = PortOwner(of: port)?.words ?? ""
    return "port \(port) is already in use\(owner) (choose another with \(flag))"
  }

  /// What to tell people of a port that cannot be opened, with the flag that helps.
  func failure(_ error: IOError, host: String) -> any Error {
    switch error.errnoCode {
    case EADDRINUSE: ConfigurationError(takenWords)
    case EACCES: ConfigurationError("port \(port) may not be opened (choose another with \(flag))")
    case EADDRNOTAVAIL:
      ConfigurationError("\(host) is not an address of this machine (choose another with --host)")
    default: ConfigurationError("cannot listen on \(host):\(port) (\(flag)): \(error)")
    }
  }
}

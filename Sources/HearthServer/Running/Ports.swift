import Foundation
import HearthOperations
import HearthTokens
import Logging
import NIOCore

/// Where a running server is reached.
package struct Addresses: Sendable {
  package let host: String
  package let authPort: Int
  package let firestorePort: Int
  package let consolePort: Int
  package let unsignedAuthPort: Int?
  /// The ports that dialects have of their own.
  package let dialectPorts: [Int]
  /// Nil where there is no hub.
  package let hubPort: Int?

  init(host: String, ports: [Int], hasUnsignedPort: Bool, hasHub: Bool) {
    self.host = host
    authPort = ports[0]
    firestorePort = ports[1]
    consolePort = ports[2]
    unsignedAuthPort = hasUnsignedPort ? ports[3] : nil
    dialectPorts = Array(ports.dropFirst(hasUnsignedPort ? 4 : 3).dropLast(hasHub ? 1 : 0))
    // 0 where no port could be had.
    hubPort = hasHub ? ports.last.flatMap { $0 > 0 ? $0 : nil } : nil
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

/// A port that is to be opened, and the flag that chooses its port.
struct PortPlan {
  let servedPort: ServedPort
  let port: Int
  let flag: String
  /// Whether another port will do where this one is taken.
  var mayMove = false

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
    if let port = configuration.hubPort {
      plans.append(
        PortPlan(
          servedPort: ServedPort(.hub, tokenMode: configuration.tokens), port: port,
          flag: "--hub-port", mayMove: true))
    }
    return plans
  }

  /// Those that may open it, one after the other.
  func listeners(
    _ host: String, _ limits: Limits, _ methods: GRPCMethods, _ streams: OpenStreams,
    _ logger: Logger, _ respond: @escaping Listener.Respond
  ) -> [Listener] {
    candidates.map { port in
      Listener(
        servedPort: servedPort, host: host, port: port, limits: limits, methods: methods,
        streams: streams, logger: logger, respond: respond)
    }
  }

  /// The ports to try, one after the other.
  private var candidates: [Int] {
    guard mayMove, port > 0 else { return [port] }
    return [port] + (port + 1...port + 20).filter { $0 < 65536 } + [0]
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
actor Ports {
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

import HearthErrors
import HearthFirestore
import HearthMailIn
import HearthOperations
import HearthQR
import HearthSQLite
import HearthSeeds
package import HearthSettings
import HearthTLS
package import HearthTime
package import HearthTransport
import HearthWire

/// Where the server is reached, what it has loaded, and what one should know of it.
enum GetOverview: ServerOperation {
  struct Parts: ServerParts {
    let overview: Overview
    let exports: Exports
    let network: ServerNetwork

    static func parts(of server: ServerContext) -> Parts {
      Parts(overview: server.overview, exports: server.exports, network: server.network)
    }
  }

  static func run(
    _ request: ServerRequest, with parts: Parts
  ) async throws -> OutgoingReply {
    ReplyWriter.json(try await parts.overview.json(parts.exports, network: parts.network))
  }
}

/// What the overview tells. The addresses are known when all ports are open.
package struct Overview: Sendable {
  let configuration: Configuration
  let startedAt: Timestamp
  let addresses: @Sendable () async -> Addresses?

  package init(
    configuration: Configuration, startedAt: Timestamp,
    addresses: @escaping @Sendable () async -> Addresses?
  ) {
    self.configuration = configuration
    self.startedAt = startedAt
    self.addresses = addresses
  }

  func json(_ exports: Exports, network: ServerNetwork) async throws(APIError) -> JSON {
    let addresses = await addresses()
    return .members([
      "version": .string(HearthVersion.text),
      "startedAt": .string(startedAt.iso8601),
      "now": .string(exports.server.clock.now.iso8601),
      "defaultProject": .string(configuration.project),
      "profile": .string(configuration.profile.rawValue),
      "host": .string(configuration.host),
      "asGoogle": configuration.asGoogle ? true : nil,
      "addresses": addresses.map(Self.json) ?? [:],
      "phones": addresses.flatMap { phones(network.hosts, addresses: $0) },
      "loaded": loaded(relay: network.relay),
      "trustEnds": (network.trust.end?.iso8601).json,
      "warnings": .array(await warnings(exports, network: network).map(\.json)),
    ])
  }

  private static func json(_ addresses: Addresses) -> JSON {
    func address(_ port: Int?) -> JSON? { port.map { .string(addresses.authority($0)) } }
    return .members([
      "auth": address(addresses.authPort), "firestore": address(addresses.firestorePort),
      "console": address(addresses.hasConsole ? addresses.consolePort : nil),
      "hub": address(addresses.hubPort),
      "smtp": address(addresses.smtpPort), "smtpTls": address(addresses.smtpTLSPort),
      "mailApi": address(addresses.mailAPIPort), "google": address(addresses.googlePort),
      "proxy": address(addresses.proxyPort), "metadata": address(addresses.metadataPort),
      "unsignedAuth": address(addresses.unsignedAuthPort),
      "dialects": .strings(addresses.dialectPorts.map(addresses.authority)),
    ])
  }

  /// What the set-up page of phones is, with `--lan`.
  private func phones(_ hosts: Hosts, addresses: Addresses) -> JSON? {
    guard let network = hosts.network else { return nil }
    let url = network.setupURL(addresses, isSecure: configuration.usesTLS)
    return .members([
      "host": .string(network.name), "setupUrl": .string(url), "qrCode": (QRCode(url)?.svg).json,
      "opensControl": .bool(configuration.opensControlToNetwork),
    ])
  }

  private func loaded(relay: SmtpRelay?) -> JSON {
    .members([
      "firebaseJson": configuration.settingsPath.json,
      "rules": configuration.rulesPath.json,
      "databaseRules": .strings(
        configuration.databaseRules.map { "\($0.key): \($0.value)" }.sorted()),
      "indexes": .strings(configuration.indexFiles.values.sorted()),
      "dialects": .strings(configuration.dialectPaths),
      "seeds": .strings(configuration.seedPaths),
      "import": configuration.importPath.json,
      "exportOnExit": configuration.exportDirectory.json,
      "dataDirectory": configuration.dataDirectory.json,
      "smtpRelay": (relay?.address.description).json,
      "functions": configuration.functionsAddress.json,
      "trustDirectory": configuration.trustDirectory.json,
    ])
  }

  // MARK: Warnings

  private struct Warning {
    let code: String
    let message: String

    var json: JSON { .members(["code": .string(code), "message": .string(message)]) }
  }

  private func warnings(
    _ exports: Exports, network: ServerNetwork
  ) async -> [Warning] {
    var warnings: [Warning] = []
    let rules = exports.firestore.rules
    if rules.ruleset(of: configuration.project) == nil {
      let place = configuration.databaseRules.isEmpty ? "Firestore" : "(default)"
      let isProduction = exports.firestore.answersAsProduction(configuration.project)
      warnings.append(
        isProduction
          ? Warning(
            code: "NO_RULES",
            message: "No rules: \(place) refuses every client, as production does. Name a rules "
              + "file with --rules or in firebase.json.")
          : Warning(code: "OPEN_RULES", message: "No rules: \(place) is open to everybody."))
    }
    if configuration.dataDirectory == nil {
      warnings.append(
        Warning(
          code: "IN_MEMORY", message: "All data is in memory and is lost when the server stops."))
    }
    if !Hosts.isLoopback(configuration.host) {
      warnings.append(
        Warning(
          code: "REACHABLE",
          message: "Other machines can reach the server at \(configuration.host)."))
    }
    if let lan = network.hosts.network, let addresses = await addresses() {
      let control = configuration.opensControlToNetwork ? ", and the control endpoints" : ""
      warnings.append(
        Warning(
          code: "LAN",
          message: "Phones reach Auth and Firestore\(control) at \(lan.name). "
            + "Set them up with \(lan.setupURL(addresses, isSecure: configuration.usesTLS))"))
    }
    // In the machine's time, as clients judge certificates by it.
    if let end = network.trust.end, SystemClock().now + .seconds(3600) > end {
      warnings.append(
        Warning(
          code: "TRUST_ENDS",
          message: "The certificates that clients trust expire at \(end.iso8601). Start the server "
            + "again; --trust-days makes them last longer."))
    }
    if exports.store.isLost {
      warnings.append(
        Warning(code: "DATA_LOST", message: "The data directory is gone. Further writes are lost."))
    }
    return warnings
  }
}

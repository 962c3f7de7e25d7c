import HearthGoogle
import HearthQR
import HearthServer
import HearthSettings
import HearthTransport
import NIOCore

/// What is printed when everything can be reached.
struct Banner {
  let lines: [String]

  init(
    _ hearth: Hearth, addresses: Addresses, others: [String: String] = [:],
    fingerprint: String? = nil
  ) {
    let (configuration, google) = (hearth.configuration, hearth.googleHosts)
    let scheme = configuration.usesTLS ? "https" : "http"
    let auth = addresses.authority(addresses.authPort)
    let firestore = addresses.authority(addresses.firestorePort)
    let console = addresses.authority(addresses.consolePort)
    // Without a console, control endpoints are at the port of Auth.
    var ports: [String] = []
    if configuration.only.contains("auth") || !addresses.hasConsole {
      ports.append("auth       \(scheme)://\(auth)")
    }
    if configuration.only.contains("firestore") {
      ports.append("firestore  \(scheme)://\(firestore)")
    }
    if addresses.hasConsole { ports.append("console    \(scheme)://\(console)") }
    if let port = addresses.hubPort {
      ports.append("hub        http://\(addresses.authority(port))")
    }
    if let port = addresses.smtpPort { ports.append("smtp       \(addresses.authority(port))") }
    if let port = addresses.smtpTLSPort {
      ports.append("smtp tls   \(addresses.authority(port)) (STARTTLS)")
    }
    if let port = addresses.mailAPIPort {
      ports.append("mail-api   http://\(addresses.authority(port))")
    }
    if let port = addresses.unsignedAuthPort {
      ports.append("unsigned   \(scheme)://\(addresses.authority(port))")
    }
    ports += addresses.dialectPorts.map { "dialect    http://\(addresses.authority($0))" }
    ports += Self.google(addresses)
    ports += Self.lines(of: others)
    let phones = Self.phones(
      addresses, network: hearth.network, scheme: scheme, fingerprint: fingerprint)
    ports += Self.sharing(configuration)
    lines =
      ports + Self.network(addresses) + phones + [""]
      + Self.loaded(hearth) + [""]
      + (google.map { Self.mode($0, configuration: configuration) } ?? [])
      + Self.hosts(configuration, auth: auth, firestore: firestore) + [
        "export GCLOUD_PROJECT=\(configuration.project)",
        "export HEARTH_CONSOLE_URL=\(scheme)://\(console)",
      ] + Self.hub(addresses) + [
        "",
        "All emulators ready! It is now safe to connect your app.",
      ]
  }

  /// The emulators that run beside this server.
  private static func lines(of others: [String: String]) -> [String] {
    others.sorted { $0.key < $1.key }.map { name, address in
      name + String(repeating: " ", count: max(1, 11 - name.count)) + "http://\(address)"
    }
  }

  /// The operator's token, where nobody has given one: it is in no log.
  private static func sharing(_ configuration: Configuration) -> [String] {
    guard configuration.requiresToken else { return [] }
    guard configuration.hasMadeOperatorToken, let token = configuration.operatorToken else {
      return ["shared     projects are opened with the operator's token"]
    }
    return ["operator   \(token) (for this run; it is shown once)"]
  }

  private static func google(_ addresses: Addresses) -> [String] {
    var ports: [String] = []
    if let port = addresses.googlePort {
      ports.append("google     https://\(addresses.authority(port))")
    }
    if let port = addresses.proxyPort {
      ports.append("proxy      http://\(addresses.authority(port))")
    }
    if let port = addresses.metadataPort {
      ports.append("metadata   http://\(addresses.authority(port))")
    }
    return ports
  }

  /// What programs believe that trust the certificates of this run.
  private static func mode(_ hosts: GoogleHosts, configuration: Configuration) -> [String] {
    let played = hosts.rows.filter { $0.part != .notPlayed && $0.part != .mailAPI }.map(\.host)
    var lines = [
      "AS-GOOGLE: programs that trust the certificates of this run reach Hearth under Google's "
        + "host names: \(played.joined(separator: ", ")), and the APIs of mail providers. Other "
        + "hosts are refused, and nothing is forwarded."
    ]
    if let directory = configuration.trustDirectory {
      lines.append("For a shell: . \(directory)/env.sh")
    }
    return lines + [""]
  }

  /// What tells SDKs of the emulators that are wanted. They speak to emulators without TLS.
  private static func hosts(
    _ configuration: Configuration, auth: String, firestore: String
  ) -> [String] {
    guard !configuration.usesTLS, !configuration.asGoogle else { return [] }
    var lines: [String] = []
    if configuration.only.contains("auth") {
      lines.append("export FIREBASE_AUTH_EMULATOR_HOST=\(auth)")
    }
    if configuration.only.contains("firestore") {
      lines.append("export FIRESTORE_EMULATOR_HOST=\(firestore)")
    }
    return lines
  }

  private static func hub(_ addresses: Addresses) -> [String] {
    addresses.hubPort.map { ["export FIREBASE_EMULATOR_HUB=\(addresses.authority($0))"] } ?? []
  }

  /// What the server has loaded, and where it keeps its data.
  private static func loaded(_ hearth: Hearth) -> [String] {
    let configuration = hearth.configuration
    var lines: [String] = []
    if let path = configuration.settingsPath { lines.append("settings   \(path)") }
    lines += hearth.rulesInForce.map { "rules      \($0)" }
    lines += configuration.dialectPaths.map { "definition \($0)" }
    if let path = configuration.importPath, hearth.hasImported {
      lines.append("imported   \(path)")
    }
    if let words = otherEmulators(configuration) { lines.append("elsewhere  \(words)") }
    lines.append("data       \(configuration.dataDirectory ?? "in memory")")
    return lines
  }

  /// Which emulators of `firebase.json` are not here, and what starts them.
  static func otherEmulators(_ configuration: Configuration) -> String? {
    let others = configuration.otherEmulators
    guard !others.isEmpty else { return nil }
    return "\(others.joined(separator: ", ")): not part of hearth; emulators:start and --with-rest "
      + "start them with firebase-tools"
  }

  /// How phones reach the server, and a code that they read at a terminal.
  private static func phones(
    _ addresses: Addresses, network: LocalNetwork?, scheme: String, fingerprint: String?
  ) -> [String] {
    guard let network else { return [] }
    let url = network.reached.setupURL(addresses, isSecure: scheme == "https")
    var lines = [
      "lan        \(scheme)://\(network.name):\(addresses.authPort) (auth), "
        + "\(scheme)://\(network.name):\(addresses.firestorePort) (firestore)",
      "phones     \(url)",
    ]
    if let fingerprint { lines.append("authority  SHA-256 \(fingerprint)") }
    if !network.others.isEmpty {
      let others = network.others.map { "\($0.address) (\($0.name))" }
      lines.append("others     \(others.joined(separator: ", ")): --lan-host chooses")
    }
    guard OutputFile.standardOutput.isTerminal, let code = QRCode(url) else { return lines }
    return lines + code.terminalLines
  }

  /// How other machines and phones reach a server that listens on all addresses.
  private static func network(_ addresses: Addresses) -> [String] {
    guard ["0.0.0.0", "::"].contains(addresses.host) else { return [] }
    let devices = (try? System.enumerateDevices()) ?? []
    let others = devices.compactMap(\.address?.ipAddress).filter {
      !$0.hasPrefix("127.") && $0 != "::1" && !$0.hasPrefix("fe80") && !$0.isEmpty
        && (addresses.host == "::" || !$0.contains(":"))
    }
    return others.isEmpty
      ? [] : ["network    \(others.joined(separator: ", ")) (at the same ports)"]
  }
}

import HearthServer
import NIOCore

/// What is printed when everything can be reached.
struct Banner {
  let lines: [String]

  init(_ configuration: Configuration, _ addresses: Addresses) {
    let auth = addresses.authority(addresses.authPort)
    let firestore = addresses.authority(addresses.firestorePort)
    let console = addresses.authority(addresses.consolePort)
    var ports = [
      "auth       http://\(auth)",
      "firestore  http://\(firestore)",
      "console    http://\(console)",
    ]
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
      ports.append("unsigned   http://\(addresses.authority(port))")
    }
    ports += addresses.dialectPorts.map { "dialect    http://\(addresses.authority($0))" }
    lines =
      ports + Self.network(addresses) + [""] + Self.loaded(configuration) + [""]
      + Self.hosts(configuration, auth: auth, firestore: firestore) + [
        "export GCLOUD_PROJECT=\(configuration.project)",
        "export HEARTH_CONSOLE_URL=http://\(console)",
      ] + Self.hub(addresses) + [
        "",
        "All emulators ready! It is now safe to connect your app.",
      ]
  }

  /// What tells SDKs of the emulators that are wanted.
  private static func hosts(
    _ configuration: Configuration, auth: String, firestore: String
  ) -> [String] {
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
  private static func loaded(_ configuration: Configuration) -> [String] {
    var lines: [String] = []
    if let path = configuration.settingsPath { lines.append("settings   \(path)") }
    lines.append(
      "rules      \(configuration.rulesPath ?? "none: Firestore is open to everybody")")
    lines += configuration.dialectPaths.map { "definition \($0)" }
    if let path = configuration.importPath { lines.append("imported   \(path)") }
    if let words = otherEmulators(configuration) { lines.append("elsewhere  \(words)") }
    lines.append("data       \(configuration.dataDirectory ?? "in memory")")
    return lines
  }

  /// Which emulators of `firebase.json` are not here, and how to start them.
  static func otherEmulators(_ configuration: Configuration) -> String? {
    let others = configuration.otherEmulators
    guard !others.isEmpty else { return nil }
    return "\(others.joined(separator: ", ")): not part of hearth; firebase emulators:start --only "
      + others.joined(separator: ",")
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

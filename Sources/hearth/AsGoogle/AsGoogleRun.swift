import ArgumentParser
import HearthGoogle
import HearthServer
import HearthSettings
import HearthTransport
import Subprocess

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `hearth exec --as-google`: runs a command for which Hearth is Google.
///
/// Server and command have the same life: the server is ready before the command starts, and ends
/// after it. The command must not reach the real Google by accident, so what would let it is
/// checked before anything starts.
struct AsGoogleRun {
  let name: String
  let arguments: [String]
  let configuration: HearthSettings.Configuration
  let options: AsGoogleOptions
  let reports: ExecReports
  private let inherited = ProcessInfo.processInfo.environment

  /// Ends with the command's status.
  func run() async throws {
    try checkProject()
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    switch try await way(folder.path) {
    case .namespace(let command): try await runIn(command, folder: folder)
    case .proxy: try await runWithProxy(folder)
    }
  }

  private func checkProject() throws {
    guard !configuration.project.hasPrefix("demo-"), !options.allowsRealProject else { return }
    throw ValidationError(
      """
      --as-google: the project '\(configuration.project)' may exist at Google. Choose one that \
      begins with demo-, or pass --allow-real-project: the command cannot reach the real one from \
      a namespace
      """)
  }

  // MARK: The way

  private enum Way {
    case namespace(NamespaceCommand)
    case proxy
  }

  /// A namespace, unless it is not wanted or not to be had. It is made before the server, so that a
  /// failure costs no start.
  private func way(_ folder: String) async throws -> Way {
    var words = "--as-google-mode proxy was chosen"
    if options.mode != .proxy {
      do {
        return .namespace(
          try await NamespaceCommand(
            name, arguments: arguments, folder: folder, names: hosts.names, home: inherited["HOME"])
        )
      } catch let error as NamespaceFailure {
        let lines = NamespaceDiagnosis(failure: error).lines
        guard options.mode == .auto else { throw Self.refusal(lines) }
        words = lines.joined(separator: "; ")
      }
    }
    try checkProxy()
    warn("as-google: no network namespace: \(words)")
    warn(
      "as-google: the command gets a proxy. Programs that ignore it reach the real Google: "
        + "`hearth doctor --as-google` lists them")
    return .proxy
  }

  /// Who reaches the real Google may not have the means to change things there. In a namespace
  /// nobody reaches it.
  private func checkProxy() throws {
    let found = RealCredentials(inherited: inherited).found
    guard !configuration.project.hasPrefix("demo-"), !found.isEmpty else { return }
    throw ConfigurationError(
      """
      --as-google: without a namespace, programs that ignore the proxy reach the real Google, and \
      there are real credentials for a real project: \(found.joined(separator: ", "))
      """)
  }

  private static func refusal(_ lines: [String]) -> ConfigurationError {
    ConfigurationError(
      ([
        "the command cannot have a network of its own: \(lines[0])"
      ] + lines.dropFirst() + [
        "other ways: --as-google-mode proxy; `hearth serve --as-google` in a container beside the "
          + "app's (docker/compose.as-google.yaml)"
      ]).joined(separator: "\nhearth: "))
  }

  // MARK: The command

  private var hosts: GoogleHosts {
    GoogleHosts(project: configuration.project, authDomains: configuration.authDomains)
  }

  private func runIn(_ command: NamespaceCommand, folder: TemporaryFolder) async throws {
    // The process in the namespace waits. Where the server fails to start, it has to be let go.
    do {
      try await beside(configuration, folder: folder) { server in
        try await command.open(
          to: server.hearth, addresses: server.addresses, keptPorts: options.keptPorts)
        let changes = try await changes(server, folder: folder, places: TrustFolder.Places())
        try NamespaceFiles(folder: folder.path).trust(certificates: trust(folder).certificates)
        say("the command runs in its own network", changes: changes)
        return try await command.run(changes)
      }
    } catch {
      command.abandon()
      throw error
    }
  }

  private func runWithProxy(_ folder: TemporaryFolder) async throws {
    var configuration = configuration
    // 0 has the system choose a port, where none was asked for.
    configuration.proxyPort = configuration.proxyPort ?? 0
    try await beside(configuration, folder: folder) { server in
      let addresses = server.addresses
      let places = TrustFolder.Places(
        proxy: addresses.proxyPort.map(addresses.authority),
        metadata: addresses.metadataPort.map(addresses.authority))
      let changes = try await changes(server, folder: folder, places: places)
      say("the command goes through a proxy", changes: changes)
      var values: [Environment.Key: String?] = [:]
      // A subscript would take a value of nil for a removal from the dictionary.
      for (name, value) in changes { values.updateValue(value, forKey: .init(stringLiteral: name)) }
      return try await Child(
        name: name, arguments: arguments, environment: .inherit.updating(values)
      ).run()
    }
  }

  private func say(_ words: String, changes: [String: String?]) {
    RealCredentials.lines(of: changes, inherited: inherited).forEach(warn)
    warn(
      "AS-GOOGLE: for this command, Google's hosts are Hearth; \(words). "
        + "\(hosts.names.count) host names are answered here, and nothing is forwarded")
  }

  /// Runs a server beside the command, and ends with the command's status.
  private func beside(
    _ configuration: HearthSettings.Configuration, folder: TemporaryFolder,
    command: (RunningServer) async throws -> Int32
  ) async throws {
    var configuration = configuration
    configuration.metadataPort = configuration.metadataPort ?? 0
    let server = try await RunningServer(configuration)
    let status = try await command(server)
    try await server.end(status, reports: reports, cleaning: folder.remove)
  }

  // MARK: The environment

  private func trust(_ folder: TemporaryFolder) -> TrustFolder {
    TrustFolder(folder.path + "/trust")
  }

  /// What the command's environment has differently.
  private func changes(
    _ server: RunningServer, folder: TemporaryFolder, places: TrustFolder.Places
  ) async throws -> [String: String?] {
    let addresses = server.addresses
    let trust = trust(folder)
    // Written before the command starts, which reads certificates and keys from there.
    if var contents = try server.hearth.trustContents(addresses) {
      contents.serviceAccount = try await server.hearth.serviceAccountFile()
      try trust.write(contents)
    }
    // Without TLS: the certificate of STARTTLS is not of the authority that the command trusts.
    let mail = MailEnvironment(addresses, authority: nil, inherited: inherited)
    let own = [
      "FIREBASE_CONFIG": Exec.firebaseConfig(configuration.project),
      "HEARTH_CONSOLE_URL": "http://" + addresses.authority(addresses.consolePort),
    ].merging(mail.values) { $1 }
    // Later ones win. What the user wants to keep wins over all of them.
    return RealCredentials(inherited: inherited).removals
      .merging(
        trust.environment(project: configuration.project, places: places, inherited: inherited)
      ) { $1 }
      .merging(own.mapValues { .some($0) }) { $1 }
      .filter { !options.keptVariables.contains($0.key) }
  }
}

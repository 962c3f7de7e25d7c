import ArgumentParser
import HearthInstances
import HearthMCP
import HearthOperations
import HearthServer
import HearthServiceAccounts
import HearthSettings
import HearthTime
import HearthTransport
import HearthWire
import Logging
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `hearth mcp`: the Model Context Protocol over standard input and output.
struct MCPCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mcp",
    abstract: "Serve coding agents over standard input and output (Model Context Protocol).",
    discussion: """
      The tools use the server that --address, HEARTH_CONSOLE_URL or \
      FIREBASE_AUTH_EMULATOR_HOST names. If none of them is given and no server answers at the \
      ports of the console and of Auth, this command starts one with the given options, and \
      stops it at the end. A server \
      with --as-google accepts administrators on its console port only, or with \
      --service-account FILE, the key file of that server.
      """)

  @OptionGroup var options: ServerOptions

  @Option(help: "The address of a running server, as host:port.")
  var address: String?

  @Flag(help: "Print a skill file for coding agents, and exit.")
  var skill = false

  func run() async throws {
    if skill { return print(AgentGuide.skill) }
    let configuration = try options.configuration()
    let account = try configuration.serviceAccountPath.map(Self.account)
    if let place = Self.namedPlace(address) {
      return try await converse(with: LoopbackClient(checking: place), account)
    }
    if let running = await Self.runningServer(configuration) {
      return try await converse(with: running, account)
    }
    try await converse(beside: configuration, account)
  }

  /// The console of a server at the usual ports.
  private static func runningServer(
    _ configuration: HearthSettings.Configuration
  ) async -> LoopbackClient? {
    // Auth never moves. The console does where another program has its port.
    for port in [configuration.authPort, configuration.consolePort ?? 0] where port != 0 {
      let client = LoopbackClient(host: "127.0.0.1", port: port)
      guard let overview = await client.overviewInTime() else { continue }
      let console = overview["addresses"]?["console"]?.string.flatMap(LoopbackClient.init)
      return LoopbackClient(host: "127.0.0.1", port: console?.port ?? port)
    }
    return nil
  }

  private static func account(_ path: String) throws -> ServiceAccount {
    do throws(ServiceAccountError) {
      return try ServiceAccountFile(reading: path, now: SystemClock().now).account
    } catch {
      throw ValidationError(error.description)
    }
  }

  private static func namedPlace(_ address: String?) -> String? {
    let environment = ProcessInfo.processInfo.environment
    return address ?? environment["HEARTH_CONSOLE_URL"].nonEmpty
      ?? environment["FIREBASE_AUTH_EMULATOR_HOST"].nonEmpty
  }

  /// Starts a server, and stops it at the end.
  private func converse(
    beside configuration: HearthSettings.Configuration, _ account: ServiceAccount?
  ) async throws {
    OpenFiles.raiseLimit()
    // Standard output belongs to the protocol.
    let console = ConsoleLog(logLevel: configuration.logLevel, output: .standardError)
    let hearth = try Hearth(configuration, logger: Logger(label: "hearth") { _ in console })
    let stop = Stop()
    await stop.handleSignals()
    let serving = Task { try await hearth.run() }
    guard let addresses = await hearth.addresses() else {
      try await serving.value
      throw ExitCode.failure
    }
    hearth.writeLocator(addresses)
    let entry = InstanceFolder.standard.announce(configuration, at: addresses)
    defer { withExtendedLifetime(entry) {} }
    // The client may end the command by a signal, while a call is waiting.
    stop.watch(hearth) { serving.cancel() }
    console.write("hearth: started at http://\(addresses.authority(addresses.consolePort))")
    try await converse(
      with: LoopbackClient(host: addresses.reachableHost, port: addresses.consolePort), account)
    serving.cancel()
    stop.ending(hearth, status: 0)
    try await serving.value
  }

  /// Until the client closes its end.
  private func converse(with client: LoopbackClient, _ account: ServiceAccount?) async throws {
    let overview = await client.overview()
    let output = Mutex(OutputFile.standardOutput)
    let server = MCPServer(
      caller: RemoteCaller(client: client, account: account), project: project(overview),
      version: HearthVersion.text, address: Self.words(overview, client: client))
    let conversation = MCPConversation(server) { message in
      output.withLock { $0.write(String(decoding: message, as: UTF8.self)) }
    }
    for await line in StandardInput.lines { conversation.receive(line) }
    await conversation.finish()
  }

  private func project(_ overview: JSON?) -> String {
    let environment = ProcessInfo.processInfo.environment
    return options[.project] ?? environment["GCLOUD_PROJECT"].nonEmpty
      ?? environment["HEARTH_PROJECT"].nonEmpty ?? overview?["defaultProject"]?.string
      ?? HearthSettings.Configuration.defaultProject
  }

  private static func words(_ overview: JSON?, client: LoopbackClient) -> String {
    guard let addresses = overview?["addresses"], let auth = addresses["auth"]?.string,
      let firestore = addresses["firestore"]?.string
    else { return "No server answers yet at \(client.host):\(client.port)." }
    return "Auth is at \(auth), Firestore at \(firestore)."
  }
}

/// Makes the requests of tools over a connection.
private struct RemoteCaller: HearthCaller {
  let client: LoopbackClient
  /// Who signs the calls of administrators; nil where the word of the emulators is enough.
  let account: ServiceAccount?

  func send(_ call: HearthCall) async throws(ToolFailure) -> HearthReply {
    let bearer = call.bearer == HearthCall.owner ? try administrator() : call.bearer
    do {
      let reply = try await client.send(
        call.method, path: call.path, body: call.body?.bytes, bearer: bearer,
        accept: "application/json")
      return HearthReply(status: reply.status, body: reply.body)
    } catch {
      throw ToolFailure(
        "No hearth answers at \(client.host):\(client.port).",
        next: "Start it there with the command hearth, and call the tool again.")
    }
  }

  /// A token that the account signs by itself, for Auth and for Firestore.
  private func administrator() throws(ToolFailure) -> String {
    guard let account else { return HearthCall.owner }
    // A little back, for a server whose clock is behind.
    let now = SystemClock().now.seconds - 60
    do {
      return try account.sign(
        JSONObject([
          "iss": .string(account.email), "sub": .string(account.email),
          "scope": "https://www.googleapis.com/auth/cloud-platform",
          "iat": .int(now), "exp": .int(now + 600),
        ]))
    } catch {
      throw ToolFailure("The service account cannot sign: \(error)")
    }
  }
}

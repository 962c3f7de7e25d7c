import ArgumentParser
import Foundation
import HearthServer
import Logging
import ServiceLifecycle
import UnixSignals

/// `hearth exec -- COMMAND`: runs a command beside a server of its own.
struct Exec: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "exec",
    abstract: "Start the emulator on free ports, run a command, and stop.",
    usage: "hearth exec [<options>] -- <command> ...")

  @OptionGroup var options: ServerOptions

  @Argument(parsing: .captureForPassthrough, help: "The command and its arguments.")
  var command: [String] = []

  func run() async throws {
    let command = Array(command.drop { $0 == "--" })
    guard let name = command.first else {
      throw ValidationError("a command is missing: hearth exec -- npm test")
    }
    var configuration = try options.configuration()
    configuration.authPort = options.authPort == nil ? 0 : configuration.authPort
    configuration.firestorePort = options.firestorePort == nil ? 0 : configuration.firestorePort
    configuration.consolePort = options.consolePort == nil ? 0 : configuration.consolePort
    // Standard output belongs to the command.
    let console = ConsoleLog(logLevel: configuration.logLevel, output: .standardError)
    let hearth = try Hearth(configuration, logger: Logger(label: "hearth") { _ in console })
    let serving = Task { try await hearth.run() }
    guard let addresses = await hearth.addresses() else {
      try await serving.value
      throw ExitCode.failure
    }
    let child = Child(
      name: name, arguments: Array(command.dropFirst()),
      environment: Self.environment(configuration, addresses))
    let status = try await child.run()
    serving.cancel()
    throw ExitCode(status)
  }

  private static func environment(
    _ configuration: Configuration, _ addresses: Addresses
  ) -> [String: String] {
    ProcessInfo.processInfo.environment.merging([
      "FIREBASE_AUTH_EMULATOR_HOST": addresses.authority(addresses.authPort),
      "FIRESTORE_EMULATOR_HOST": addresses.authority(addresses.firestorePort),
      "GCLOUD_PROJECT": configuration.project,
      "GOOGLE_CLOUD_PROJECT": configuration.project,
      "HEARTH_CONSOLE_URL": "http://" + addresses.authority(addresses.consolePort),
    ]) { _, ours in ours }
  }
}

/// A process that shares our terminal and gets the signals that we get.
private struct Child {
  let name: String
  let arguments: [String]
  let environment: [String: String]

  /// The exit status as a shell reports it: 127 when there is no such command, 128 and the
  /// signal's number when one ended it.
  func run() async throws -> Int32 {
    guard let path = path() else {
      try? FileHandle.standardError.write(
        contentsOf: Data("hearth: command not found: \(name)\n".utf8))
      return 127
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.environment = environment
    let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
    let ended = AsyncStream<Void>.makeStream()
    process.terminationHandler = { _ in ended.continuation.finish() }
    try process.run()
    let pid = process.processIdentifier
    let forwarding = Task {
      for await signal in signals { kill(pid, signal.rawValue) }
    }
    for await _ in ended.stream {}
    forwarding.cancel()
    let status = process.terminationStatus
    return process.terminationReason == .uncaughtSignal ? 128 + status : status
  }

  private func path() -> String? {
    if name.contains("/") { return FileManager.default.isExecutableFile(atPath: name) ? name : nil }
    let directories = (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
    return directories.map { "\($0)/\(name)" }.first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
  }
}

import ArgumentParser
import HearthInstances
import HearthServer
import HearthSettings
import HearthTransport
import Logging

/// A server that runs beside a command.
struct RunningServer {
  let hearth: Hearth
  let addresses: Addresses
  private let configuration: HearthSettings.Configuration
  private let serving: Task<Void, any Error>
  private let entry: InstanceEntry?

  /// Returns when all ports are open.
  init(_ configuration: HearthSettings.Configuration) async throws {
    // Standard output belongs to the command.
    let console = ConsoleLog(logLevel: configuration.logLevel, output: .standardError)
    let logger = Logger(label: "hearth") { _ in console }
    let hearth = try Hearth(configuration, logger: logger)
    let serving = Task { try await hearth.run() }
    guard let addresses = await hearth.addresses() else {
      try await serving.value
      throw ExitCode.failure
    }
    if let warning = hearth.warningAboutRules { logger.warning("\(warning)") }
    self.hearth = hearth
    self.addresses = addresses
    self.configuration = configuration
    self.serving = serving
    entry = InstanceFolder.standard.announce(configuration, at: addresses)
  }

  /// Stops the server, and throws the command's status. What `cleaning` does is done also where the
  /// end takes so long that the process is ended.
  func end(
    _ commandStatus: Int32, reports: ExecReports, cleaning: () -> Void = {}
  ) async throws {
    let status = reports.say(of: hearth, in: configuration.project, after: commandStatus)
    cleaning()
    serving.cancel()
    let stop = Stop()
    await stop.handleSignals()
    stop.ending(hearth, status: status)
    do {
      // The export is written now.
      try await serving.value
    } catch {
      warn("\(error)")
      if status == 0 { throw ExitCode.failure }
    }
    throw ExitCode(status)
  }
}

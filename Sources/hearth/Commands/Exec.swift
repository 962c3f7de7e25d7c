import ArgumentParser
import HearthServer
import HearthSettings
import HearthSuite
import HearthTransport
import HearthWire
import Logging
import ServiceLifecycle
import Subprocess
import UnixSignals

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Darwin)
  import Darwin
  import System
#else
  import Glibc
  import SystemPackage
#endif

/// `hearth exec -- COMMAND`: runs a command beside a server of its own.
struct Exec: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "exec",
    abstract: "Start the emulator on free ports, run a command, and stop.",
    usage: "hearth exec [<options>] -- <command> ...")

  @OptionGroup var options: ServerOptions
  @OptionGroup var asGoogle: AsGoogleOptions
  @OptionGroup(title: "The rest of the suite") var rest: RestOptions

  @Argument(parsing: .captureForPassthrough, help: "The command and its arguments.")
  var command: [String] = []

  func validate() throws {
    let help = ["-h", "--help"]
    if let word = command.first, word.hasPrefix("-"), !(help + ["--"]).contains(word) {
      throw ValidationError("Unknown option '\(word)'")
    }
    guard command.contains(where: { $0 != "--" }) else {
      throw ValidationError("a command is missing: hearth exec -- npm test")
    }
  }

  func run() async throws {
    // Options that hearth does not have end up here, also in front of the `--`.
    if ["-h", "--help"].contains(command.first) { throw CleanExit.helpRequest(Self.self) }
    let command = Array(command.drop { $0 == "--" })
    // `validate` has seen that there is one.
    guard let name = command.first else { return }
    let reports = ExecReports(options)
    var configuration = try options.configuration(replacing: reports.replaced)
    guard !configuration.usesTLS else {
      throw ConfigurationError(
        misuse: "--tls cannot be used with exec: SDKs connect to emulators without TLS")
    }
    try configuration.refuseSharing(for: "exec")
    guard options[.trustDays] == nil else {
      throw ConfigurationError(
        misuse: "--trust-days cannot be used with exec: it makes certificates for each command")
    }
    configuration.trustDays = 1
    configuration.authPort = options[.authPort] == nil ? 0 : configuration.authPort
    configuration.firestorePort =
      options[.firestorePort] == nil ? 0 : configuration.firestorePort
    if options[.consolePort] == nil {
      configuration.consolePort = configuration.consolePort.map { _ in 0 }
    }
    if configuration.unsignedAuthPort != nil, options[.unsignedAuthPort] == nil {
      configuration.unsignedAuthPort = 0
    }
    configuration.hubPort = Self.hubPort(options, configuration: configuration)
    Self.freeMailPorts(of: &configuration, options)
    if options[.tlsPort] == nil { configuration.tlsPort = 0 }
    let rest = rest.wish(takesFreePorts: true).flatMap { Rest($0, beside: configuration) }
    try await Self.run(
      name, arguments: Array(command.dropFirst()),
      beside: rest?.applied(to: configuration) ?? configuration,
      reports: reports, asGoogle: asGoogle, rest: rest)
  }

  /// A free port, unless another one is asked for or none.
  static func hubPort(
    _ options: ServerOptions, configuration: HearthSettings.Configuration
  ) -> Int? {
    options[.hubPort] == nil ? configuration.hubPort.map { _ in 0 } : configuration.hubPort
  }

  /// The same for the ports that take mail.
  static func freeMailPorts(
    of configuration: inout HearthSettings.Configuration, _ options: ServerOptions
  ) {
    if options[.smtpPort] == nil {
      configuration.smtpPort = configuration.smtpPort.map { _ in 0 }
    }
    if options[.smtpTLSPort] == nil {
      configuration.smtpTLSPort = configuration.smtpTLSPort.map { _ in 0 }
    }
    if options[.mailAPIPort] == nil {
      configuration.mailAPIPort = configuration.mailAPIPort.map { _ in 0 }
    }
  }

  /// Runs the command beside a server, and ends with its status.
  static func run(
    _ name: String, arguments: [String], beside configuration: HearthSettings.Configuration,
    reports: ExecReports = ExecReports(), asGoogle: AsGoogleOptions? = nil, rest: Rest? = nil
  ) async throws {
    if configuration.asGoogle {
      guard rest == nil else {
        throw ConfigurationError(misuse: "--as-google and the rest of the suite cannot be combined")
      }
      return try await AsGoogleRun(
        name: name, arguments: arguments, configuration: configuration,
        options: asGoogle ?? AsGoogleOptions.parse([]), reports: reports
      ).run()
    }
    let server = try await RunningServer(configuration)
    let (hearth, addresses) = (server.hearth, server.addresses)
    let mail = MailEnvironment(
      addresses, authority: addresses.smtpTLSPort.flatMap { _ in try? hearth.authorityPEM() },
      inherited: ProcessInfo.processInfo.environment)
    defer { mail.remove() }
    let restRun = try rest.map { rest in
      hearth.writeLocator(addresses)
      // Standard output belongs to the command.
      let console = ConsoleLog(logLevel: configuration.logLevel, output: .standardError)
      return try RestRun(rest, show: console.write)
    }
    let others = await restRun?.startBesideCommand(hearth, at: addresses) ?? [:]
    let child = Child(
      name: name, arguments: arguments,
      environment: environment(configuration, addresses: addresses, mail: mail)
        .updating(SuiteMember.variables(others)))
    let status = try await child.run()
    await restRun?.end()
    // The end of the server may end the process.
    try await server.end(status, reports: reports, cleaning: mail.remove)
  }

  private static func environment(
    _ configuration: HearthSettings.Configuration, addresses: Addresses, mail: MailEnvironment
  ) -> Subprocess.Environment {
    var values: [Subprocess.Environment.Key: String?] = [
      "GCLOUD_PROJECT": configuration.project,
      "GOOGLE_CLOUD_PROJECT": configuration.project,
      "HEARTH_CONSOLE_URL": "http://" + addresses.authority(addresses.consolePort),
    ]
    if configuration.only.contains("auth") {
      values["FIREBASE_AUTH_EMULATOR_HOST"] = addresses.authority(addresses.authPort)
      for (name, value) in Self.issuers(addresses) { values[name] = value }
    }
    if configuration.only.contains("firestore") {
      let authority = addresses.authority(addresses.firestorePort)
      values["FIRESTORE_EMULATOR_HOST"] = authority
      values["FIREBASE_FIRESTORE_EMULATOR_ADDRESS"] = authority
    }
    if let port = addresses.hubPort {
      values["FIREBASE_EMULATOR_HUB"] = addresses.authority(port)
    }
    for (name, value) in Self.sendAPIs(addresses) { values[name] = value }
    if ProcessInfo.processInfo.environment["FIREBASE_CONFIG"] == nil {
      values["FIREBASE_CONFIG"] = Self.firebaseConfig(configuration.project)
    }
    if let port = addresses.unsignedAuthPort {
      values["HEARTH_UNSIGNED_AUTH_HOST"] = addresses.authority(port)
    }
    for (name, value) in mail.values {
      values[Subprocess.Environment.Key(stringLiteral: name)] = value
    }
    return .inherit.updating(values)
  }

  /// Where the identity providers are that live here: for Auth.js, unless the variable is set.
  private static func issuers(_ addresses: Addresses) -> [Subprocess.Environment.Key: String] {
    let base = "http://\(addresses.authority(addresses.authPort))/idp"
    let all: [(name: String, value: String)] = [
      ("HEARTH_IDP_URL", base), ("AUTH_GOOGLE_ISSUER", base + "/google"),
      ("AUTH_APPLE_ISSUER", base + "/apple"), ("AUTH_LINKEDIN_ISSUER", base + "/linkedin"),
      ("AUTH_MICROSOFT_ENTRA_ID_ISSUER", base + "/microsoft/common/v2.0"),
    ]
    let given = ProcessInfo.processInfo.environment
    return Dictionary(
      uniqueKeysWithValues: all.filter { given[$0.name] == nil }
        .map { (Subprocess.Environment.Key(stringLiteral: $0.name), $0.value) })
  }

  /// What the SDKs of mail providers read.
  private static func sendAPIs(_ addresses: Addresses) -> [Subprocess.Environment.Key: String] {
    guard let port = addresses.mailAPIPort else { return [:] }
    let url = "http://" + addresses.authority(port)
    return [
      "RESEND_API_URL": url, "RESEND_BASE_URL": url, "MG_URL": url + "/v3",
      "AWS_ENDPOINT_URL_SES": url, "AWS_ENDPOINT_URL_SESV2": url, "AWS_ENDPOINT_URL_SNS": url,
      "AWS_ENDPOINT_URL_PINPOINT_SMS_VOICE_V2": url, "TELNYX_BASE_URL": url + "/v2",
    ]
  }

  /// What SDKs read for which the code names no project.
  static func firebaseConfig(_ project: String) -> String {
    JSON.members([
      "projectId": .string(project), "storageBucket": .string("\(project).appspot.com"),
      "databaseURL": .string("https://\(project).firebaseio.com"),
    ]).text
  }
}

/// A process that shares our terminal and gets the signals that we get.
struct Child {
  let name: String
  let arguments: [String]
  let environment: Subprocess.Environment

  /// The exit status as a shell reports it: 127 if the command was not found, 126 when it cannot
  /// be run, 128 and the signal's number when one ended it.
  func run() async throws -> Int32 {
    let signals = await UnixSignalsSequence(
      trapping: .sigint, .sigterm, .sighup, .sigquit, .sigusr1, .sigusr2, .sigalrm)
    // Subprocess would start a process for each folder of PATH in which the command is not.
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let program = ProgramSearch.location(of: name, on: path) ?? name
    do {
      let result = try await Subprocess.run(
        program.contains("/") ? .path(FilePath(program)) : .name(program),
        arguments: Subprocess.Arguments(arguments), environment: environment,
        input: .currentStandardInput, output: .currentStandardOutput,
        error: .currentStandardError
      ) { command in
        let pid = command.processIdentifier.value
        return Task {
          for await signal in signals where !Terminal.sendsToAll(signal) {
            kill(pid, signal.rawValue)
          }
        }
      }
      result.closureResult.cancel()
      switch result.terminationStatus {
      case .exited(let status): return status
      case .signaled(let signal): return 128 + signal
      }
    } catch is SubprocessError where program.contains("/") && access(program, F_OK) == 0 {
      return refuse("cannot be run", status: 126)
    } catch let error as SubprocessError where error.code == .executableNotFound {
      return refuse("command not found", status: 127)
    }
  }

  private func refuse(_ reason: String, status: Int32) -> Int32 {
    warn("\(reason): \(name)")
    return status
  }
}

func warn(_ words: String) { StandardError.say(words) }

/// The terminal that the process was started at, if it was.
private enum Terminal {
  /// Whether the command has the signal already: the signal of a key goes to all processes in the
  /// foreground, and many programs treat a second one differently.
  static func sendsToAll(_ signal: UnixSignal) -> Bool {
    guard [.sigint, .sigquit, .sighup].contains(signal) else { return false }
    let terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)
    guard terminal >= 0 else { return false }
    defer { close(terminal) }
    return tcgetpgrp(terminal) == getpgrp()
  }
}

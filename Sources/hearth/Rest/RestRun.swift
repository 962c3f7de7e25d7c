import Dispatch
import HearthServer
import HearthSettings
import HearthSuite
import HearthTransport
import HearthWire
import Synchronization
import UnixSignals

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The official tools as a child that runs as long as the server. A class, because it owns a process,
/// which the first that ends takes along.
final class RestRun: Sendable {
  /// How long the child and the server may take to end together.
  static let patience = DispatchTimeInterval.seconds(40)

  private struct State {
    var process: RestProcess?
    var isEnding = false
    /// Whether its hub answers, and it has something to export.
    var canExport = false
  }

  private let rest: Rest
  private let folder: TemporaryFolder
  /// Shows a line of the log.
  private let show: @Sendable (String) -> Void
  private let state = Mutex(State())

  init(_ rest: Rest, show: @escaping @Sendable (String) -> Void) throws {
    self.rest = rest
    self.show = show
    folder = try TemporaryFolder()
  }

  /// Beside the project's own, because all paths in it are relative to its folder.
  private var settingsPath: String {
    let folder = URL(fileURLWithPath: rest.settingsPath).deletingLastPathComponent().path
    return "\(folder)/.firebase.hearth-\(getpid()).json"
  }

  private var exportPath: String { folder.path + "/export" }

  /// Starts the child, and returns when its emulators are ready.
  ///
  /// - Returns: `host:port` by the names of its emulators; none where it did not start.
  func start(_ hearth: Hearth, at addresses: Addresses) async -> [String: String] {
    do {
      try Data(rest.plan.settings.prettyBytes).write(to: URL(fileURLWithPath: settingsPath))
    } catch {
      warn("\(names) will not run: \(settingsPath) cannot be written")
      return [:]
    }
    let process = RestProcess(
      program: rest.program, arguments: arguments,
      environment: Self.environment(hearth, addresses: addresses),
      log: SuiteLog(played: hearth.configuration.only), show: show)
    let isLate = state.withLock { state in
      if !state.isEnding { state.process = process }
      return state.isEnding
    }
    guard !isLate else { return [:] }
    process.start()
    guard await process.isReady() else {
      if !state.withLock(\.isEnding) { warn("\(names) did not start: \(process.failure)") }
      clean()
      return [:]
    }
    hearth.neighbours.emulators = await emulators()
    if !rest.plan.exported.isEmpty {
      hearth.neighbours.export = { [self] directory, services throws(NeighbourFailure) in
        try await export(services, into: directory)
      }
      state.withLock { $0.canExport = true }
    }
    return Self.addresses(hearth.neighbours.emulators).merging(rest.plan.addresses) { listed, _ in
      listed
    }
  }

  /// The same where no signal is handled yet: one that comes meanwhile ends both.
  func startBesideCommand(_ hearth: Hearth, at addresses: Addresses) async -> [String: String] {
    let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
    let watching = Task {
      for await signal in signals {
        abandon()
        _exit(128 + signal.rawValue)
      }
    }
    defer { watching.cancel() }
    return await start(hearth, at: addresses)
  }

  /// Ends the child, whose parts of the export are then in the folder of the server's.
  func end() async {
    let process = state.withLock { state in
      defer { state.isEnding = true }
      return state.isEnding ? nil : state.process
    }
    guard let process else { return clean() }
    if let directory = rest.exportDirectory, state.withLock(\.canExport) {
      do throws(NeighbourFailure) {
        try await export(nil, into: directory)
      } catch {
        warn(error.message)
      }
    }
    await process.end()
    clean()
  }

  /// Has the child's hub export those services that it has, and carries them into a folder.
  private func export(
    _ services: [String]?, into directory: String
  ) async throws(NeighbourFailure) {
    let wanted = rest.plan.exported.filter { services?.contains($0) ?? true }
    guard !wanted.isEmpty else { return }
    let body = JSON.members([
      "path": .string(exportPath), "initiatedBy": "hearth",
      "targets": .array(wanted.map { .string($0) }),
    ])
    let reason: String
    do {
      let client = LoopbackClient(host: "127.0.0.1", port: rest.plan.hubPort)
      let reply = try await client.send("POST", path: "/_admin/export", body: body.bytes)
      guard reply.status != 200 else {
        return try SuiteExport.carry(from: exportPath, into: directory)
      }
      reason = (try? JSON.parse(reply.body))?["message"]?.string ?? "status \(reply.status)"
    } catch {
      reason = "\(error)"
    }
    throw NeighbourFailure("\(wanted.joined(separator: ", ")) not exported: \(reason)")
  }

  /// Ends the child at once, because this process ends at once.
  func abandon() {
    state.withLock { state in
      state.isEnding = true
      return state.process
    }?.kill()
    clean()
  }

  private func clean() {
    unlink(settingsPath)
    folder.remove()
  }

  private var names: String { rest.plan.names.joined(separator: ", ") }

  private var arguments: [String] {
    rest.plan.arguments(
      project: rest.project, file: settingsPath, importing: importing, others: rest.others)
  }

  /// The folder that the child imports from.
  private var importing: String? {
    guard let path = rest.importing else { return nil }
    do {
      return try SuiteExport.importable(path, substitute: folder.path + "/import")
    } catch {
      warn("\(names) import nothing: \(error)")
      return nil
    }
  }

  /// What tells functions where Auth and Firestore are.
  private static func environment(_ hearth: Hearth, addresses: Addresses) -> [String: String] {
    let firestore = addresses.authority(addresses.firestorePort)
    let control = "http://" + addresses.authority(addresses.consolePort)
    var values = ["HEARTH_CONSOLE_URL": control]
    if hearth.configuration.only.contains("auth") {
      values["FIREBASE_AUTH_EMULATOR_HOST"] = addresses.authority(addresses.authPort)
    }
    if hearth.configuration.only.contains("firestore") {
      values["FIRESTORE_EMULATOR_HOST"] = firestore
      values["FIREBASE_FIRESTORE_EMULATOR_ADDRESS"] = firestore
    }
    return values
  }

  /// What the child's hub lists; what was planned where it does not answer.
  private func emulators() async -> JSONObject {
    let client = LoopbackClient(host: "127.0.0.1", port: rest.plan.hubPort)
    let reply = try? await client.get("/emulators")
    return reply.flatMap { try? JSON.parse($0.body).object } ?? JSONObject()
  }

  private static func addresses(_ emulators: JSONObject) -> [String: String] {
    var addresses: [String: String] = [:]
    for (name, emulator) in emulators.members {
      guard let host = emulator["host"]?.string, let port = emulator["port"]?.integer else {
        continue
      }
      addresses[name] = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
    return addresses
  }
}

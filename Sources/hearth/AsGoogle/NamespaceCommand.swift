import ArgumentParser
import HearthServer
import Subprocess

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A command that waits in a namespace for the server.
struct NamespaceCommand {
  #if os(Linux)
    private let made: MadeNamespace
    private let ending: Task<Int32, any Error>
    private let relays = Relays()

    /// Makes the namespace, with names that lead to the command's own loopback.
    init(
      _ name: String, _ arguments: [String], _ folder: String, names: [String], home: String?
    ) async throws {
      let covers = try NamespaceFiles(folder: folder).write(
        names: names, home: home, hidesCredentials: true)
      let namespace = try CommandNamespace(folder, covers)
      let child = Child(
        name: namespace.program, arguments: namespace.arguments(name, arguments),
        environment: .inherit)
      ending = Task {
        defer { namespace.wake() }
        return try await child.run()
      }
      do {
        made = try await namespace.made()
      } catch {
        // A signal may have ended it.
        let status = try await ending.value
        guard status == NamespaceProcess.failed else { throw ExitCode(status) }
        throw error
      }
    }

    /// Opens the ports of the namespace: Google's for the server itself, all others as relays.
    func open(
      to hearth: Hearth, _ addresses: Addresses, _ keptPorts: [Int]
    ) async throws {
      let own: [(PortRole, IPv4Port)] =
        [
          (.google, IPv4Port("127.0.0.1", 443)), (.metadata, IPv4Port("127.0.0.1", 80)),
          (.metadata, IPv4Port(NetworkNamespace.metadataAddress, 80)),
        ] + (addresses.googlePort.map { [(.google, IPv4Port("127.0.0.1", $0))] } ?? [])
      let relayed = Set(addresses.localPorts + keptPorts).sorted()
      let sockets = try await made.sockets(
        at: own.map(\.1) + relayed.map { IPv4Port("127.0.0.1", $0) })
      for ((role, _), socket) in zip(own, sockets) { hearth.serve(socket, as: role) }
      for (port, socket) in zip(relayed, sockets.dropFirst(own.count)) {
        relays.start(
          LoopbackRelay(socket: socket, host: addresses.reachableHost, port: port))
      }
    }

    /// Runs it, and returns its status.
    func run(_ changes: [String: String?]) async throws -> Int32 {
      try await made.run(changes)
      defer { relays.stop() }
      return try await ending.value
    }

    func abandon() {
      relays.stop()
      made.abandon()
    }
  #else
    init(
      _ name: String, _ arguments: [String], _ folder: String, names: [String], home: String?
    ) async throws {
      throw NamespaceFailure("make a network namespace", reason: "only Linux has them")
    }

    func open(to hearth: Hearth, _ addresses: Addresses, _ keptPorts: [Int]) async throws {}
    func run(_ changes: [String: String?]) async throws -> Int32 { 1 }
    func abandon() {}
  #endif
}

extension Addresses {
  /// The ports that the command reaches at the same numbers.
  fileprivate var localPorts: [Int] {
    [authPort, firestorePort, consolePort] + dialectPorts
      + [unsignedAuthPort, hubPort, smtpPort, smtpTLSPort, mailAPIPort].compactMap(\.self)
  }
}

import ArgumentParser
import HearthGoogle
import HearthServer
import HearthTransport
import Subprocess

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A command that waits in a namespace for the server.
///
/// It owns the process, the sockets of its ports and their relays, until the command has ended or
/// ``abandon()`` is called. On other systems than Linux it cannot be made.
struct NamespaceCommand {
  #if os(Linux)
    private let made: MadeNamespace
    /// The status of the process, which is that of the command once it runs.
    private let ending: Task<Int32, any Error>
    private let relays = Relays()

    /// Makes the namespace, with names that lead to the command's own loopback.
    ///
    /// The process is there when this returns, and waits for sockets to open and for the command.
    ///
    /// - Throws: ``NamespaceFailure`` where a namespace cannot be had, `ExitCode` where the process
    ///   was ended by something else.
    init(
      _ name: String, arguments: [String], folder: String, names: [String], home: String?
    ) async throws {
      let covers = try NamespaceFiles(folder: folder).write(
        names: names, home: home, hidesCredentials: true)
      let namespace = try CommandNamespace(folder, covers: covers)
      let child = Child(
        name: namespace.program, arguments: namespace.arguments(name, arguments: arguments),
        environment: .inherit)
      ending = Task {
        // Without it, nobody would connect to the control socket, and `made()` would wait for its
        // whole time.
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

    /// Opens the ports of the namespace: Google's for the server itself, all others as relays. Must
    /// be called once, before ``run(_:)``.
    func open(
      to hearth: Hearth, addresses: Addresses, keptPorts: [Int]
    ) async throws {
      let own: [(PortRole, IPv4Port)] =
        // 443 and 80 are where clients look for Google. The server's own number is for those that
        // are given it by a variable.
        [
          (.google, IPv4Port("127.0.0.1", port: 443)), (.metadata, IPv4Port("127.0.0.1", port: 80)),
          (.metadata, IPv4Port(GoogleHosts.metadataAddress, port: 80)),
        ] + (addresses.googlePort.map { [(.google, IPv4Port("127.0.0.1", port: $0))] } ?? [])
      let relayed = Set(addresses.localPorts)
      let kept = Set(keptPorts).subtracting(relayed).sorted()
      let further = relayed.sorted() + kept
      let sockets = try await made.sockets(
        // One message with all sockets, which come back in this order.
        at: own.map(\.1) + further.map { IPv4Port("127.0.0.1", port: $0) })
      for ((role, _), socket) in zip(own, sockets) { hearth.serve(socket, as: role) }
      for (port, socket) in zip(further, sockets.dropFirst(own.count)) {
        if kept.contains(port) {
          relays.start(KeptPort(socket, port: port))
        } else {
          relays.start(
            LoopbackRelay(socket: socket, hosts: [addresses.reachableHost], port: port))
        }
      }
    }

    /// Runs it, and returns its status.
    ///
    /// `changes` are variables of the environment with their values; nil removes one.
    func run(_ changes: [String: String?]) async throws -> Int32 {
      try await made.run(changes)
      defer { relays.stop() }
      return try await ending.value
    }

    /// Ends the process where it has not become the command, and the relays. May be called more
    /// than once.
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
    [authPort, firestorePort] + (hasConsole ? [consolePort] : []) + dialectPorts
      + [unsignedAuthPort, hubPort, smtpPort, smtpTLSPort, mailAPIPort].compactMap(\.self)
  }
}

import HearthInstances
import HearthOperations
import HearthServer
import HearthSettings
import HearthTime
import HearthTransport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension InstanceFolder {
  /// Leaves word of this process's server for as long as the entry lives.
  func announce(
    _ configuration: HearthSettings.Configuration, at addresses: Addresses
  ) -> InstanceEntry? {
    announce(
      Instance(
        process: ProcessInfo.processInfo.processIdentifier,
        // Arguments may hold secrets; the first word says what runs.
        command: MainArguments.all.first.map { $0.hasPrefix("-") ? "serve" : $0 } ?? "serve",
        folder: FileManager.default.currentDirectoryPath, project: configuration.project,
        version: HearthVersion.text, startedAt: SystemClock().now.milliseconds,
        ports: addresses.shown))
  }
}

extension Addresses {
  /// The ports that apps use.
  fileprivate var shown: [Instance.Port] {
    let ports: [(String, Int?)] = [
      ("auth", authPort), ("firestore", firestorePort),
      ("console", hasConsole ? consolePort : nil), ("hub", hubPort), ("smtp", smtpPort),
      ("smtp-tls", smtpTLSPort), ("mail-api", mailAPIPort), ("unsigned-auth", unsignedAuthPort),
      ("google", googlePort), ("proxy", proxyPort), ("metadata", metadataPort),
    ]
    return ports.compactMap { name, port in port.map { Instance.Port(name: name, number: $0) } }
  }
}

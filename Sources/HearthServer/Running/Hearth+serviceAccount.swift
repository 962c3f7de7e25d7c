import HearthOperations
import HearthServiceAccounts
import HearthSettings
import HearthTransport
import HearthWire

extension Hearth {
  /// The key file of the service account, as JSON; nil outside of the mode as Google.
  ///
  /// The first call may wait for the key to be made.
  package func serviceAccountFile() async throws -> String? {
    guard let google = server.google else { return nil }
    let json = try ServiceAccountFile(try await google.serviceAccounts.account()).json()
    return String(decoding: json.prettyBytes, as: UTF8.self) + "\n"
  }

  /// Has the links that people open lead to this server, unless a public URL was set.
  func setPublicURL(_ addresses: Addresses) {
    let scheme = configuration.usesTLS ? "https://" : "http://"
    server.google?.serve(at: scheme + addresses.authority(addresses.authPort))
  }
}

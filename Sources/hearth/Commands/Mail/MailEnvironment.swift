import HearthServer
import HearthTransport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The variables of a command whose mails come here. They also make it trust the certificate of
/// STARTTLS.
///
/// A variable that is set already is left alone, together with those that belong to it.
struct MailEnvironment {
  /// Variables that programs read together.
  private static let places = [
    (host: "SMTP_HOST", port: "SMTP_PORT", also: ["SMTP_SERVER", "SMTP_ADDRESS"]),
    (host: "MAIL_HOST", port: "MAIL_PORT", also: ["MAIL_SERVER"]),
    (host: "EMAIL_HOST", port: "EMAIL_PORT", also: []),
  ]
  private static let urls = ["SMTP_URL", "EMAIL_SERVER", "MAILER_DSN", "SMTP_CONNECTION_URI"]
  /// Where systems keep the certificates that they trust.
  private static let systemBundles = [
    "/opt/homebrew/etc/ca-certificates/cert.pem", "/usr/local/etc/ca-certificates/cert.pem",
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem",
  ]

  private(set) var values: [String: String]
  /// Holds the files that the variables name. They are certificates without keys, so that nothing
  /// secret is left behind where the process is killed; the folder is its owner's alone.
  private let folder: TemporaryFolder?

  /// `authority` is the certificate that is to be trusted, as PEM; nil for none.
  init(_ addresses: Addresses, authority: String?, inherited: [String: String]) {
    var trust: [String: String] = [:]
    folder = authority.flatMap { Self.folder(for: $0, inherited: inherited, values: &trust) }
    values = trust
    // Many programs begin STARTTLS without asking whether it is offered. Others use it only where
    // it is offered, and need to trust the certificate then.
    let port = (folder == nil ? nil : addresses.smtpTLSPort) ?? addresses.smtpPort
    if let port { setPlaces(addresses.reachableHost, port: port, inherited: inherited) }
    if let port = addresses.smtpPort ?? addresses.smtpTLSPort {
      let url = "smtp://" + addresses.authority(port)
      for name in Self.urls where inherited[name] == nil { values[name] = url }
      values["HEARTH_SMTP_URL"] = url
    }
  }

  private mutating func setPlaces(_ host: String, port: Int, inherited: [String: String]) {
    for place in Self.places
    where ([place.host, place.port] + place.also).allSatisfy({ inherited[$0] == nil }) {
      values[place.host] = host
      values[place.port] = String(port)
    }
  }

  /// Writes the files with the certificates to trust. `SSL_CERT_FILE` takes the place of what the
  /// system trusts, so its file holds that too; without it, the variable is left alone.
  private static func folder(
    for authority: String, inherited: [String: String], values: inout [String: String]
  ) -> TemporaryFolder? {
    guard let folder = try? TemporaryFolder() else { return nil }
    let extra = "NODE_EXTRA_CA_CERTS"
    let known = inherited[extra].flatMap(text)
    if inherited[extra] == nil || known != nil {
      values[extra] = write(
        (known.map { $0 + "\n" } ?? "") + authority, folder: folder, name: "extra.pem")
    }
    let bundles = inherited["SSL_CERT_FILE"].map { [$0] } ?? systemBundles
    if let system = bundles.lazy.compactMap(text).first {
      values["SSL_CERT_FILE"] = write(system + "\n" + authority, folder: folder, name: "all.pem")
    }
    return folder
  }

  private static func text(of path: String) -> String? {
    try? String(contentsOfFile: path, encoding: .utf8)
  }

  private static func write(
    _ text: String, folder: TemporaryFolder, name: String
  ) -> String? {
    let path = "\(folder.path)/\(name)"
    return FileManager.default.createFile(atPath: path, contents: Data(text.utf8)) ? path : nil
  }

  /// Removes the files.
  func remove() {
    folder?.remove()
  }
}

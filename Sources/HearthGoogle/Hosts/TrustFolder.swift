import HearthSettings
import HearthTLS
import HearthWire

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

/// A folder with all that programs need that take Hearth for Google: certificates, a key file of a
/// service account, and settings. It holds no private key of a certificate.
package struct TrustFolder: Sendable {
  package let path: String

  /// Of Java's trust store, which has to have one.
  static let password = "changeit"

  package init(_ path: String) {
    self.path = path
  }

  package var certificates: String { path + "/ca.pem" }
  package var serviceAccount: String { path + "/service-account.json" }
  package var javaStore: String { path + "/ca.p12" }
  package var phpSettings: String { path + "/php" }
  /// Where gcloud finds nothing of the user's.
  package var cloudSettings: String { path + "/gcloud" }

  /// What the folder holds.
  package struct Contents: Sendable {
    /// One or more certificates.
    let trusted: String
    /// The certificate that the hosts share.
    let certificate: String
    let hosts: GoogleHosts
    let project: String
    let googlePort: Int
    let places: Places
    /// The key file of a service account as JSON; nil for none.
    package var serviceAccount: String?

    package init(
      trusted: String, certificate: String, hosts: GoogleHosts, project: String, googlePort: Int,
      places: Places
    ) {
      self.trusted = trusted
      self.certificate = certificate
      self.hosts = hosts
      self.project = project
      self.googlePort = googlePort
      self.places = places
    }
  }

  /// Makes the folder, readable for its owner only, and writes what is in it. A folder that there is
  /// keeps its access; where others may read it, they may read the key file too, which is worth nothing
  /// elsewhere.
  package func write(_ contents: Contents) throws {
    for folder in [path, phpSettings, cloudSettings] {
      guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw failure(folder) }
    }
    var status = stat()
    guard stat(path, &status) == 0 else { throw failure(path) }
    let isShared = status.st_mode & 0o055 != 0
    for folder in [phpSettings, cloudSettings] where isShared { chmod(folder, 0o755) }
    let trusted = try TrustedCertificates(pem: contents.trusted)
    try write(Array(contents.trusted.utf8), to: certificates)
    try write(try trusted.pkcs12(password: Self.password), to: javaStore)
    let digest = Base64.encode(
      try TrustedCertificates(pem: contents.certificate).keyDigest())
    try write(digest + "\n", to: path + "/spki.txt")
    try write(contents.chromiumFlags(digest), to: path + "/chromium-flags.txt")
    try write(contents.hostsFile, to: path + "/hosts")
    try write(
      "curl.cainfo=\(certificates)\nopenssl.cafile=\(certificates)\n",
      to: phpSettings + "/hearth.ini")
    try write(shellText(contents), to: path + "/env.sh")
    if let account = contents.serviceAccount {
      try write(Array(account.utf8), to: serviceAccount, mode: isShared ? 0o644 : 0o600)
    }
  }

  private func write(_ text: String, to path: String) throws {
    try write(Array(text.utf8), to: path)
  }

  /// Writes beside and renames, so that there is never half a file; it has its mode from the first
  /// moment.
  private func write(_ bytes: [UInt8], to path: String, mode: mode_t = 0o644) throws {
    let partial = path + ".partial"
    unlink(partial)
    let descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
    guard descriptor >= 0 else { throw failure(path) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { systemWrite(descriptor, bytes: $0) }
      guard count > 0 else { break }
      rest = rest.dropFirst(count)
    }
    // The mode without what the user's mask takes away: the container beside has to read it.
    let isComplete = rest.isEmpty && fchmod(descriptor, mode) == 0
    guard close(descriptor) == 0, isComplete, rename(partial, path) == 0 else {
      let failure = failure(path)
      unlink(partial)
      throw failure
    }
  }

  private func failure(_ path: String) -> ConfigurationError {
    ConfigurationError("cannot write \(path): \(String(cString: strerror(errno)))")
  }
}

/// A system call under a name that a type with a function of the same name can call.
private func systemWrite(_ descriptor: Int32, bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}

extension TrustFolder.Contents {
  /// One flag a line. A browser with them reaches Hearth, this machine, and nothing else.
  fileprivate func chromiumFlags(_ digest: String) -> String {
    let rules =
      hosts.names.map { "MAP \($0):443 127.0.0.1:\(googlePort)" }
      + ["MAP * ~NOTFOUND", "EXCLUDE localhost", "EXCLUDE 127.0.0.1"]
    return """
      --ignore-certificate-errors-spki-list=\(digest)
      --host-resolver-rules=\(rules.joined(separator: ", "))

      """
  }

  fileprivate var hostsFile: String {
    // A name with a dot at its end is found only where the file has the dot.
    (["127.0.0.1 localhost", "::1 localhost"]
      + (hosts.names + [GoogleHosts.metadata + "."]).map { "127.0.0.1 \($0)" })
      .joined(separator: "\n") + "\n"
  }
}

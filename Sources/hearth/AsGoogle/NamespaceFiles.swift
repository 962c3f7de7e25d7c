import HearthGoogle
import HearthServer

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

/// What the command sees in place of files of the machine: the names that Hearth answers for, no
/// other name, no real credentials, and Hearth's certificates in place of those that the system
/// trusts.
///
/// The files are written to a folder of the run, and mounted over those of the machine. Nothing of
/// the machine is changed.
struct NamespaceFiles {
  private static let hosts = "/etc/hosts"
  private static let switches = "/etc/nsswitch.conf"
  /// Other programs look names up for those who ask here, in the network outside.
  private static let lookUpSockets = [
    "/run/nscd/socket", "/var/run/nscd/socket", "/run/systemd/resolve/io.systemd.Resolve",
  ]
  /// Where distributions have the certificates that programs trust which no variable leads elsewhere.
  private static let trustFiles = [
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem", "/etc/pki/tls/cacert.pem",
  ]

  /// The one of them that this machine has; nil for none.
  static var systemTrust: String? {
    trustFiles.first { FileManager.default.fileExists(atPath: $0) }
  }

  /// Belongs to its owner alone, and goes with the run.
  let folder: String

  /// Writes them, and says what they cover.
  ///
  /// - Throws: ``NamespaceFailure`` where the folder cannot be written to.
  func write(
    names: [String], home: String?, hidesCredentials: Bool
  ) throws(NamespaceFailure) -> Covers {
    var covers = Covers()
    covers.cover(
      Self.hosts,
      with: try write(
        Self.hosts(names, machine: Self.text(Self.hosts), name: ProcessInfo.processInfo.hostName),
        name: "etc-hosts"), isRequired: true)
    // Nobody answers there, so a program that asks by itself fails soon instead of after its
    // time-out.
    covers.cover(
      "/etc/resolv.conf",
      with: try write("nameserver 127.0.0.1\noptions timeout:1 attempts:1\n", name: "resolv.conf"))
    covers.cover(
      Self.switches, with: try write(Self.lookUps(Self.text(Self.switches)), name: "nsswitch.conf"))
    // A socket that is covered by a file refuses connections, and the C library goes on to the
    // hosts file.
    let nothing = try write("", name: "nothing")
    for path in Self.lookUpSockets { covers.cover(path, with: nothing) }
    // Empty until the server has made its certificates. A mount shows the file, not its name, so it
    // is written to later and never replaced.
    let trusted = try write("", name: Self.trustName)
    for path in Self.trustFiles { covers.cover(path, with: trusted) }
    if hidesCredentials, let home { try hideCredentials(below: home, &covers) }
    return covers
  }

  private static let trustName = "system-trust.pem"

  /// Has the command trust the certificates of a file where it trusts those of the system otherwise.
  ///
  /// - Throws: ``NamespaceFailure`` where the file cannot be read or written.
  func trust(certificates path: String) throws(NamespaceFailure) {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw NamespaceFailure("read \(path)")
    }
    _ = try write(text, name: Self.trustName)
  }

  /// Where programs keep the log-ins of people, whatever the environment says.
  private func hideCredentials(
    below home: String, _ covers: inout Covers
  ) throws(NamespaceFailure) {
    let empty = "\(folder)/nobody"
    do {
      try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: true)
    } catch { throw NamespaceFailure("write into \(folder)", reason: "\(error)") }
    covers.cover("\(home)/.config/gcloud", with: empty)
    // An empty object: nobody is logged in.
    covers.cover(
      "\(home)/.config/configstore/firebase-tools.json",
      with: try write("{}\n", name: "firebase-tools"))
  }

  private func write(_ text: String, name: String) throws(NamespaceFailure) -> String {
    let path = "\(folder)/\(name)"
    // Another user may run parts of the command, and the folder is closed to others anyway.
    guard OutputFile.write(text, to: path), chmod(path, 0o644) == 0 else {
      throw NamespaceFailure("write \(path)")
    }
    return path
  }

  private static func text(_ path: String) -> String {
    (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
  }

  /// Our names, what the machine has on its loopback, and the machine's own name.
  ///
  /// Lines of the machine that name one of ours are left out: the first line with a name would
  /// count.
  static func hosts(_ names: [String], machine: String, name: String) -> String {
    let ours = Set(names + GoogleHosts.metadataNames)
    let kept = machine.split(separator: "\n").filter { line in
      let words = line.split { $0 == " " || $0 == "\t" }
      guard let address = words.first, address.hasPrefix("127.") || address == "::1" else {
        return false
      }
      return !words.dropFirst().contains { ours.contains(String($0)) }
    }
    var lines = ["127.0.0.1 localhost", "::1 localhost"]
    for host in names {
      lines.append(
        host == GoogleHosts.metadata
          // Clients at Google know the metadata server by this address as well as by its names. The
          // C library finds a name with a dot at its end only where the file has the dot.
          ? "\(GoogleHosts.metadataAddress) \(GoogleHosts.metadataNames.joined(separator: " "))"
          : "127.0.0.1 \(host)")
    }
    lines += kept.map(String.init)
    if !name.isEmpty, name != "localhost" { lines.append("127.0.0.1 \(name)") }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The machine's file, with names looked up in the hosts file alone.
  ///
  /// Without `dns`, `resolve` and others, a name that is not ours is unknown at once.
  static func lookUps(_ text: String) -> String {
    let kept = text.split(separator: "\n").filter { !$0.hasPrefix("hosts:") }
    return (kept + ["hosts: files"]).joined(separator: "\n") + "\n"
  }
}

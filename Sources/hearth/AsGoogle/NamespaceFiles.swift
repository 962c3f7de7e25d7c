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
/// other name, and no real credentials.
struct NamespaceFiles {
  private static let hosts = "/etc/hosts"
  private static let switches = "/etc/nsswitch.conf"
  /// Other programs look names up for those who ask here, in the network outside.
  private static let lookUpSockets = [
    "/run/nscd/socket", "/var/run/nscd/socket", "/run/systemd/resolve/io.systemd.Resolve",
  ]

  let folder: String

  /// Writes them, and says what they cover.
  func write(
    names: [String], home: String?, hidesCredentials: Bool
  ) throws(NamespaceFailure) -> Covers {
    var covers = Covers()
    covers.cover(
      Self.hosts,
      with: try write(
        Self.hosts(names, machine: Self.text(Self.hosts), name: ProcessInfo.processInfo.hostName),
        "etc-hosts"), isRequired: true)
    covers.cover(
      "/etc/resolv.conf",
      with: try write("nameserver 127.0.0.1\noptions timeout:1 attempts:1\n", "resolv.conf"))
    covers.cover(
      Self.switches, with: try write(Self.lookUps(Self.text(Self.switches)), "nsswitch.conf"))
    let nothing = try write("", "nothing")
    for path in Self.lookUpSockets { covers.cover(path, with: nothing) }
    if hidesCredentials, let home { try hideCredentials(below: home, &covers) }
    return covers
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
    covers.cover(
      "\(home)/.config/configstore/firebase-tools.json", with: try write("{}\n", "firebase-tools"))
  }

  private func write(_ text: String, _ name: String) throws(NamespaceFailure) -> String {
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
  static func hosts(_ names: [String], machine: String, name: String) -> String {
    let ours = Set(names)
    let kept = machine.split(separator: "\n").filter { line in
      let words = line.split { $0 == " " || $0 == "\t" }
      guard let address = words.first, address.hasPrefix("127.") || address == "::1" else {
        return false
      }
      return !words.dropFirst().contains { ours.contains(String($0)) }
    }
    var lines = ["127.0.0.1 localhost", "::1 localhost"]
    for host in names {
      let address = host == GoogleHosts.metadata ? "169.254.169.254" : "127.0.0.1"
      lines.append("\(address) \(host)")
    }
    lines += kept.map(String.init)
    if !name.isEmpty, name != "localhost" { lines.append("127.0.0.1 \(name)") }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The machine's file, with names looked up in the hosts file alone.
  static func lookUps(_ text: String) -> String {
    let kept = text.split(separator: "\n").filter { !$0.hasPrefix("hosts:") }
    return (kept + ["hosts: files"]).joined(separator: "\n") + "\n"
  }
}

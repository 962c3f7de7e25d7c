import HearthServer

/// The TCP ports of this machine's loopback at which somebody listens, as the kernel lists them.
///
/// To find out by connecting would show every service connections that say nothing.
enum ListeningPorts {
  private static let files = ["/proc/self/net/tcp", "/proc/self/net/tcp6"]
  /// 127.0.0.1, ::1, the same as an address of IPv6, and all addresses: words in the machine's order of
  /// bytes, which is the one of all processors that this runs on.
  private static let loopback: Set<Substring> = [
    "0100007F", "00000000", "00000000000000000000000001000000",
    "0000000000000000FFFF00000100007F", "00000000000000000000000000000000",
  ]
  /// `TCP_LISTEN` of the kernel.
  private static let listening: Substring = "0A"

  /// Whether somebody listens. True where the kernel's list cannot be read.
  static func contains(_ port: Int) -> Bool {
    var isListed = false
    for file in files {
      guard let text = KernelFile.text(of: file) else { continue }
      isListed = true
      if contains(port, in: text) { return true }
    }
    return !isListed
  }

  /// A line has a number, the local address and port, the remote ones, and the state.
  static func contains(_ port: Int, in text: String) -> Bool {
    text.split(separator: "\n").dropFirst().contains { line in
      let words = line.split(separator: " ", maxSplits: 4)
      guard words.count > 3, words[3] == listening else { return false }
      let address = words[1].split(separator: ":")
      return address.count == 2 && loopback.contains(address[0])
        && Int(address[1], radix: 16) == port
    }
  }
}

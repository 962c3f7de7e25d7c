import ArgumentParser

/// The flags of `hearth exec --as-google`.
struct AsGoogleOptions: ParsableArguments {
  /// How the names of Google lead to Hearth.
  enum Mode: String, CaseIterable, ExpressibleByArgument {
    case auto, namespace, proxy
  }

  @Option(
    name: .customLong("as-google-mode"),
    help: "With --as-google: a network namespace for the command, or a proxy in its environment.")
  var mode = Mode.auto

  @Option(
    name: .customLong("keep-loopback"),
    help: "With --as-google: a port of this machine that the command reaches too.")
  var keptPorts: [Int] = []

  @Option(
    name: .customLong("keep-env"),
    help: "With --as-google: a variable that the command gets as it is.")
  var keptVariables: [String] = []

  @Flag(
    name: .customLong("allow-real-project"),
    help: "With --as-google: allow a project whose id does not begin with demo-.")
  var allowsRealProject = false

  /// Called by ArgumentParser. Relays are sockets of one message, so their number is bounded.
  func validate() throws {
    for port in keptPorts where !(1..<65536).contains(port) {
      throw ValidationError("--keep-loopback: '\(port)' is not a port")
    }
    guard keptPorts.count <= 100 else {
      throw ValidationError("--keep-loopback: at most 100 ports")
    }
  }
}

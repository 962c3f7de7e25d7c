#if os(Linux)
  import Dispatch
  import Glibc
  import Synchronization

  /// The side of `hearth exec --as-google` that stays outside: it waits for the process that makes
  /// the namespace, asks it for sockets, and has it run the command.
  ///
  /// It owns the listening socket until ``made()`` has returned, which must be called once.
  struct CommandNamespace: Sendable {
    /// How many seconds the process may take for one step.
    private static let patience = 20

    let folder: String
    /// A Unix socket in the folder, at which the process reports.
    private let listener: Int32

    /// `folder` belongs to its owner alone.
    init(_ folder: String, covers: Covers) throws(NamespaceFailure) {
      self.folder = folder
      guard
        OutputFile.write(covers.text, to: "\(folder)/\(NamespaceProcess.coversName)")
      else { throw NamespaceFailure("write into \(folder)") }
      listener = try ControlSocket.listening(at: "\(folder)/\(NamespaceProcess.socketName)")
        .descriptor
    }

    /// What starts the process: this program again, which becomes the command. By this path, the
    /// program is found even where its file was replaced.
    var program: String { "/proc/self/exe" }
    func arguments(_ name: String, arguments: [String]) -> [String] {
      [NamespaceProcess.name, folder, name] + arguments
    }

    /// The namespace, once it is made.
    ///
    /// - Throws: what failed in the process, or that it ended without a word.
    func made() async throws(NamespaceFailure) -> MadeNamespace {
      let listener = listener
      return try await Self.blocking { () throws(NamespaceFailure) in
        // One process connects, and nobody after it.
        defer { close(listener) }
        let control = try ControlSocket(descriptor: listener).accepted(within: Self.patience)
        try Self.expectReady(control)
        return MadeNamespace(control)
      }
    }

    /// Lets `made` end where the process ended before it said anything. It connects in the
    /// process's place, and hangs up.
    func wake() {
      let path = "\(folder)/\(NamespaceProcess.socketName)"
      if let control = try? ControlSocket.connected(to: path) { control.closeNow() }
    }

    /// The process says in a word or two how it went.
    fileprivate static func expectReady(_ control: ControlSocket) throws(NamespaceFailure) {
      guard let text = try control.receive(), let message = ControlMessage(text: text) else {
        throw NamespaceFailure("start the process of the namespace", reason: "it ended")
      }
      if case .failed(let failure) = message { throw failure }
    }

    /// Runs system calls that wait on a thread of its own, so that none of Swift's waits with them.
    fileprivate static func blocking<Value: Sendable>(
      _ work: @escaping @Sendable () throws(NamespaceFailure) -> Value
    ) async throws(NamespaceFailure) -> Value {
      let result: Result<Value, NamespaceFailure> = await withCheckedContinuation { continuation in
        DispatchQueue(label: "hearth.namespace").async {
          continuation.resume(returning: Result(catching: work))
        }
      }
      return try result.get()
    }
  }

  /// A namespace in which the command does not run yet.
  ///
  /// A class, because it owns the socket, which is closed by the first ``run(_:)`` or
  /// ``abandon()``. It may be called on any thread, one call after the other.
  final class MadeNamespace: Sendable {
    /// Nil when it has been closed.
    private let control: Mutex<ControlSocket?>

    fileprivate init(_ control: ControlSocket) { self.control = Mutex(control) }

    /// Listening sockets of the namespace, in the order of the addresses. The caller owns them.
    /// They work outside as well: a socket belongs to the network in which it was opened.
    func sockets(at addresses: [IPv4Port]) async throws(NamespaceFailure) -> [Int32] {
      guard addresses.count <= ControlSocket.mostSockets else {
        throw NamespaceFailure("open \(addresses.count) ports")
      }
      guard let control = control.withLock(\.self) else { throw NamespaceFailure("open ports") }
      return try await CommandNamespace.blocking { () throws(NamespaceFailure) in
        try control.send(ControlMessage.listen(addresses).text)
        try CommandNamespace.expectReady(control)
        return try control.receive(sockets: addresses.count)
      }
    }

    /// Has the process become the command, with changes of its environment. Returns when it has
    /// been told to; whether it can, its status says.
    func run(_ changes: [String: String?]) async throws(NamespaceFailure) {
      guard let control = control.withLock(\.self) else { throw NamespaceFailure("run a command") }
      try await CommandNamespace.blocking { () throws(NamespaceFailure) in
        let changes = changes.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
        try control.send(ControlMessage.run(changes).text)
      }
      abandon()
    }

    /// Lets the process end, unless it has become the command: without the socket it has nothing to
    /// wait for.
    func abandon() {
      control.withLock { control in
        control?.closeNow()
        control = nil
      }
    }
  }
#endif

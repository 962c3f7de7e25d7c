#if os(Linux)
  import Dispatch
  import Glibc
  import Synchronization

  /// The side of `hearth exec --as-google` that stays outside: it waits for the process that makes
  /// the namespace, asks it for sockets, and has it run the command.
  struct CommandNamespace: Sendable {
    /// How long the process may take for one step.
    private static let patience = 20

    let folder: String
    private let listener: Int32

    /// `folder` belongs to its owner alone.
    init(_ folder: String, _ covers: Covers) throws(NamespaceFailure) {
      self.folder = folder
      guard
        OutputFile.write(covers.text, to: "\(folder)/\(NamespaceProcess.coversName)")
      else { throw NamespaceFailure("write into \(folder)") }
      listener = try ControlSocket.listening(at: "\(folder)/\(NamespaceProcess.socketName)")
        .descriptor
    }

    /// What starts the process: this program again, which becomes the command.
    var program: String { "/proc/self/exe" }
    func arguments(_ name: String, _ arguments: [String]) -> [String] {
      [NamespaceProcess.name, folder, name] + arguments
    }

    /// The namespace, once it is made.
    func made() async throws(NamespaceFailure) -> MadeNamespace {
      let listener = listener
      return try await Self.blocking { () throws(NamespaceFailure) in
        defer { close(listener) }
        let control = try ControlSocket(descriptor: listener).accepted(within: Self.patience)
        try Self.expectReady(control)
        return MadeNamespace(control)
      }
    }

    /// Lets `made` end where the process ended before it said anything.
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

    /// System calls that wait, on a thread that may.
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

  /// A namespace in which the command does not run yet. A class, because it owns the socket.
  final class MadeNamespace: Sendable {
    private let control: Mutex<ControlSocket?>

    fileprivate init(_ control: ControlSocket) { self.control = Mutex(control) }

    /// Listening sockets of the namespace, in the order of the addresses.
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

    /// Runs the command, with changes of its environment.
    func run(_ changes: [String: String?]) async throws(NamespaceFailure) {
      guard let control = control.withLock(\.self) else { throw NamespaceFailure("run a command") }
      try await CommandNamespace.blocking { () throws(NamespaceFailure) in
        let changes = changes.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
        try control.send(ControlMessage.run(changes).text)
      }
      abandon()
    }

    /// Lets the process end, unless it has become the command.
    func abandon() {
      control.withLock { control in
        control?.closeNow()
        control = nil
      }
    }
  }
#endif

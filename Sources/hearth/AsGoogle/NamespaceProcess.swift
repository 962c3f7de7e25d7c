#if os(Linux)
  import Glibc

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// `hearth as-google-child FOLDER COMMAND …`: the process that moves into the namespace and then
  /// becomes the command. It is started by `hearth exec --as-google` alone.
  ///
  /// It says `ready`, or what failed; opens the sockets that it is asked for, and hands them over;
  /// and runs the command once it has received the changes of the environment.
  ///
  /// Everything happens on its one thread, with calls that block. It has no time-out of its own:
  /// the other process closes the socket where it gives up, or ends.
  enum NamespaceProcess {
    static let name = "as-google-child"
    static let socketName = "control"
    static let coversName = "covers"
    /// The status where no command was run: that of `env` and `nohup` for their own failures.
    static let failed: Int32 = 125

    /// Does not return where it is the command. Must be called before the process has a second
    /// thread: the kernel would refuse the namespace.
    static func runIfAsked(_ arguments: [String]) {
      guard arguments.count > 2, arguments[0] == name else { return }
      do throws(NamespaceFailure) {
        let control = try ControlSocket.connected(to: "\(arguments[1])/\(socketName)")
        try prepare(arguments[1], control: control)
        try serve(control)
        control.closeNow()
      } catch {
        // What failed was sent, if anything could be.
        exit(failed)
      }
      run(Array(arguments[2...]))
    }

    private static func prepare(
      _ folder: String, control: ControlSocket
    ) throws(NamespaceFailure) {
      do throws(NamespaceFailure) {
        guard let text = try? String(contentsOfFile: "\(folder)/\(coversName)", encoding: .utf8)
        else { throw NamespaceFailure("read \(folder)/\(coversName)") }
        try NetworkNamespace.enter(covering: Covers(text: text))
      } catch {
        try control.send(ControlMessage.failed(error).text)
        throw error
      }
      try control.send(ControlMessage.ready.text)
    }

    /// Does what it is asked for. Returns when the command is to be run.
    ///
    /// - Throws: ``NamespaceFailure`` where the other end is gone.
    private static func serve(_ control: ControlSocket) throws(NamespaceFailure) {
      while let text = try control.receive(), let message = ControlMessage(text: text) {
        switch message {
        case .listen(let addresses): try listen(addresses, control: control)
        case .run(let changes):
          for (name, value) in changes {
            if let value { setenv(name, value, 1) } else { unsetenv(name) }
          }
          return
        case .ready, .failed: break
        }
      }
      throw NamespaceFailure("read the command to run")
    }

    private static func listen(
      _ addresses: [IPv4Port], control: ControlSocket
    ) throws(NamespaceFailure) {
      // All or none, so that an answer with sockets always has as many as were asked for.
      var sockets: [Int32] = []
      do throws(NamespaceFailure) {
        for address in addresses { sockets.append(try address.listener()) }
      } catch {
        sockets.forEach { close($0) }
        return try control.send(ControlMessage.failed(error).text)
      }
      try control.send(ControlMessage.ready.text)
      try control.send(sockets: sockets)
      // The other process has copies. Here they would keep ports open in the command.
      sockets.forEach { close($0) }
    }

    /// Becomes the command, or ends as a shell does that cannot: 127 where there is no such
    /// command, 126 where it cannot be run.
    private static func run(_ command: [String]) -> Never {
      let name = command[0]
      var words: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) }
      words.append(nil)
      execvp(name, words)
      let number = errno
      let exists = name.contains("/") ? access(name, F_OK) == 0 : number == EACCES
      StandardError.say("\(exists ? "cannot be run" : "command not found"): \(name)")
      exit(exists ? 126 : 127)
    }
  }

  /// What the two processes say to each other: a word, and its parts.
  enum ControlMessage {
    case ready
    case failed(NamespaceFailure)
    /// Open these addresses. The answer is `ready` with the sockets, or `failed`.
    case listen([IPv4Port])
    /// With the changes of the environment; nil removes a variable.
    case run([(name: String, value: String?)])

    /// Parts cannot contain the byte that is between them, as words of a command cannot.
    private static let separator: Character = "\0"

    var text: String {
      let parts: [String] =
        switch self {
        case .ready: ["ready"]
        case .failed(let failure): ["failed", failure.step, failure.reason ?? ""]
        case .listen(let addresses): ["listen"] + addresses.map(\.text)
        case .run(let changes):
          ["run"]
            + changes.map { change in change.value.map { "\(change.name)=\($0)" } ?? change.name }
        }
      return parts.joined(separator: String(Self.separator))
    }

    /// Nil for anything else. Both ends are the same program, so it does not happen between
    /// versions.
    init?(text: String) {
      let parts = text.split(separator: Self.separator, omittingEmptySubsequences: false)
        .map(String.init)
      let rest = Array(parts.dropFirst())
      switch parts.first {
      case "ready": self = .ready
      case "failed" where rest.count == 2:
        self = .failed(NamespaceFailure(rest[0], reason: rest[1].isEmpty ? nil : rest[1]))
      case "listen": self = .listen(rest.compactMap { IPv4Port($0) })
      case "run": self = .run(rest.map(Self.change))
      default: return nil
      }
    }

    private static func change(_ text: String) -> (name: String, value: String?) {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(parts[0]), parts.count == 2 ? String(parts[1]) : nil)
    }
  }
#endif

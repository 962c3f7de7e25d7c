#if os(macOS) || os(Linux)
  import Foundation
  import Synchronization

  #if canImport(Darwin)
    import Darwin
  #else
    import Glibc
  #endif

  /// A server that ends with this process, however this process ends.
  ///
  /// `hearth exec` ends with its command. The command is `cat`, which ends when its standard input is
  /// closed; the other end of that pipe is in this process alone.
  final class ServerProcess: Sendable {
    private static let command = """
      printf '%s\\n' "$FIREBASE_AUTH_EMULATOR_HOST" "$FIRESTORE_EMULATOR_HOST" "$GCLOUD_PROJECT"
      exec cat > /dev/null
      """

    private let input: FileHandle
    private let output: FileHandle
    private let errors: ErrorOutput
    private let path: String

    init(_ path: String, _ arguments: [String]) throws(HearthError) {
      let (input, output, errors) = (Pipe(), Pipe(), Pipe())
      // Others that this process starts must not keep the pipe open.
      _ = fcntl(input.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
      let process = Process()
      process.executableURL = URL(filePath: path)
      process.arguments = ["exec"] + arguments + ["--", "sh", "-c", Self.command]
      process.environment = Self.environment
      process.standardInput = input
      process.standardOutput = output
      process.standardError = errors
      do {
        try process.run()
      } catch {
        throw HearthError(
          code: "NO_SERVER", message: "cannot run \(path): \(error.localizedDescription)",
          httpStatus: 0)
      }
      self.path = path
      self.input = input.fileHandleForWriting
      self.output = output.fileHandleForReading
      self.errors = ErrorOutput(errors.fileHandleForReading)
    }

    /// Settings of the environment stay, and the server is quiet otherwise.
    private static var environment: [String: String] {
      ["HEARTH_LOG_LEVEL": "warning", "HEARTH_SINGLE_PROJECT_MODE": "no-warning"]
        .merging(ProcessInfo.processInfo.environment) { $1 }
    }

    /// A client of the default project, once the server is ready.
    func client() async throws -> HearthClient {
      let text = await firstLines(3)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      guard lines.count > 3,
        let client = HearthClient(environment: [
          "FIREBASE_AUTH_EMULATOR_HOST": lines[0], "FIRESTORE_EMULATOR_HOST": lines[1],
          "GCLOUD_PROJECT": lines[2],
        ])
      else {
        throw HearthError(
          code: "NO_SERVER", message: "\(path) did not start: \(await errors.text())", httpStatus: 0
        )
      }
      errors.passOn()
      return client
    }

    /// Ends the server.
    func stop() { try? input.close() }

    /// Reads until there are so many lines, or the process has ended.
    private func firstLines(_ count: Int) async -> String {
      await withCheckedContinuation { continuation in
        DispatchQueue(label: "hearth.output").async { [output] in
          var bytes = Data()
          while bytes.count(where: { $0 == UInt8(ascii: "\n") }) < count {
            let more = nextBytes(of: output)
            if more.isEmpty { break }
            bytes.append(more)
          }
          continuation.resume(returning: String(decoding: bytes, as: UTF8.self))
        }
      }
    }
  }

  /// What a server writes to its standard error: kept until it is ready, then written to ours.
  private final class ErrorOutput: Sendable {
    private static let most = 16 << 10

    private struct State {
      var kept = Data()
      var passesOn = false
    }

    private let state = Mutex(State())
    /// Ends with what is written.
    private let (end, ending) = AsyncStream.makeStream(of: Never.self)

    /// Not by `readabilityHandler`: the descriptor may be closed while Dispatch still waits for it,
    /// which can crash the process on Linux.
    init(_ handle: FileHandle) {
      DispatchQueue(label: "hearth.errors").async { [self] in
        while case let bytes = nextBytes(of: handle), !bytes.isEmpty { add(bytes) }
        ending.finish()
      }
    }

    private func add(_ bytes: Data) {
      let passesOn = state.withLock { state in
        if !state.passesOn { state.kept = (state.kept + bytes).prefix(Self.most) }
        return state.passesOn
      }
      if passesOn { FileHandle.standardError.write(bytes) }
    }

    func passOn() {
      let kept = state.withLock { state in
        state.passesOn = true
        return state.kept
      }
      if !kept.isEmpty { FileHandle.standardError.write(kept) }
    }

    /// What was written by a process that is ending.
    func text() async -> String {
      await withTaskGroup { group in
        group.addTask { [end] in for await _ in end {} }
        // No longer: another process may hold its standard error.
        group.addTask { try? await Task.sleep(for: .seconds(10)) }
        await group.next()
        group.cancelAll()
      }
      return String(decoding: state.withLock(\.kept), as: UTF8.self)
        .trimmingCharacters(in: .whitespacesAndNewlines)
    }
  }

  /// Waits for bytes; empty at the end. `availableData` is not used: when a signal interrupts it, it ends
  /// the process.
  private func nextBytes(of handle: FileHandle) -> Data {
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(handle.fileDescriptor, &bytes, bytes.count)
      if count < 0, errno == EINTR { continue }
      return Data(bytes.prefix(max(0, count)))
    }
  }
#endif

import Dispatch
import HearthSuite
import Subprocess
import Synchronization

#if canImport(Darwin)
  import Darwin
  import System
#else
  import Glibc
  import SystemPackage
#endif

/// The process of the official tools. It is in a group of its own: the signal of a key reaches this
/// program alone, which ends the child when it has to. A class, because threads share it.
final class RestProcess: Sendable {
  private struct State {
    var process: pid_t?
    var isBeingMade = false
    /// The last signal that was asked for. One that comes while the process is made is sent afterwards.
    var signal: Int32?
    var isReady: Bool?
    var failure = "it ended"
    var waiters: [CheckedContinuation<Bool, Never>] = []
  }

  /// How long it may take to stop its emulators and to export what they have.
  private static let patience = Duration.seconds(30)
  /// How long the system may take to make the process.
  private static let startPatience = DispatchTimeInterval.seconds(5)

  private let program: String
  private let arguments: [String]
  private let environment: [String: String]
  private let log: SuiteLog
  private let show: @Sendable (String) -> Void
  private let state = Mutex(State())
  private let running = Mutex<Task<Void, Never>?>(nil)
  /// Left when the process is there, or cannot be made.
  private let starting = DispatchGroup()

  init(
    program: String, arguments: [String], environment: [String: String], log: SuiteLog,
    show: @escaping @Sendable (String) -> Void
  ) {
    self.program = program
    self.arguments = arguments
    self.environment = environment
    self.log = log
    self.show = show
  }

  func start() {
    let starts = state.withLock { state in
      state.isBeingMade = state.signal == nil
      if state.isBeingMade { starting.enter() }
      return state.isBeingMade
    }
    guard starts else { return settle(false, failure: "it was stopped") }
    let task = Task { await run() }
    running.withLock { $0 = task }
  }

  /// Returns when its emulators are ready: true; or when it has ended: false.
  func isReady() async -> Bool {
    await withCheckedContinuation { continuation in
      let known = state.withLock { state in
        if state.isReady == nil { state.waiters.append(continuation) }
        return state.isReady
      }
      if let known { continuation.resume(returning: known) }
    }
  }

  /// Why it has ended.
  var failure: String { state.withLock(\.failure) }

  /// Asks it to stop, and returns when it has.
  func end() async {
    guard let running = running.withLock(\.self) else { return }
    signal(SIGINT)
    let late = Task {
      try await Task.sleep(for: Self.patience)
      kill()
    }
    await running.value
    late.cancel()
  }

  /// Ends it and what it has started. Waits for a process that is being made, because the caller may
  /// be about to exit.
  func kill() {
    signal(SIGKILL)
    _ = starting.wait(timeout: .now() + Self.startPatience)
  }

  private func signal(_ number: Int32) {
    state.withLock { state in
      state.signal = number
      if let process = state.process { Self.send(number, to: process) }
    }
  }

  /// Nil where the process could not be made, or has ended.
  private func made(_ process: pid_t?) {
    state.withLock { state in
      state.process = process
      if let process, let signal = state.signal { Self.send(signal, to: process) }
      if state.isBeingMade { starting.leave() }
      state.isBeingMade = false
    }
  }

  private static func send(_ signal: Int32, to process: pid_t) {
    _ = systemKill(signal == SIGKILL ? -process : process, signal: signal)
  }

  private func run() async {
    var options = PlatformOptions()
    options.processGroupID = 0
    var values: [Subprocess.Environment.Key: String?] = [:]
    for (name, value) in environment {
      values[Subprocess.Environment.Key(stringLiteral: name)] = value
    }
    do {
      let (reading, writing) = try FileDescriptor.pipe()
      let lines = LineReader(reading, log: log) { self.heard($0) }
      let result = try await Subprocess.run(
        .path(FilePath(program)), arguments: Arguments(arguments),
        environment: .inherit.updating(values), platformOptions: options, input: .none,
        output: .fileDescriptor(writing, closeAfterSpawningProcess: true),
        error: .combinedWithOutput
      ) { execution in
        self.made(execution.processIdentifier.value)
        lines.start()
      }
      switch result.terminationStatus {
      case .exited(let status): settle(false, failure: "\(program) ended with status \(status)")
      case .signaled(let signal): settle(false, failure: "\(program) was ended by signal \(signal)")
      }
    } catch {
      settle(false, failure: "\(program) cannot be run")
    }
    made(nil)
  }

  private func heard(_ line: SuiteLine) {
    if let text = line.text { show(text) }
    if line.isReady { settle(true, failure: "") }
  }

  private func settle(_ isReady: Bool, failure: String) {
    let waiters = state.withLock { state in
      if state.isReady == nil { state.isReady = isReady }
      if !isReady { state.failure = failure }
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume(returning: isReady) }
  }
}

/// A line of the child's, as it is shown.
struct SuiteLine {
  let text: String?
  /// Whether all its emulators are ready.
  let isReady: Bool
}

/// Reads lines on a thread of its own until the other end is closed by all who have it.
private final class LineReader: Sendable {
  private static let longest = 64 << 10
  private let descriptor: FileDescriptor
  private let log: SuiteLog
  private let heard: @Sendable (SuiteLine) -> Void

  init(
    _ descriptor: FileDescriptor, log: SuiteLog, heard: @escaping @Sendable (SuiteLine) -> Void
  ) {
    self.descriptor = descriptor
    self.log = log
    self.heard = heard
  }

  func start() { DispatchQueue(label: "hearth.suite").async { self.read() } }

  private func read() {
    var log = log
    var line: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 8192)
    while let count = try? chunk.withUnsafeMutableBytes({ try descriptor.read(into: $0) }),
      count > 0
    {
      for byte in chunk[..<count] {
        guard byte == UInt8(ascii: "\n") || line.count == Self.longest else {
          line.append(byte)
          continue
        }
        let text = log.shown(String(decoding: line, as: UTF8.self))
        heard(SuiteLine(text: text, isReady: log.isReady))
        line = []
      }
    }
    try? descriptor.close()
  }
}

/// `kill` under a name that a type with a `kill` of its own can call.
private func systemKill(_ process: pid_t, signal: Int32) -> Int32 { kill(process, signal) }

import Logging
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Plain lines, as people and scripts read them.
struct ConsoleLog: LogHandler {
  var logLevel: Logger.Level
  var metadata: Logger.Metadata = [:]
  let output: OutputFile
  private let reader = Reader()

  init(logLevel: Logger.Level, output: OutputFile) {
    self.logLevel = logLevel
    self.output = output
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let mark =
      switch event.level {
      case .trace, .debug: "·"
      case .info, .notice: "i"
      case .warning: "⚠"
      case .error, .critical: "✖"
      }
    write("\(mark)  \(event.message)")
  }

  /// A reader who has gone away is not a reason to stop serving, and neither is one who does not read:
  /// a full pipe gets a second, and then its lines are dropped until there is room again.
  func write(_ line: String) {
    var descriptor = pollfd(fd: output.descriptor, events: Int16(POLLOUT), revents: 0)
    let isFull = poll(&descriptor, 1, reader.isStuck ? 0 : 1000) == 0
    reader.isStuck = isFull
    guard !isFull else { return }
    output.write(line + "\n")
  }
}

/// What is known of the reader of the lines. Copies of a log share it.
private final class Reader: Sendable {
  private let stuck = Atomic(false)

  var isStuck: Bool {
    get { stuck.load(ordering: .relaxed) }
    set { stuck.store(newValue, ordering: .relaxed) }
  }
}

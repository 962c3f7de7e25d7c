import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A line on standard error that is written again and again, where that is a terminal.
final class ProgressLine: Sendable {
  private static let step = 10_000

  private let isTerminal = isatty(STDERR_FILENO) == 1
  private let shown = Mutex(0)

  /// Shows the words, unless the count has hardly grown.
  func show(_ words: String, at count: Int) {
    guard isTerminal else { return }
    let isDue = shown.withLock { shown in
      guard count - shown >= Self.step else { return false }
      shown = count
      return true
    }
    if isDue { write("\r\u{1B}[K\(words)") }
  }

  func clear() {
    guard isTerminal, shown.withLock({ $0 > 0 }) else { return }
    write("\r\u{1B}[K")
  }

  private func write(_ text: String) {
    // What a terminal does not take is shown with the next line.
    var text = text
    text.withUTF8 { _ = systemWrite($0) }
  }
}

/// `write` under a name that a type with a `write` of its own can call.
private func systemWrite(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
  write(STDERR_FILENO, bytes.baseAddress, bytes.count)
}

import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A line on standard error that is written again and again, where that is a terminal.
///
/// Any thread may show a line. Where standard error is not a terminal nothing is written, so that
/// logs do not fill with it.
final class ProgressLine: Sendable {
  /// So many more must have been counted before the line is written again.
  private static let step = 10_000

  private let isTerminal = isatty(STDERR_FILENO) == 1
  /// The count that was shown last; 0 when nothing was.
  private let shown = Mutex(0)

  /// Shows the words, unless the count has hardly grown.
  func show(_ words: String, at count: Int) {
    guard isTerminal else { return }
    let isDue = shown.withLock { shown in
      guard count - shown >= Self.step else { return false }
      shown = count
      return true
    }
    // To the first column, and everything to the right of it deleted.
    if isDue { write("\r\u{1B}[K\(words)") }
  }

  /// Removes the line, so that what is logged next begins in the first column.
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

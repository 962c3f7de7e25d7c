#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A file that takes text: the standard output, or the standard error.
struct OutputFile {
  static let standardOutput = OutputFile(descriptor: STDOUT_FILENO)
  static let standardError = OutputFile(descriptor: STDERR_FILENO)

  let descriptor: Int32

  /// Writes the whole text, or as much as there is a reader for.
  func write(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while !rest.isEmpty {
        let count = systemWrite(descriptor, rest)
        guard count > 0 || count < 0 && errno == EINTR else { return }
        rest = .init(rebasing: rest.dropFirst(max(0, count)))
      }
    }
  }
}

/// `write` under a name that a type with a `write` of its own can call.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}

/// Where a command says what is not its result.
enum StandardError {
  static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

  static func say(_ words: String) { OutputFile.standardError.write("hearth: \(words)\n") }
}

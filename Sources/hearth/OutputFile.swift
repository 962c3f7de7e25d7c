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

  var isTerminal: Bool { isatty(descriptor) == 1 }

  /// Writes the whole text, or as much as there is a reader for.
  func write(_ text: String) { write(Array(text.utf8)) }

  func write(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { bytes in
      var rest = bytes
      while !rest.isEmpty {
        let count = systemWrite(descriptor, bytes: rest)
        guard count > 0 || count < 0 && errno == EINTR else { return }
        rest = .init(rebasing: rest.dropFirst(max(0, count)))
      }
    }
  }
}

extension OutputFile {
  /// Writes a new file that is its owner's alone; false where that is not possible.
  static func write(_ text: String, to path: String) -> Bool {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return false }
    OutputFile(descriptor: descriptor).write(text)
    return close(descriptor) == 0
  }
}

/// `write` under a name that a type with a `write` of its own can call.
private func systemWrite(_ descriptor: Int32, bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}

/// Where a command says what is not its result.
enum StandardError {
  static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

  static func say(_ words: String) { OutputFile.standardError.write("hearth: \(words)\n") }
}

import Foundation

/// Where a command says what is not its result.
enum StandardError {
  static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

  static func say(_ words: String) {
    try? FileHandle.standardError.write(contentsOf: Data("hearth: \(words)\n".utf8))
  }
}

import Foundation

/// Where a command says what is not its result.
enum StandardError {
  static func say(_ words: String) {
    try? FileHandle.standardError.write(contentsOf: Data("hearth: \(words)\n".utf8))
  }
}

import Foundation
import HearthCore

/// Signing keys as PEM files, one for each key, readable by their owner only.
struct KeyFiles: Sendable {
  private let directory: String

  init(directory: String) { self.directory = directory + "/keys" }

  /// All keys, newest first; none when there is no directory yet.
  func load(now: Timestamp) throws -> [SigningKey] {
    let manager = FileManager.default
    guard manager.fileExists(atPath: directory) else { return [] }
    let names = try manager.contentsOfDirectory(atPath: directory)
      .filter { $0.hasSuffix(".pem") }.sorted(by: >)
    return try names.map { name in
      let path = directory + "/" + name
      do {
        return try SigningKey(pem: String(contentsOfFile: path, encoding: .utf8), now: now)
      } catch {
        throw KeyError.unreadable(file: path, reason: "\(error)")
      }
    }
  }

  /// Writes beside and renames, so that there is never half a key.
  func save(_ key: SigningKey, sequence: Int) throws {
    let manager = FileManager.default
    try manager.createDirectory(
      atPath: directory, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    let number = String(sequence)
    let name = String(repeating: "0", count: max(0, 6 - number.count)) + number
    let path = directory + "/" + name + ".pem"
    let partial = path + ".partial"
    try? manager.removeItem(atPath: partial)
    guard
      manager.createFile(
        atPath: partial, contents: Data(try key.pem().utf8), attributes: [.posixPermissions: 0o600])
    else { throw KeyError.unreadable(file: partial, reason: "cannot be written") }
    try manager.moveItem(atPath: partial, toPath: path)
  }
}

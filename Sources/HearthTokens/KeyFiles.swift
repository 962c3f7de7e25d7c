import Foundation
import HearthCore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Signing keys as PEM files, one for each key, readable by their owner only. They are numbered;
/// the highest number is the newest key.
struct KeyFiles: Sendable {
  private let directory: String

  init(directory: String) { self.directory = directory + "/keys" }

  /// All keys, newest first; none when there is no directory yet.
  func load(now: Timestamp) throws -> [SigningKey] {
    try numbers().sorted(by: >).map { number in
      let path = path(number)
      do {
        return try SigningKey(pem: String(contentsOfFile: path, encoding: .utf8), now: now)
      } catch {
        throw KeyError.unreadable(file: path, reason: "\(error)")
      }
    }
  }

  /// Keeps a key as the newest. Not for two threads at once, which would take the same number.
  ///
  /// Writes beside and renames, so that there is never half a key.
  func save(_ key: SigningKey) throws {
    let manager = FileManager.default
    try manager.createDirectory(
      atPath: directory, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    let path = path((try numbers().max() ?? 0) + 1)
    let partial = path + ".partial"
    // Left behind by a process that was killed while it wrote.
    try? manager.removeItem(atPath: partial)
    do {
      try write(try key.pem(), to: partial)
      try manager.moveItem(atPath: partial, toPath: path)
    } catch {
      try? manager.removeItem(atPath: partial)
      throw error
    }
  }

  private func path(_ number: Int) -> String {
    let digits = String(number)
    return "\(directory)/\(String(repeating: "0", count: max(0, 6 - digits.count)))\(digits).pem"
  }

  /// The numbers in use. A file that would be taken for a key but has no number of ours is refused,
  /// because nobody could tell whether it is the one that signs.
  private func numbers() throws -> [Int] {
    let manager = FileManager.default
    guard manager.fileExists(atPath: directory) else { return [] }
    let names = try manager.contentsOfDirectory(atPath: directory)
    return try names.filter { $0.hasSuffix(".pem") && !$0.hasPrefix(".") }.map { name in
      let file = directory + "/" + name
      guard let number = UInt32(name.dropLast(".pem".count)), path(Int(number)) == file else {
        throw KeyError.unreadable(file: file, reason: "its name is not a number of six digits")
      }
      return Int(number)
    }
  }

  /// The file is private from its first moment; permissions that are set later come too late.
  private func write(_ text: String, to path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw KeyError.unreadable(file: path, reason: String(cString: strerror(errno)))
    }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    try file.write(contentsOf: Data(text.utf8))
    try file.synchronize()
    try file.close()
  }
}

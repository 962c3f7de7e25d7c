import HearthTime

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Signing keys as PEM files, one for each key, readable by their owner only. They are numbered;
/// the highest number is the newest key.
struct KeyFiles: Sendable {
  private let directory: String

  init(directory: String, folder: String = "keys") {
    self.directory = directory + "/" + folder
  }

  /// What the directory holds.
  struct Contents {
    /// Newest first; none if the directory does not exist yet.
    let keys: [SigningKey]
    /// Files that others than their owner can read.
    let exposed: [String]
  }

  /// Whether there is anything that could be a key.
  var exist: Bool { (try? numbers().isEmpty) != true }

  func load(now: Timestamp) throws -> Contents {
    let paths = try numbers().sorted(by: >).map(path)
    let keys = try paths.map { path in
      do {
        return try SigningKey(pem: String(contentsOfFile: path, encoding: .utf8), now: now)
      } catch let error as KeyError {
        throw KeyError.unreadable(file: path, reason: "\(error)")
      } catch {
        throw KeyError.unreadable(file: path, reason: "it cannot be read")
      }
    }
    return Contents(keys: keys, exposed: paths.filter(isExposed))
  }

  private func isExposed(_ path: String) -> Bool {
    var facts = stat()
    return stat(path, &facts) == 0 && facts.st_mode & 0o077 != 0
  }

  /// Keeps a key as the newest. Not for two threads at once, which would take the same number.
  ///
  /// Writes beside and renames, so that there is never half a key.
  func save(_ key: SigningKey) throws {
    guard mkdir(directory, 0o700) == 0 || errno == EEXIST else { throw failure }
    let path = path((try numbers().max() ?? 0) + 1)
    let partial = path + ".partial"
    // Left behind by a process that was killed while it wrote.
    unlink(partial)
    do {
      try write(try key.pem(), to: partial)
      guard rename(partial, path) == 0 else { throw failure }
    } catch {
      unlink(partial)
      throw error
    }
  }

  /// What the system says of the call before.
  private var failure: KeyError {
    .unwritable(directory: directory, code: errno)
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
    guard let names = try? manager.contentsOfDirectory(atPath: directory) else {
      throw KeyError.unreadable(file: directory, reason: "the directory cannot be read")
    }
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
    guard descriptor >= 0 else { throw failure }
    guard Self.write(Array(text.utf8), to: descriptor), fsync(descriptor) == 0 else {
      let failure = failure
      _ = close(descriptor)
      throw failure
    }
    guard close(descriptor) == 0 else { throw failure }
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { systemWrite(descriptor, bytes: $0) }
      guard count >= 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}

/// `write` under a name that a type with a `write` of its own can call.
private func systemWrite(_ descriptor: Int32, bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}

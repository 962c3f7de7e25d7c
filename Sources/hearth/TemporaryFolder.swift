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

/// A new folder that is its owner's alone, for the files of a command.
///
/// A process that is killed leaves it behind. A lock tells such folders from those in use: the system
/// takes it away when the process ends, however it ends. The next folder that is made removes them.
struct TemporaryFolder {
  private static let prefix = "hearth-"
  /// A folder without this file is somebody else's, and stays.
  private static let lockName = ".hearth-exec-lock"
  /// A start does not take long, whatever has been left behind.
  private static let mostRemoved = 100

  let path: String

  init() throws(NamespaceFailure) {
    let parent = FileManager.default.temporaryDirectory.path
    Self.removeAbandoned(in: parent)
    var template = Array("\(parent)/\(Self.prefix)XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw .system("make a temporary folder") }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    guard Self.lock(path) else {
      let failure = NamespaceFailure.system("lock \(path)")
      remove()
      throw failure
    }
  }

  func remove() { try? FileManager.default.removeItem(atPath: path) }

  /// Locks a file that stays open as long as the process lives. It gets its name when it is locked, so
  /// that nobody takes it for one that was left behind.
  private static func lock(_ folder: String) -> Bool {
    let partial = "\(folder)/\(lockName).partial"
    let descriptor = open(partial, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return false }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0,
      rename(partial, "\(folder)/\(lockName)") == 0
    else {
      close(descriptor)
      return false
    }
    return true
  }

  /// Removes the folders of this user whose processes have ended.
  private static func removeAbandoned(in parent: String) {
    guard let entries = opendir(parent) else { return }
    defer { closedir(entries) }
    var removed = 0
    while removed < mostRemoved, let entry = readdir(entries) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) {
          String(cString: $0)
        }
      }
      guard name.hasPrefix(prefix), name.utf8.count == prefix.utf8.count + 6 else { continue }
      let folder = "\(parent)/\(name)"
      guard isAbandoned(folder) else { continue }
      try? FileManager.default.removeItem(atPath: folder)
      removed += 1
    }
  }

  private static func isAbandoned(_ folder: String) -> Bool {
    var status = stat()
    guard lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
      status.st_uid == geteuid()
    else { return false }
    let descriptor = open("\(folder)/\(lockName)", O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_EX | LOCK_NB) == 0
  }
}

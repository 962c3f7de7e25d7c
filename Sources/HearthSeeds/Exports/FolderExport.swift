import HearthExports
import HearthIdentityToolkit
import HearthOperations
import HearthWire

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Writes a project's export: first everything to a folder of its own, which takes the old one's
/// place at the end.
///
/// In a directory that is there, the folders of our services are exchanged one by one: the directory
/// may be a mount, and the folders of other services stay where they are.
///
/// The lock is advisory: it keeps other exports of Hearth out, and no other program.
package struct FolderExport {
  package let exports: Exports
  package let project: String
  package let targets: Set<Exports.Target>
  /// Called now and then with the number of accounts and of documents that were written.
  package var progress: (Int, Int) -> Void = { _, _ in }

  package init(
    exports: Exports, project: String, targets: Set<Exports.Target>,
    progress: @escaping (Int, Int) -> Void = { _, _ in }
  ) {
    self.exports = exports
    self.project = project
    self.targets = targets
    self.progress = progress
  }

  @discardableResult
  package func write(to path: String) throws -> AccountExport.Passwords {
    let directory = Directories.plain(path)
    return try Directories.writing(to: directory) {
      let lock = try Self.lock(directory)
      defer { withExtendedLifetime(lock) {} }
      // Asked for under the lock, because another export may have made it.
      let isThere = Directories.exists(directory)
      // Beside what it will replace, in the same file system, so that a rename is enough.
      let partial = DirectorySwap.partial(of: isThere ? directory + "/export" : directory)
      Directories.remove(partial)
      try Directories.make(partial)
      do {
        let (folders, passwords) = try fill(partial, over: isThere ? directory : nil)
        if isThere {
          try exchange(folders, in: directory, from: partial)
          Directories.remove(partial)
        } else {
          try DirectorySwap.rename(partial, to: directory)
        }
        return passwords
      } catch {
        Directories.remove(partial)
        throw error
      }
    }
  }

  /// The directory's lock, or that of the one it will lie in.
  private static func lock(_ directory: String) throws -> DirectoryLock {
    if Directories.exists(directory) { return DirectoryLock(directory) }
    guard !FileManager.default.fileExists(atPath: directory) else {
      throw ExportError("cannot write to \(directory): it is not a directory")
    }
    let parent = URL(fileURLWithPath: directory).deletingLastPathComponent().path
    try Directories.make(parent)
    let lock = DirectoryLock(parent)
    // Another one may have made it meanwhile.
    return Directories.exists(directory) ? DirectoryLock(directory) : lock
  }

  /// Writes everything that the export consists of.
  private func fill(
    _ folder: String, over old: String?
  ) throws -> (folders: [String], passwords: AccountExport.Passwords) {
    var folders: [String] = []
    var passwords = AccountExport.Passwords()
    if targets.contains(.firestore) {
      folders.append(FirestoreFolder.name)
      try FirestoreExport(firestore: exports.firestore, clocks: exports.server.clocks)
        .fill(folder, project: project, database: nil, named: FirestoreFolder.name) {
          progress(0, $0)
        }
    }
    if targets.contains(.auth) {
      folders.append(AuthFolder.name)
      passwords = try AccountExport(exports.store, server: exports.server, projectId: project)
        .write(to: folder + "/" + AuthFolder.name) { progress($0, 0) }
    }
    // What cannot be read is not kept.
    let known = old.flatMap { try? ExportMetadata.read(in: $0) }
    let metadata = ExportMetadata.bytes(
      over: known, auth: targets.contains(.auth), firestore: targets.contains(.firestore))
    try FileWriter.write(metadata, to: folder + "/" + ExportMetadata.name)
    return (folders, passwords)
  }

  /// Exchanges the folders, and the metadata last.
  private func exchange(_ folders: [String], in directory: String, from partial: String) throws {
    var undo: [() -> Void] = []
    do {
      for name in folders {
        undo.append(
          try DirectorySwap.exchange(partial + "/" + name, with: directory + "/" + name))
      }
      try DirectorySwap.rename(
        partial + "/" + ExportMetadata.name, to: directory + "/" + ExportMetadata.name)
    } catch {
      // In reverse, so that each step finds what it has left.
      for action in undo.reversed() { action() }
      throw error
    }
    // The old folders go when nothing can fail any more.
    for name in folders { DirectorySwap.forget(directory + "/" + name) }
  }
}

import HearthErrors
import HearthExports
import HearthFirestore
import HearthFirestoreRules
import HearthOperations
import HearthSettings
import HearthTransport
import HearthWire

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

/// Writes rules to the file that the server was started with for the database:
/// `{"rules": {"files": […]}, "revision": "…"}`. The revision is that of the rules of the file. They
/// hold then, and the file is followed again.
///
/// - Throws: INVALID_ARGUMENT with the place of a mistake; FAILED_PRECONDITION if there is no file;
///   ABORTED if somebody else has changed the file; FORBIDDEN_HOST to others than this machine.
enum WriteRulesFile: ServerOperation {
  static func run(
    _ request: ServerRequest, with rules: RulesControl
  ) async throws -> OutgoingReply {
    try request.checkMembers("rules", "revision")
    try request.requireOwnPage()
    guard !rules.isShared, rules.hosts.isOwnPeer(request.call.remoteAddress) else {
      throw APIError(
        .forbiddenHost, detail: "rules are written to their file for this machine only")
    }
    let database = request.rulesDatabase
    guard let path = rules.configuration.rulesPath(of: database.database) else {
      throw APIError(
        .failedPrecondition,
        message: "The server was started without a file of rules for \(database.database).")
    }
    guard let revision = try request.rulesRevision() else {
      throw APIError(.invalidArgument, detail: "/revision is missing")
    }
    let ruleset = try Firestore.ruleset(request.rules)
    guard ruleset.parts.count == 1, let content = ruleset.parts.first?.file.content else {
      throw APIError(.invalidArgument, detail: "/rules/files must have one file")
    }
    let file = RulesFile(path)
    try file.write(content, inPlaceOf: revision)
    // What the file says from now on has its name.
    let written = try Firestore.ruleset(.members(["rules": file.json(content)]))
    rules.configuration.takeOver(written, of: path, into: rules.firestore.rules)
    rules.firestore.removeRules(of: database)
    return ReplyWriter.json(rules.source(of: database))
  }
}

/// A file of rules of this machine.
struct RulesFile {
  private let path: String
  private let name: String

  init(_ path: String) {
    // A link stays a link.
    self.path = Directories.resolved(path) ?? path
    name = path.split(separator: "/").last.map(String.init) ?? path
  }

  /// As rules are set.
  func json(_ content: String) -> JSON {
    ["files": [["name": .string(name), "content": .string(content)]]]
  }

  /// - Throws: ABORTED if the file does not say what has the revision.
  func write(_ content: String, inPlaceOf revision: String) throws(APIError) {
    guard let known = try? String(contentsOfFile: path, encoding: .utf8),
      Firestore.rulesRevision(of: [RuleFile(name: name, content: known)]) == revision
    else {
      throw APIError(
        .aborted, message: "The file \(name) has changed since it was read. Read it again.")
    }
    guard replace(Array(content.utf8)) else {
      throw APIError(
        .failedPrecondition,
        message: "The file \(path) cannot be written: \(String(cString: strerror(errno)))")
    }
  }

  /// Writes beside and renames, so that there is never half a file. Who may read it stays so. The name
  /// is a new one each time: a write that was killed must not hinder the next.
  private func replace(_ bytes: [UInt8]) -> Bool {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return false }
    var partial = Array("\(path).XXXXXX".utf8CString)
    let descriptor = mkstemp(&partial)
    guard descriptor >= 0 else { return false }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    let isWritten =
      bytes.withUnsafeBytes { systemWrite(descriptor, bytes: $0) } == bytes.count
      && fchmod(descriptor, facts.st_mode & 0o777) == 0
    guard close(descriptor) == 0, isWritten, rename(partial, path) == 0 else {
      let code = errno
      unlink(partial)
      errno = code
      return false
    }
    return true
  }
}

/// The system call under a name that a type with a function of the same name can call.
private func systemWrite(_ descriptor: Int32, bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}

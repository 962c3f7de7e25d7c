package import HearthErrors
package import HearthFirestore
import HearthIdentityToolkit
package import HearthObservation
package import HearthOperations
package import HearthSQLite
package import HearthSettings
import HearthTime
import HearthTokens
import HearthTransport
import HearthWire
package import Logging

/// Saves and restores what a project holds, in the store and in memory.
///
/// Each is one transaction. What is in memory changes between its commit and the next transaction, so
/// that requests see the old state or the new one.
package struct ProjectSnapshots: Sendable {
  /// How many a project may have.
  private static let most = 100

  /// How many of those may be made without a name.
  private static let mostAutomatic = 5
  private static let automatic = "before-"

  let store: Store
  let server: ServerFacts
  let faults: Faults
  let firestore: Firestore
  /// How many bytes all snapshots may hold.
  private let limit: Int

  /// Snapshots of an earlier run are there with `--data`, unless their tables have changed.
  package init(
    _ store: Store, server: ServerFacts, faults: Faults, firestore: Firestore,
    configuration: Configuration, logger: Logger
  ) throws(APIError) {
    self.store = store
    self.server = server
    self.faults = faults
    self.firestore = firestore
    limit = configuration.limits.snapshots
    let (outdated, known) = try store.transaction { transaction throws(APIError) in
      let snapshots = Self.snapshots(transaction)
      try server.issuedTokens.load(transaction)
      return (try snapshots.deleteOutdated(), try snapshots.all())
    }
    if outdated > 0 {
      logger.warning("Deleted \(outdated) snapshots of another version, which cannot be used.")
    }
    for entry in known { server.issuedTokens.saved(entry.id, of: entry.project) }
  }

  static func snapshots(_ transaction: Transaction) -> Snapshots {
    Snapshots(Schema.snapshotTables, in: transaction)
  }

  /// Letters, digits and `._-`, because names are parts of paths and of command lines.
  static func checkName(_ name: String?) throws(APIError) -> String {
    let isUsable = name.map { name in
      (1...64).contains(name.utf8.count) && name.first != "."
        && name.unicodeScalars.allSatisfy {
          $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil)
            || "._-".unicodeScalars.contains($0)
        }
    }
    guard let name, isUsable == true else {
      throw APIError(
        .invalidArgument,
        detail: "/name must have 1 to 64 letters, digits, '.', '_' or '-', and not begin with '.'")
    }
    return name
  }

  // MARK: Saving

  func save(
    _ name: String, of project: String, replacing isReplacing: Bool
  ) throws(APIError) -> JSON {
    try store.transaction { transaction throws(APIError) in
      let snapshots = Self.snapshots(transaction)
      let replaced = try snapshots.entries(of: project).first { $0.name == name }
      if let replaced {
        guard isReplacing else {
          throw APIError(
            .alreadyExists,
            detail: "snapshot \(name) already exists in project \(project); replace overwrites it")
        }
        try delete(replaced, in: transaction)
      }
      let memory = MemoryState(
        of: project, server: server, faults: faults, firestore: firestore,
        fence: try Firestore.makeFence(in: transaction)
      ).json.text
      let bytes = try snapshots.size(of: project) + Int64(memory.utf8.count)
      try checkBounds(try snapshots.all(), project: project, bytes: bytes)
      let id = try snapshots.save(
        name, of: project, createdAt: server.clock.now.milliseconds, bytes: bytes, memory: memory)
      let entry = try snapshots.entries(of: project).first { $0.id == id }
      return (id, replaced?.id, entry.map(Self.json) ?? .null)
    } committed: { id, replaced, json in
      if let replaced { server.issuedTokens.deleted(replaced, of: project) }
      server.issuedTokens.saved(id, of: project)
      return json
    }
  }

  /// Makes one before something is lost, named after what is about to happen. A project keeps few of
  /// these, and they make room for one another, not for those that somebody has named.
  ///
  /// - Throws: RESOURCE_EXHAUSTED where the bounds leave no room.
  func saveAutomatic(before reason: String, of project: String) throws(APIError) -> JSON {
    let time = server.clock.now.iso8601.replacing(":", with: "")
    let name = try Self.checkName("\(Self.automatic)\(reason)-\(time)")
    var earlier = try store.transaction { transaction throws(APIError) in
      try Self.snapshots(transaction).entries(of: project)
        .filter { $0.name.hasPrefix(Self.automatic) }
    }.sorted { $0.createdAt < $1.createdAt }.map(\.name)[...]
    while true {
      do throws(APIError) {
        guard earlier.count < Self.mostAutomatic else {
          throw APIError(.resourceExhausted, detail: "too many automatic snapshots")
        }
        return try save(name, of: project, replacing: true)
      } catch {
        guard error.code == .resourceExhausted, let oldest = earlier.popFirst() else { throw error }
        try delete(oldest, of: project)
      }
    }
  }

  private func checkBounds(
    _ known: [Snapshots.Entry], project: String, bytes: Int64
  ) throws(APIError) {
    guard known.filter({ $0.project == project }).count < Self.most else {
      throw APIError(
        .resourceExhausted,
        detail: "project \(project) has \(Self.most) snapshots; delete some first")
    }
    let sum = known.reduce(bytes) { $0 + $1.bytes }
    guard sum <= limit else {
      throw APIError(
        .resourceExhausted,
        detail: "the snapshots would hold \(sum >> 20) MB, which is more than --snapshot-limit "
          + "(\(limit >> 20)); delete some first")
    }
  }

  func list(_ project: String) throws(APIError) -> [JSON] {
    try store.transaction { transaction throws(APIError) in
      try Self.snapshots(transaction).entries(of: project).map(Self.json)
    }
  }

  private static func json(_ entry: Snapshots.Entry) -> JSON {
    .members([
      "name": .string(entry.name),
      "createdAt": .string(time(of: entry)),
      "bytes": .int(entry.bytes),
    ])
  }

  private static func time(of entry: Snapshots.Entry) -> String {
    Timestamp(milliseconds: entry.createdAt).iso8601
  }

  // MARK: Deleting

  func delete(
    _ name: String, of project: String, createdAt: String? = nil
  ) throws(APIError) {
    try store.transaction { transaction throws(APIError) in
      let entry = try find(name, of: project, in: transaction)
      guard createdAt == nil || createdAt == Self.time(of: entry) else {
        throw APIError(.aborted, detail: "snapshot \(name) was made again in the meantime")
      }
      try delete(entry, in: transaction)
      return entry.id
    } committed: {
      server.issuedTokens.deleted($0, of: project)
    }
    store.giveMemoryBack()
  }

  /// Deletes those of a project in a transaction that does more. After its commit, `deleted(_:of:)`
  /// is to be called with what it returns.
  func deleteAll(of project: String, in transaction: Transaction) throws(APIError) -> [Int64] {
    let entries = try Self.snapshots(transaction).entries(of: project)
    for entry in entries { try delete(entry, in: transaction) }
    return entries.map(\.id)
  }

  func deleted(_ ids: [Int64], of project: String) {
    for id in ids { server.issuedTokens.deleted(id, of: project) }
  }

  private func delete(_ entry: Snapshots.Entry, in transaction: Transaction) throws(APIError) {
    try Self.snapshots(transaction).delete(entry)
    try Firestore.removeFence(MemoryState(entry.memory).fence, in: transaction)
  }

  private func find(
    _ name: String, of project: String, in transaction: Transaction
  ) throws(APIError) -> Snapshots.Entry {
    let known = try Self.snapshots(transaction).entries(of: project)
    guard let entry = known.first(where: { $0.name == name }) else {
      throw APIError(.notFound, detail: "no snapshot \(name) in project \(project)")
    }
    return entry
  }

  // MARK: Restoring

  func restore(
    _ name: String, of project: String, keepsClock: Bool
  ) throws(APIError) -> JSON {
    try store.transaction { transaction throws(APIError) in
      let entry = try find(name, of: project, in: transaction)
      let time = try firestore.restoreTime(of: project, in: transaction)
      try Self.snapshots(transaction).restore(entry, stamp: time)
      let revoked = server.issuedTokens.revoked(byRestoring: entry.id, of: project)
      try server.issuedTokens.keep(revoked, of: project, in: transaction)
      let restored = try finish(entry.memory, project: project, time: time, in: transaction)
      return (entry, restored, revoked)
    } committed: { entry, restored, revoked in
      conclude(restored, project: project, keepsClock: keepsClock)
      server.issuedTokens.restored(revoked, of: project)
      return Self.json(entry)
    }
  }

  func fork(_ name: String, of project: String, to other: String) throws(APIError) {
    try store.transaction { transaction throws(APIError) in
      let entry = try find(name, of: project, in: transaction)
      guard other != project, try !Schema.projectIds(in: transaction).contains(other) else {
        throw APIError(.alreadyExists, detail: "project \(other) already exists")
      }
      let time = try firestore.restoreTime(of: project, in: transaction)
      try Self.snapshots(transaction).fork(entry, to: other, stamp: time)
      return try finishFork(
        of: project, to: other, memory: entry.memory, time: time, in: transaction)
    } committed: {
      conclude($0, project: other, keepsClock: false)
    }
  }

  /// Has the rows of a project that was made of another one be its own.
  func finishFork(
    of project: String, to other: String, memory: String, time: Int64, in transaction: Transaction
  ) throws(APIError) -> Restored {
    try Self.rename(project, to: other, in: transaction)
    try firestore.moveReferences(from: project, to: other, at: time, in: transaction)
    return try finish(memory, project: other, time: time, in: transaction)
  }

  /// Some records name their project.
  private static func rename(
    _ project: String, to other: String, in transaction: Transaction
  ) throws(APIError) {
    for table in ["tenants", "idp_configs"] {
      try transaction.execute(
        "UPDATE \(table) SET record = replace(record, ?, ?) WHERE project = ?",
        arguments: ["\"name\":\"projects/\(project)/", "\"name\":\"projects/\(other)/", other])
    }
  }

  /// What is to be told after the commit that has restored rows.
  struct Restored {
    fileprivate let memory: String
    fileprivate let databases: [DatabaseName]
    fileprivate let time: Int64
  }

  private func finish(
    _ memory: String, project: String, time: Int64, in transaction: Transaction
  ) throws(APIError) -> Restored {
    ProjectTransaction(transaction, projectId: project, tenantId: nil, server: server)
      .forgetSettings()
    let databases = try firestore.finishRestoring(project, at: time, in: transaction)
    return Restored(memory: memory, databases: databases, time: time)
  }

  func conclude(_ restored: Restored, project: String, keepsClock: Bool) {
    MemoryState(restored.memory)
      .restore(
        project, server: server, faults: faults, firestore: firestore, keepsClock: keepsClock)
    firestore.restored(restored.databases, at: restored.time)
  }
}

package import HearthErrors
import HearthExports
package import HearthOperations
package import HearthSQLite
package import HearthWire

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Reads accounts from the official tool suite's export layout, or from the files of
/// `firebase auth:export`.
package struct AccountImporter: Sendable {
  /// Few enough that those who wait for the store meanwhile do not notice.
  static let batchSize = 250

  private let target: ImportTarget
  private let foreign: ForeignHash?

  /// `hash` says how the passwords were hashed: the parameters of `accounts:batchCreate`.
  package init(
    _ store: Store, _ server: ServerFacts, projectId: String, hash: JSONObject = JSONObject()
  ) throws(APIError) {
    target = ImportTarget(store: store, server: server, projectId: projectId)
    foreign = try ForeignHash(hash)
  }

  /// What an import did.
  package struct Report: Sendable {
    package fileprivate(set) var imported = 0
    /// The files of an export, and how many accounts came from each.
    package fileprivate(set) var files: [(path: String, imported: Int)] = []
    /// An export without `config.json`: the project's settings stay as they are.
    package fileprivate(set) var lacksConfig = false
    /// Why accounts were left out.
    package fileprivate(set) var refusals: [String] = []
    /// Whom the import left out: what an export of ours says beside them is not for them.
    fileprivate var refused: Set<AccountName> = []
  }

  /// Imports a directory of an export, or one `.json` or `.csv` file, that were checked. Where it
  /// fails all the same, what was changed is in the journal.
  package func read(_ path: String, _ journal: ImportJournal) throws -> Report {
    guard FileManager.default.fileExists(atPath: path) else {
      throw ExportError("not found: \(path)")
    }
    var report = Report()
    if FileManager.default.fileExists(atPath: path + "/.") {
      // An export of other emulators only has nothing for us.
      if let folder = try ExportFolder(path) { try readExport(folder, journal, &report) }
    } else if path.hasSuffix(".csv") {
      try readCSV(path, journal, &report)
    } else {
      try readAccounts(
        AccountsFile(path: path), tenantId: nil, isOurs: false, journal, &report)
    }
    return report
  }

  /// - Throws: if there is nothing to read, or if a file is broken; nothing is changed.
  package func check(_ path: String) throws {
    guard FileManager.default.fileExists(atPath: path) else {
      throw ExportError("not found: \(path)")
    }
    if FileManager.default.fileExists(atPath: path + "/.") {
      try ExportFolder(path)?.check()
    } else if !path.hasSuffix(".csv") {
      try AccountsFile(path: path).check()
    }
  }

  /// Imports one account.
  ///
  /// - Returns: why it was refused; nil where it was not.
  package func add(
    user: JSON, tenantId: String?, _ journal: ImportJournal
  ) throws -> String? {
    var report = Report()
    var batch = [user]
    try add(&batch, tenantId, isOurs: false, journal, &report)
    return report.refusals.first
  }

  private func readExport(
    _ folder: ExportFolder, _ journal: ImportJournal, _ report: inout Report
  ) throws {
    if let config = try folder.config() {
      try target.transaction { project, _ throws(APIError) in
        _ = try project.updateSettings(withEmulatorConfig: config)
      }
    } else {
      report.lacksConfig = true
    }
    let extras = ExtrasImport(folder: folder, target: target, journal: journal)
    try extras.restoreProject()
    for (file, tenantId) in folder.accounts {
      let before = report.imported
      try readAccounts(file, tenantId: tenantId, isOurs: folder.hasExtras, journal, &report)
      report.files.append((file.path, report.imported - before))
    }
    try extras.restoreUsers(except: report.refused)
  }

  private func readAccounts(
    _ file: AccountsFile, tenantId: String?, isOurs: Bool, _ journal: ImportJournal,
    _ report: inout Report
  ) throws {
    var batch: [JSON] = []
    try file.read { user in
      batch.append(user)
      guard batch.count == Self.batchSize else { return }
      try add(&batch, tenantId, isOurs: isOurs, journal, &report)
    }
    try add(&batch, tenantId, isOurs: isOurs, journal, &report)
  }

  private func readCSV(
    _ path: String, _ journal: ImportJournal, _ report: inout Report
  ) throws {
    let handle = try RegularFile.open(path)
    var batch: [JSON] = []
    for read in LineReader(handle) {
      let line = try read.get()
      guard !line.isEmpty else { continue }
      batch.append(AuthExportCSV.user(String(decoding: line, as: UTF8.self)))
      guard batch.count == Self.batchSize else { continue }
      try add(&batch, nil, isOurs: false, journal, &report)
    }
    try add(&batch, nil, isOurs: false, journal, &report)
  }

  private func add(
    _ batch: inout [JSON], _ tenantId: String?, isOurs: Bool, _ journal: ImportJournal,
    _ report: inout Report
  ) throws {
    guard !batch.isEmpty else { return }
    let users = batch
    batch.removeAll(keepingCapacity: true)
    let refusals = try target.transaction(tenantId) { project, context throws(APIError) in
      let importer = AccountImport(
        project: project, context: context, foreign: foreign, allowOverwrite: false,
        namesEmailPlainly: true, trustsFactors: isOurs)
      try project.makeTenant(journal)
      var added: [String] = []
      var refusals: [(localId: String, reason: String)] = []
      for user in users {
        do throws(APIError) {
          try project.transaction.nested { () throws(APIError) in try importer.add(user) }
          added.append(user["localId"]?.string ?? "")
        } catch {
          guard error.code.httpStatus == 400 else { throw error }
          refusals.append((user["localId"]?.string ?? "?", error.message))
        }
      }
      try journal.note(accounts: added, in: project)
      project.tellImported(added.count)
      return refusals
    }
    report.imported += users.count - refusals.count
    // Enough to see what is wrong, not so many that memory grows with a bad file.
    report.refusals += refusals.prefix(max(0, 100 - report.refusals.count)).map {
      "\($0.localId): \($0.reason)"
    }
    guard isOurs else { return }
    for refusal in refusals {
      report.refused.insert(AccountName(tenantId: tenantId, localId: refusal.localId))
    }
  }
}

extension ProjectTransaction {
  /// The official layout has users of tenants, but not the tenants.
  fileprivate func makeTenant(_ journal: ImportJournal) throws(APIError) {
    guard let tenantId,
      try TenantSettings.load(tenantId, of: projectId, in: transaction) == nil
    else { return }
    try journal.note(tenant: tenantId, in: self)
    try TenantSettings.implicit(tenantId, of: projectId).save(of: projectId, in: transaction)
  }
}

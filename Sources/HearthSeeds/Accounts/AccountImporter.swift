package import HearthErrors
import HearthExports
import HearthIdentityToolkit
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
    _ store: Store, server: ServerFacts, projectId: String, hash: JSONObject = JSONObject()
  ) throws(APIError) {
    target = ImportTarget(store: store, server: server, projectId: projectId)
    foreign = try ForeignHash(hash)
  }

  /// What an import did.
  package struct Report: Sendable {
    package fileprivate(set) var imported = 0
    /// The files of an export, and how many accounts came from each.
    package fileprivate(set) var files: [(path: String, imported: Int)] = []
    /// An export without `config.json`: the project's settings are unchanged.
    package fileprivate(set) var lacksConfig = false
    /// How many of the accounts have their passwords in clear in the folder.
    package fileprivate(set) var readablePasswords = 0
    /// Why accounts were left out.
    package fileprivate(set) var refusals: [String] = []
    /// What becomes of passwords that the folder has in clear; nil where it has none.
    /// `isReadable` says whether exports have those in clear that are set here.
    package func passwordNote(isReadable: Bool) -> String? {
      guard readablePasswords > 0 else { return nil }
      let here =
        isReadable
        ? "So are passwords that are set here."
        : "A password that is set here is exported as a hash that only Hearth can use."
      return "Passwords in clear: \(readablePasswords). Exports have them in clear again. \(here)"
    }

    /// Whom the import left out: what an export of ours says beside them is not for them.
    fileprivate var refused: Set<AccountName> = []
  }

  /// Imports a directory of an export, or one `.json` or `.csv` file, that were checked. Where it
  /// fails all the same, what was changed is in the journal.
  package func read(_ path: String, journal: ImportJournal) throws -> Report {
    guard FileManager.default.fileExists(atPath: path) else {
      throw ExportError("not found: \(path)")
    }
    var report = Report()
    if FileManager.default.fileExists(atPath: path + "/.") {
      // An export of other emulators only has nothing for us.
      if let folder = try ExportFolder(path) {
        try readExport(folder, journal: journal, report: &report)
      }
    } else {
      try readAccounts(
        AccountsFile(path: path), tenantId: nil, from: .list, journal: journal, report: &report)
    }
    return report
  }

  /// Whether the directory has an export with accounts.
  package static func isExport(_ directory: String) throws -> Bool {
    try ExportFolder(directory) != nil
  }

  /// - Throws: if there is nothing to read, if a file is broken or has an id twice; nothing is
  ///   changed.
  package func check(_ path: String) throws {
    guard FileManager.default.fileExists(atPath: path) else {
      throw ExportError("not found: \(path)")
    }
    if FileManager.default.fileExists(atPath: path + "/.") {
      try ExportFolder(path)?.check()
    } else {
      var ids = AccountIds()
      try AccountsFile(path: path).check(of: nil, &ids)
    }
  }

  /// Where an account comes from.
  private enum Origin {
    /// An export of ours, which has more beside the official layout.
    case ours
    /// An export of the official emulator.
    case official
    /// A file of `firebase auth:export`.
    case list
    /// A seed: people write what matters to them.
    case seed

    var isFolder: Bool { self == .ours || self == .official }
  }

  /// Imports one account of a seed.
  ///
  /// - Returns: why it was refused; nil where it was not.
  package func add(
    user: JSON, tenantId: String?, _ journal: ImportJournal
  ) throws -> String? {
    var report = Report()
    var batch = [user]
    try add(&batch, tenantId: tenantId, from: .seed, journal: journal, report: &report)
    return report.refusals.first
  }

  /// What was there before this import, and keeps an account out.
  package enum Obstacle: Sendable {
    /// The account itself.
    case itself
    /// Another account, with its address or its account at a provider; in words.
    case another(String)
  }

  package func obstacle(
    to user: JSON, tenantId: String?, _ journal: ImportJournal
  ) throws(APIError) -> Obstacle? {
    try target.transaction(tenantId) { project, _ throws(APIError) in
      func wasThere(_ owner: User?) throws(APIError) -> Bool {
        guard let owner else { return false }
        return try !journal.hasNoted(owner.localId, in: project)
      }
      if try wasThere(Accounts(in: project).user(localId: user["localId"]?.string ?? "")) {
        return .itself
      }
      if let email = (user["email"]?.string).flatMap({ Email($0) }),
        try wasThere(Accounts(in: project).user(email: email))
      {
        return .another("is left out: \(email.text) belongs to another account")
      }
      for provider in (user["providerUserInfo"]?.array ?? []).map(ProviderUserInfo.init)
      where provider.providerId != "password" && provider.providerId != "phone" {
        guard let rawId = provider.rawId else { continue }
        if try wasThere(Accounts(in: project).user(providerId: provider.providerId, rawId: rawId)) {
          return .another(
            "is left out: '\(rawId)' at \(provider.providerId) belongs to another account")
        }
      }
      return nil
    }
  }

  private func readExport(
    _ folder: ExportFolder, journal: ImportJournal, report: inout Report
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
      try readAccounts(
        file, tenantId: tenantId, from: folder.hasExtras ? .ours : .official, journal: journal,
        report: &report)
      report.files.append((file.path, report.imported - before))
    }
    try extras.restoreUsers(except: report.refused)
  }

  private func readAccounts(
    _ file: AccountsFile, tenantId: String?, from origin: Origin, journal: ImportJournal,
    report: inout Report
  ) throws {
    var batch: [JSON] = []
    var leftOut: [String] = []
    try file.read {
      batch.append(origin == .list ? AccountsFile.normalised($0) : $0)
      guard batch.count == Self.batchSize else { return }
      try add(&batch, tenantId: tenantId, from: origin, journal: journal, report: &report)
    } leftOut: {
      if leftOut.count < 100 { leftOut.append($0) }
    }
    try add(&batch, tenantId: tenantId, from: origin, journal: journal, report: &report)
    report.refusals += leftOut.prefix(max(0, 100 - report.refusals.count))
  }

  private func add(
    _ batch: inout [JSON], tenantId: String?, from origin: Origin, journal: ImportJournal,
    report: inout Report
  ) throws {
    guard !batch.isEmpty else { return }
    let users = batch
    batch.removeAll(keepingCapacity: true)
    let (refusals, readable) = try target.transaction(tenantId) {
      project, context throws(APIError) in
      let importer = AccountImport(
        project: project, context: context, foreign: foreign, allowOverwrite: false,
        namesEmailPlainly: true, trustsFactors: origin == .ours, keepsPast: origin != .seed,
        keepsRecord: origin.isFolder)
      try project.makeTenant(journal)
      var added: [String] = []
      var refusals: [(localId: String, reason: String)] = []
      var readable = 0
      for user in users {
        do throws(APIError) {
          try project.transaction.nested { () throws(APIError) in try importer.add(user) }
          added.append(user["localId"]?.string ?? "")
          if user.hasReadablePassword { readable += 1 }
        } catch {
          guard error.code.httpStatus == 400 else { throw error }
          refusals.append((user["localId"]?.string ?? "?", error.message))
        }
      }
      try journal.note(accounts: added, in: project)
      Accounts(in: project).publishImported(added.count)
      return (refusals, readable)
    }
    report.readablePasswords += readable
    report.imported += users.count - refusals.count
    // Enough to see what is wrong, not so many that memory grows with a bad file.
    report.refusals += refusals.prefix(max(0, 100 - report.refusals.count)).map {
      "\($0.localId): \($0.reason)"
    }
    guard origin == .ours else { return }
    for refusal in refusals {
      report.refused.insert(AccountName(tenantId: tenantId, localId: refusal.localId))
    }
  }
}

extension JSON {
  fileprivate var hasReadablePassword: Bool {
    PasswordHash.isReadable(self["passwordHash"]?.string ?? "", salt: self["salt"]?.string)
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

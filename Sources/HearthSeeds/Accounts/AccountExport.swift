import HearthErrors
import HearthExports
import HearthIdentityToolkit
package import HearthOperations
package import HearthSQLite
import HearthWire

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Writes the accounts of a project in the official tool suite's layout, and beside it what that
/// layout has no place for.
package struct AccountExport: Sendable {
  /// No name with `accounts` in it: the official importer takes every such file for one of users.
  static let extras = "hearth-extra.ndjson"
  private static let pageSize = 250

  package let store: Store
  package let server: ServerFacts
  package let projectId: String

  package init(_ store: Store, server: ServerFacts, projectId: String) {
    self.store = store
    self.server = server
    self.projectId = projectId
  }

  /// The passwords of an export, by whether the official emulator can use them.
  package struct Passwords: Sendable {
    package fileprivate(set) var readable = 0
    package fileprivate(set) var hashed = 0

    package init() {}
  }

  /// Makes the folder and writes it. `progress` is called now and then with the number of accounts
  /// that were written.
  package func write(to folder: String, progress: (Int) -> Void = { _ in }) throws -> Passwords {
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    return try writeAll(to: folder, progress)
  }

  private func writeAll(to directory: String, _ progress: (Int) -> Void) throws -> Passwords {
    let extras = try FileWriter(directory + "/" + Self.extras)
    let facts = try store.transaction { transaction throws(APIError) in
      try ProjectFacts(of: project(transaction, tenantId: nil))
    }
    try extras.write(facts.json.bytes + [UInt8(ascii: "\n")])
    try FileWriter.write(facts.emulatorConfig.bytes, to: directory + "/config.json")
    var passwords = Passwords()
    var count = 0
    let advance = { (written: Int) in
      count += written
      progress(count)
    }
    try writeAccounts(
      of: nil, to: directory + "/accounts.json", extras: extras, counting: &passwords,
      advance: advance)
    for tenant in facts.tenants {
      let name = PercentCoding.encodeComponent(tenant.tenantId)
      try writeAccounts(
        of: tenant.tenantId, to: "\(directory)/accounts-\(name).json", extras: extras,
        counting: &passwords, advance: advance)
    }
    try extras.close()
    return passwords
  }

  private func project(_ transaction: Transaction, tenantId: String?) -> ProjectTransaction {
    ProjectTransaction(transaction, projectId: projectId, tenantId: tenantId, server: server)
  }

  /// Page by page, so that memory does not grow with the number of users.
  private func writeAccounts(
    of tenantId: String?, to path: String, extras: FileWriter,
    counting passwords: inout Passwords, advance: (Int) -> Void
  ) throws {
    let file = try FileWriter(path)
    try file.write(
      Array(#"{"kind":"identitytoolkit#DownloadAccountResponse","users":["#.utf8))
    var last = ""
    var isFirst = true
    while true {
      let (users, originals) = try store.transaction { transaction throws(APIError) in
        let project = project(transaction, tenantId: tenantId)
        let users = try Accounts(in: project).users(after: last, limit: Self.pageSize)
        let originals = try Accounts(in: project).importedRecords(
          from: users.first?.localId ?? "", through: users.last?.localId ?? "")
        return (users, originals)
      }
      for user in users {
        if !isFirst { try file.write([UInt8(ascii: ",")]) }
        isFirst = false
        let record = user.exported(
          over: originals[Array(user.localId.utf8)],
          readable: server.exportsReadablePasswords(of: projectId))
        passwords.count(record)
        try file.write(record.bytes)
        if let extra = user.extraRecord {
          try extras.write(extra.bytes + [UInt8(ascii: "\n")])
        }
      }
      advance(users.count)
      guard users.count == Self.pageSize, let next = users.last?.localId else { break }
      last = next
    }
    try file.write(Array("]}".utf8))
    try file.close()
  }
}

extension AccountExport.Passwords {
  fileprivate mutating func count(_ record: JSON) {
    guard let hash = record["passwordHash"]?.string else { return }
    if PasswordHash.isReadable(hash, salt: record["salt"]?.string) {
      readable += 1
    } else {
      hashed += 1
    }
  }
}

extension User {
  /// Fields that an import of the official layout loses.
  static let lostByExport = [
    "initialEmail", "emailLinkSignin", "customAuth", "lastRefreshAt", "screenName",
    "passkeyInfo", "validSince", "passwordUpdatedAt", "passwordAlgorithm", "mfaInfo",
    "emailVerified", "disabled", "dateOfBirth", "language", "timeZone", "createdAt",
    "providerUserInfo",
  ]

  /// The user as the file of accounts has it: as it was imported, with what has changed since. The
  /// password is in clear where it came so, and where that is wanted and known.
  fileprivate func exported(over original: ImportedRecord?, readable: Bool) -> JSON {
    let wire = wire(for: .admin).object ?? JSONObject()
    var object = original?.updated(wire) ?? wire
    guard readable, let clear = password?.readable,
      object["passwordHash"] == wire["passwordHash"]
    else { return .object(object) }
    object["passwordHash"] = .string(clear.hash)
    object["salt"] = .string(clear.salt)
    return .object(object)
  }

  /// A line of the extra file: who, and what.
  fileprivate var extraRecord: JSON? {
    let record = record
    var extra = JSONObject(["localId": .string(localId), "tenantId": tenantId.json])
    for name in Self.lostByExport {
      if let value = record[name] { extra.append(name, value: value) }
    }
    return .object(extra)
  }
}

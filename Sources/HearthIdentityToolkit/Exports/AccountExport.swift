import HearthErrors
package import HearthOperations
package import HearthSQLite
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

/// Writes the accounts of a project in the official tool suite's layout, and beside it what that
/// layout has no place for.
///
/// Everything is written to new files, which take the old ones' place at the end: an export that
/// fails destroys nothing.
package struct AccountExport: Sendable {
  static let folder = "auth_export"
  static let metadata = "firebase-export-metadata.json"
  /// No name with `accounts` in it: the official importer takes every such file for one of users.
  static let extras = "hearth-extra.ndjson"
  private static let version = "15.28.1"
  private static let pageSize = 250

  private let store: Store
  private let server: ServerFacts
  private let projectId: String

  package init(_ store: Store, _ server: ServerFacts, projectId: String) {
    self.store = store
    self.server = server
    self.projectId = projectId
  }

  /// `progress` is called now and then with the number of accounts that were written.
  package func write(to directory: String, progress: (Int) -> Void = { _ in }) throws {
    do {
      try writeFiles(to: directory, progress)
    } catch let error as CocoaError {
      throw ExportError("cannot write to \(directory): \(error.reason)")
    }
  }

  private func writeFiles(to directory: String, _ progress: (Int) -> Void) throws {
    let final = directory + "/" + Self.folder
    let partial = final + ".partial"
    try makeDirectory(directory)
    try? FileManager.default.removeItem(atPath: partial)
    try makeDirectory(partial)
    do {
      try writeAll(to: partial, progress)
      try DirectorySwap.put(partial, inPlaceOf: final)
    } catch {
      try? FileManager.default.removeItem(atPath: partial)
      throw error
    }
    try writeMetadata(in: directory)
  }

  /// Readable by its owner only, where there is none yet: it will hold hashes of passwords.
  private func makeDirectory(_ path: String) throws {
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  private func writeAll(to directory: String, _ progress: (Int) -> Void) throws {
    let extras = try FileWriter(directory + "/" + Self.extras)
    let facts = try store.transaction { transaction throws(APIError) in
      let project = self.project(transaction, nil)
      return ProjectFacts(
        settings: try project.settings(), tenants: try project.allTenants(),
        idpConfigs: try project.allIdpConfigs())
    }
    try extras.write(facts.json.bytes + [UInt8(ascii: "\n")])
    try writeConfig(facts.settings, to: directory + "/config.json")
    var count = 0
    let advance = { (written: Int) in
      count += written
      progress(count)
    }
    try writeAccounts(of: nil, to: directory + "/accounts.json", extras, advance)
    for tenant in facts.tenants {
      let name = PercentCoding.encodeComponent(tenant.tenantId)
      try writeAccounts(
        of: tenant.tenantId, to: "\(directory)/accounts-\(name).json", extras, advance)
    }
    try extras.close()
  }

  private func project(_ transaction: Transaction, _ tenantId: String?) -> ProjectTransaction {
    ProjectTransaction(transaction, projectId: projectId, tenantId: tenantId, server: server)
  }

  private func writeConfig(_ settings: ProjectSettings, to path: String) throws {
    let config = JSON.object(settings.emulatorConfig)
    try FileWriter.write(config.bytes, to: path)
  }

  /// Page by page, so that memory does not grow with the number of users.
  private func writeAccounts(
    of tenantId: String?, to path: String, _ extras: FileWriter, _ advance: (Int) -> Void
  ) throws {
    let file = try FileWriter(path)
    try file.write(
      Array(#"{"kind":"identitytoolkit#DownloadAccountResponse","users":["#.utf8))
    var last = ""
    var isFirst = true
    while true {
      let users = try store.transaction { transaction throws(APIError) in
        try project(transaction, tenantId).users(after: last, limit: Self.pageSize)
      }
      for user in users {
        if !isFirst { try file.write([UInt8(ascii: ",")]) }
        isFirst = false
        try file.write(user.wire(for: .admin).bytes)
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

  /// Other emulators' entries stay as they are.
  private func writeMetadata(in directory: String) throws {
    let path = directory + "/" + Self.metadata
    let known = try RegularFile.contents(path).flatMap { try? JSON.parse($0).object }
    var metadata = known ?? JSONObject(["version": .string(Self.version)])
    metadata["auth"] = .members([
      "version": .string(Self.version), "path": .string(Self.folder),
    ])
    let partial = path + ".partial"
    try FileWriter.write(JSON.object(metadata).prettyBytes, to: partial)
    try DirectorySwap.rename(partial, to: path)
  }
}

/// What the first line of the extra file holds.
private struct ProjectFacts {
  let settings: ProjectSettings
  let tenants: [TenantSettings]
  let idpConfigs: [StoredIdpConfig]

  var json: JSON {
    .members([
      "config": .object(settings.config),
      "switches": settings.switches.json,
      "tenants": .array(tenants.map { .object($0.record) }),
      "idpConfigs": .array(idpConfigs.map(\.json)),
    ])
  }
}

/// Why an export or import cannot be done.
package struct ExportError: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}

extension User {
  /// Fields that an import of the official layout loses.
  static let lostByExport = [
    "initialEmail", "emailLinkSignin", "customAuth", "lastRefreshAt", "screenName",
    "passkeyInfo", "validSince", "passwordUpdatedAt", "passwordAlgorithm", "mfaInfo",
    "emailVerified", "disabled", "dateOfBirth", "language", "timeZone", "createdAt",
    "providerUserInfo",
  ]

  /// A line of the extra file: who, and what.
  fileprivate var extraRecord: JSON? {
    let record = record
    var extra = JSONObject(["localId": .string(localId), "tenantId": tenantId.json])
    for name in Self.lostByExport {
      if let value = record[name] { extra.append(name, value) }
    }
    return .object(extra)
  }
}

extension CocoaError {
  /// What the system says, such as `Permission denied`.
  fileprivate var reason: String {
    guard let cause = underlying as? POSIXError else { return "error \(code.rawValue)" }
    return String(cString: strerror(cause.code.rawValue))
  }
}

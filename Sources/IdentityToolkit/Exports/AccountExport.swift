import Foundation
import HearthCore
package import HearthStore

/// Writes the accounts of a project in the official tool suite's layout, and beside it what that
/// layout has no place for.
///
/// Everything is written to new files, which take the old ones' place at the end: an export that
/// fails destroys nothing.
package struct AccountExport {
  static let folder = "auth_export"
  static let metadata = "firebase-export-metadata.json"
  /// No name with `accounts` in it: the official importer takes every such file for one of users.
  static let extras = "hearth-extra.ndjson"
  private static let version = "15.28.1"
  private static let pageSize = 1000

  private let store: Store
  private let server: ServerFacts
  private let projectId: String

  package init(_ store: Store, _ server: ServerFacts, projectId: String) {
    self.store = store
    self.server = server
    self.projectId = projectId
  }

  package func write(to directory: String) throws {
    do {
      try writeFiles(to: directory)
    } catch let error as NSError where error.domain == NSCocoaErrorDomain {
      throw ExportError("cannot write to \(directory): \(error.localizedDescription)")
    }
  }

  private func writeFiles(to directory: String) throws {
    let files = FileManager.default
    let final = directory + "/" + Self.folder
    let partial = final + ".partial"
    try files.createDirectory(atPath: directory, withIntermediateDirectories: true)
    try? files.removeItem(atPath: partial)
    try files.createDirectory(atPath: partial, withIntermediateDirectories: true)
    do {
      try writeAll(to: partial)
      try replace(final, with: partial)
    } catch {
      try? files.removeItem(atPath: partial)
      throw error
    }
    try writeMetadata(in: directory)
  }

  private func writeAll(to directory: String) throws {
    let extras = try FileWriter(directory + "/" + Self.extras)
    let facts = try store.transaction { transaction throws(APIError) in
      let project = self.project(transaction, nil)
      return ProjectFacts(
        settings: try project.settings(), tenants: try project.allTenants(),
        idpConfigs: try project.allIdpConfigs())
    }
    try extras.write(facts.json.bytes + [UInt8(ascii: "\n")])
    try writeConfig(facts.settings, to: directory + "/config.json")
    try writeAccounts(of: nil, to: directory + "/accounts.json", extras)
    for tenant in facts.tenants {
      let name = PercentCoding.encodeComponent(tenant.tenantId)
      try writeAccounts(
        of: tenant.tenantId, to: "\(directory)/accounts-\(name).json", extras)
    }
    try extras.close()
  }

  private func project(_ transaction: Transaction, _ tenantId: String?) -> ProjectTransaction {
    ProjectTransaction(transaction, projectId: projectId, tenantId: tenantId, server: server)
  }

  private func writeConfig(_ settings: ProjectSettings, to path: String) throws {
    let config = JSON.object(settings.emulatorConfig)
    try Data(config.bytes).write(to: URL(fileURLWithPath: path))
  }

  /// Page by page, so that memory does not grow with the number of users.
  private func writeAccounts(
    of tenantId: String?, to path: String, _ extras: FileWriter
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
      guard users.count == Self.pageSize, let next = users.last?.localId else { break }
      last = next
    }
    try file.write(Array("]}".utf8))
    try file.close()
  }

  private func replace(_ final: String, with partial: String) throws {
    let files = FileManager.default
    let previous = final + ".previous"
    try? files.removeItem(atPath: previous)
    if files.fileExists(atPath: final) { try files.moveItem(atPath: final, toPath: previous) }
    do {
      try files.moveItem(atPath: partial, toPath: final)
    } catch {
      try? files.moveItem(atPath: previous, toPath: final)
      throw error
    }
    try? files.removeItem(atPath: previous)
  }

  /// Other emulators' entries stay as they are.
  private func writeMetadata(in directory: String) throws {
    let path = directory + "/" + Self.metadata
    let known = FileManager.default.contents(atPath: path).flatMap { try? JSON.parse($0).object }
    var metadata = known ?? JSONObject(["version": .string(Self.version)])
    metadata["auth"] = .members([
      "version": .string(Self.version), "path": .string(Self.folder),
    ])
    try Data(JSON.object(metadata).prettyBytes).write(
      to: URL(fileURLWithPath: path), options: .atomic)
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

/// Appends to a file through a buffer.
final class FileWriter {
  private let handle: FileHandle
  private var buffer: [UInt8] = []

  init(_ path: String) throws {
    guard
      FileManager.default.createFile(
        atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]),
      let handle = FileHandle(forWritingAtPath: path)
    else { throw ExportError("cannot write \(path)") }
    self.handle = handle
  }

  func write(_ bytes: [UInt8]) throws {
    buffer += bytes
    if buffer.count > 1 << 18 { try flush() }
  }

  func close() throws {
    try flush()
    try handle.synchronize()
    try handle.close()
  }

  private func flush() throws {
    try handle.write(contentsOf: Data(buffer))
    buffer.removeAll(keepingCapacity: true)
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

import Foundation
package import HearthCore
package import HearthStore
import Logging

/// Reads accounts from the official tool suite's export layout, or from the files of
/// `firebase auth:export`.
package struct AccountImporter {
  private static let batchSize = 1000

  private let store: Store
  private let server: ServerFacts
  private let projectId: String
  private let foreign: ForeignHash?

  /// `hash` says how the passwords were hashed: the parameters of `accounts:batchCreate`.
  package init(
    _ store: Store, _ server: ServerFacts, projectId: String, hash: JSONObject = JSONObject()
  ) throws(APIError) {
    self.store = store
    self.server = server
    self.projectId = projectId
    foreign = try ForeignHash(hash)
  }

  /// What an import did.
  package struct Report: Sendable {
    package fileprivate(set) var imported = 0
    /// Why accounts were left out.
    package fileprivate(set) var refusals: [String] = []
  }

  /// Imports a directory of an export, or one `.json` or `.csv` file.
  package func read(_ path: String) throws -> Report {
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
      throw ExportError("there is no \(path)")
    }
    var report = Report()
    if isDirectory.boolValue {
      try readExport(path, &report)
    } else if path.hasSuffix(".csv") {
      try readCSV(path, &report)
    } else {
      try readAccounts(path, tenantId: nil, &report)
    }
    return report
  }

  // MARK: The export layout

  private func readExport(_ directory: String, _ report: inout Report) throws {
    let metadata = directory + "/" + AccountExport.metadata
    var folder = directory
    if let data = FileManager.default.contents(atPath: metadata) {
      guard let json = try? JSON.parse(data) else { throw ExportError("\(metadata) is not JSON") }
      // An export of other emulators only has nothing for us.
      guard let path = json["auth"]?["path"]?.string else { return }
      folder = directory + "/" + path
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    try readConfig(folder)
    try readExtras(folder, isBefore: true)
    for name in names where name.contains("accounts") && name.hasSuffix(".json") {
      let stem = name.dropLast(5).replacing("accounts", with: "")
      let tenant = PercentCoding.decode(stem.hasPrefix("-") ? stem.dropFirst() : stem[...])
      try readAccounts(
        folder + "/" + name, tenantId: tenant.isEmpty ? nil : tenant, &report)
    }
    try readExtras(folder, isBefore: false)
  }

  private func readConfig(_ folder: String) throws {
    guard let data = FileManager.default.contents(atPath: folder + "/config.json") else { return }
    guard case .object(let config)? = try? JSON.parse(data) else {
      throw ExportError("\(folder)/config.json is not a JSON object")
    }
    try inTransaction(nil) { project, context throws(APIError) in
      _ = try UpdateEmulatorConfig.run(WireRequest(body: config), in: project, context)
    }
  }

  /// Cuts the `users` array element by element: a file of any size takes little memory.
  private func readAccounts(
    _ path: String, tenantId: String?, _ report: inout Report
  ) throws {
    guard let handle = FileHandle(forReadingAtPath: path) else {
      throw ExportError("cannot read \(path)")
    }
    defer { try? handle.close() }
    var scanner = JSONElementScanner(member: "users")
    var batch: [JSON] = []
    while let chunk = try handle.read(upToCount: 1 << 20), !chunk.isEmpty {
      try scanner.feed(chunk) { bytes in
        guard let user = try? JSON.parse(bytes) else {
          throw ExportError("\(path): user \(report.imported + batch.count + 1) is not JSON")
        }
        batch.append(Self.normalised(user))
        if batch.count == Self.batchSize { try add(&batch, tenantId, &report) }
      }
    }
    try add(&batch, tenantId, &report)
  }

  /// `auth:export` writes two names of its own.
  private static func normalised(_ user: JSON) -> JSON {
    guard var object = user.object else { return user }
    if let time = object["lastSignedInAt"] {
      object["lastLoginAt"] = .string(time.string ?? time.text)
    }
    if let time = object["createdAt"], time.string == nil {
      object["createdAt"] = .string(time.text)
    }
    return .object(object)
  }

  private func add(
    _ batch: inout [JSON], _ tenantId: String?, _ report: inout Report
  ) throws {
    guard !batch.isEmpty else { return }
    let users = batch
    batch.removeAll(keepingCapacity: true)
    let refusals = try inTransaction(tenantId) { project, context throws(APIError) in
      let importer = AccountImport(
        project: project, context: context, foreign: foreign, allowOverwrite: false,
        namesEmailPlainly: true)
      var refusals: [String] = []
      for user in users {
        do throws(APIError) {
          try project.transaction.nested { () throws(APIError) in try importer.add(user) }
        } catch {
          guard error.code.httpStatus == 400 else { throw error }
          refusals.append("\(user["localId"]?.string ?? "?"): \(error.message)")
        }
      }
      return refusals
    }
    report.imported += users.count - refusals.count
    // Enough to see what is wrong, not so many that memory grows with a bad file.
    report.refusals += refusals.prefix(max(0, 100 - report.refusals.count))
  }

  // MARK: Our own fields

  private func readExtras(_ folder: String, isBefore: Bool) throws {
    let path = folder + "/" + AccountExport.extras
    guard let handle = FileHandle(forReadingAtPath: path) else { return }
    defer { try? handle.close() }
    var isFirst = true
    var lines: [JSON] = []
    for read in LineReader(handle) {
      let line = try read.get()
      guard let json = try? JSON.parse(line) else {
        throw ExportError("\(path) holds a line that is not JSON")
      }
      if isFirst {
        isFirst = false
        if isBefore { return try restoreProject(json) }
        continue
      }
      lines.append(json)
      if lines.count == Self.batchSize { try restore(&lines) }
    }
    if !isBefore { try restore(&lines) }
  }

  private func restoreProject(_ json: JSON) throws {
    try inTransaction(nil) { project, _ throws(APIError) in
      var settings = try project.settings()
      if let config = json["config"]?.object { settings.config = config }
      try settings.switches.update(json["switches"]?.object ?? JSONObject())
      try project.save(settings)
      for tenant in json["tenants"]?.array ?? [] {
        guard let id = tenant["tenantId"]?.string, let record = tenant.object else { continue }
        try TenantSettings(tenantId: id, record: record).save(
          of: project.projectId, in: project.transaction)
      }
    }
  }

  private func restore(_ lines: inout [JSON]) throws {
    let records = lines
    lines.removeAll(keepingCapacity: true)
    try inTransaction(nil) { project, _ throws(APIError) in
      for record in records {
        let owner = project.inTenant((record["tenantId"]?.string).nonEmpty)
        guard let known = try owner.user(localId: record["localId"]?.string ?? "") else { continue }
        var merged = known.record.object ?? JSONObject()
        for name in ["emailVerified", "disabled"] where record[name] == nil { merged[name] = nil }
        merged.merge(record.object ?? JSONObject())
        var user = User(record: .object(merged))
        user.storedLinks = known.storedLinks
        try owner.save(&user)
      }
    }
  }

  private func inTransaction<Value>(
    _ tenantId: String?,
    _ body: (ProjectTransaction, Context) throws(APIError) -> Value
  ) throws(APIError) -> Value {
    try store.transaction { transaction throws(APIError) in
      let project = ProjectTransaction(
        transaction, projectId: projectId, tenantId: tenantId, server: server)
      let context = Context(
        now: server.clock.now, caller: .admin, baseURL: "http://127.0.0.1:9099",
        logger: Logger(label: "hearth.import"))
      return try body(project, context)
    }
  }

  // MARK: CSV

  private func readCSV(_ path: String, _ report: inout Report) throws {
    guard let handle = FileHandle(forReadingAtPath: path) else {
      throw ExportError("cannot read \(path)")
    }
    defer { try? handle.close() }
    var batch: [JSON] = []
    for read in LineReader(handle) {
      let line = try read.get()
      guard !line.isEmpty else { continue }
      batch.append(AuthExportCSV.user(String(decoding: line, as: UTF8.self)))
      if batch.count == Self.batchSize { try add(&batch, nil, &report) }
    }
    try add(&batch, nil, &report)
  }
}

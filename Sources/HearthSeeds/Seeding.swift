import HearthErrors
import HearthExports
import HearthFirestore
import HearthIdentityProviders
import HearthIdentityToolkit
package import HearthObservation
import HearthOperations
import HearthSQLite
import HearthWire

/// Puts seeds into a project: all of them or, if one has an error, none. Whatever can be checked
/// beforehand is checked first.
package struct Seeding {
  package let exports: Exports
  package let faults: Faults
  package let project: String
  /// Whether existing accounts are kept, so that a server with `--data` starts again with its
  /// seeds. Otherwise they are errors.
  package var keepsAccounts = false

  package init(exports: Exports, faults: Faults, project: String, keepsAccounts: Bool = false) {
    self.exports = exports
    self.faults = faults
    self.project = project
    self.keepsAccounts = keepsAccounts
  }

  private typealias Read = (file: SeedFile, seed: Seed)

  /// What was not taken from the seeds.
  package struct Report {
    /// How many users existed before.
    package fileprivate(set) var known = 0
    /// Why others were left out.
    package fileprivate(set) var left: [String] = []
    /// The file of the rules that hold now, and the seed that names it; nil where none does.
    package fileprivate(set) var rules: String?
  }

  /// Applies the files in their order: of a document that is in two of them, the later one counts.
  ///
  /// - Throws: ``ExportError`` with file, line and path of the first mistake.
  package func apply(_ files: [SeedFile]) async throws -> Report {
    let read = try files.map { (file: $0, seed: try $0.read(for: project)) }
    try checkUsers(read)
    let staged = try await stage(read)
    var report = Report()
    try await exports.whole(of: project, staged: staged) { journal in
      for (file, seed) in read {
        try file.naming {
          if let rules = try applySettings(seed, file: file, journal: journal) {
            report.rules = rules
          }
          try applyUsers(seed, file: file, journal: journal, report: &report)
        }
      }
    }
    return report
  }

  private func checkUsers(_ read: [Read]) throws {
    var ids: Set<[String]> = []
    for (file, seed) in read {
      try file.naming {
        for (tenant, record, node) in seed.users {
          let id = record["localId"]?.string ?? ""
          guard ids.insert([tenant ?? "", id]).inserted else {
            throw node.fault("has the uid of an earlier user, '\(id)'")
          }
        }
      }
    }
  }

  private func stage(_ read: [Read]) async throws -> BulkWriter? {
    var documents: [BulkDocument] = []
    var places: [ResourcePath: Int] = [:]
    for (file, seed) in read {
      let before = documents.count
      try file.naming {
        for entry in seed.documents {
          let document: BulkDocument
          do throws(APIError) {
            document = try BulkDocument(entry.path, fields: entry.fields)
          } catch {
            throw entry.node.fault(error.message)
          }
          if let index = places[entry.path] {
            guard index < before else { throw entry.node.fault("appears twice") }
            documents[index] = document
          } else {
            places[entry.path] = documents.count
            documents.append(document)
          }
        }
      }
    }
    guard !documents.isEmpty else { return nil }
    let writer = BulkWriter(exports.firestore)
    do {
      guard try await writer.add(documents) == nil else {
        throw ExportError("a document appears twice")
      }
    } catch {
      try? await writer.discard()
      throw error
    }
    return writer
  }
}

// MARK: Settings

extension Seeding {
  /// - Returns: the file of rules that the seed has set; nil for none.
  private func applySettings(
    _ seed: Seed, file: SeedFile, journal: ImportJournal
  ) throws -> String? {
    var words: String?
    if let node = seed.rules {
      let rules = try file.file(node)
      do {
        try at(node) { () throws(APIError) in
          _ = try exports.firestore.setSecurityRules(
            of: .project(project),
            [
              "rules": [
                "files": [["name": .string(rules.name), "content": .string(rules.text)]]
              ]
            ])
        }
      } catch {
        // What does not compile is quoted. A seed that was sent may name any file.
        guard keepsAccounts || rules.name.hasSuffix(".rules") else {
          throw node.fault("\(rules.name) does not compile; its name does not end with .rules")
        }
        throw error
      }
      words = "\(rules.name) (of the seed \(file.path ?? ""))"
    }
    if let node = seed.switches {
      try at(node) { () throws(APIError) in
        try transaction { project throws(APIError) in
          var settings = try project.settings()
          try settings.switches.update(node.json.object ?? JSONObject())
          try project.save(settings)
        }
      }
    }
    if let node = seed.faults {
      try at(node) { () throws(APIError) in
        try faults.replace(project, with: ["faults": node.json])
      }
    }
    if let node = seed.clock {
      try at(node) { () throws(APIError) in
        try exports.server.clocks.change(project, as: node.json.object ?? JSONObject())
      }
    }
    for (persona, node) in seed.personas {
      try at(node) { () throws(APIError) in
        try transaction { project throws(APIError) in try Personas(in: project).put(persona) }
      }
    }
    try applyApps(seed, file: file)
    for tenant in seed.tenants {
      try transaction { project throws(APIError) in
        try journal.note(tenant: tenant.tenantId, in: project)
        try tenant.save(of: project.projectId, in: project.transaction)
      }
    }
    return words
  }

  func at(_ node: SeedNode, body: () throws(APIError) -> Void) throws(SeedFault) {
    do throws(APIError) {
      try body()
    } catch {
      let code = error.code.name + " : "
      let words = error.message.dropFirst(error.message.hasPrefix(code) ? code.count : 0)
      guard words.hasPrefix("/"), let end = words.firstIndex(of: " ") else {
        throw node.fault(String(words))
      }
      // What checks faults calls the whole list `/faults`.
      let own = "/" + (node.path.last ?? "")
      let pointer = words[..<end].hasPrefix(own + "/") || words[..<end] == own ? own.count : 0
      throw node.fault(
        String(words[words.index(after: end)...]), at: words[..<end].dropFirst(pointer))
    }
  }

  func transaction(
    _ body: (ProjectTransaction) throws(APIError) -> Void
  ) throws(APIError) {
    try exports.store.transaction { transaction throws(APIError) in
      try body(
        ProjectTransaction(
          transaction, projectId: project, tenantId: nil, server: exports.server))
    }
  }
}

// MARK: Users

extension Seeding {
  private func applyUsers(
    _ seed: Seed, file: SeedFile, journal: ImportJournal, report: inout Report
  ) throws {
    let importer = try AccountImporter(exports.store, server: exports.server, projectId: project)
    for (tenant, record, node) in seed.users {
      if keepsAccounts,
        let obstacle = try importer.obstacle(to: record, tenantId: tenant, journal)
      {
        switch obstacle {
        case .itself: report.known += 1
        case .another(let words):
          report.left.append(file.text(of: node.fault(words)))
        }
        continue
      }
      if let reason = try importer.add(user: record, tenantId: tenant, journal) {
        throw node.fault(Self.plain(reason, record: record))
      }
    }
  }

  /// Without the id, which the pointer says.
  private static func plain(_ reason: String, record: JSON) -> String {
    let id = (record["localId"]?.string ?? "") + ": "
    return reason.hasPrefix(id) ? String(reason.dropFirst(id.count)) : reason
  }
}

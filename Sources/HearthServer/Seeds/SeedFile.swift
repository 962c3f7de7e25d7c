import HearthErrors
import HearthExports
import HearthFirestore
import HearthFirestoreProtos
import HearthIdentityToolkit
import HearthOperations
import HearthSQLite
import HearthWire

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A seed on its way into a project. Everything that can be known beforehand is checked first.
struct SeedFile {
  let exports: Exports
  let faults: Faults
  let project: String
  /// Where the seed is, and files that it names; nil for a text without a file.
  let path: String?
  /// Nil for that of the file.
  var content: Data?

  /// Puts the content into the project.
  ///
  /// - Throws: ``ExportError`` with file, line and path of the first mistake.
  func apply() async throws {
    let name = path ?? "seed"
    guard let bytes = try content ?? RegularFile.contents(name) else {
      throw ExportError("not found: \(name)")
    }
    do {
      let root = SeedNode(value: try Self.read(bytes, isYAML: isYAML), path: [])
      try await apply(try Seed(root, project: project))
    } catch let fault as YAMLFault {
      throw ExportError("\(name):\(fault.line): \(fault.words)")
    } catch let fault as SeedFault {
      throw ExportError("\(name):\(fault.line): \(fault.pointer) \(fault.words)")
    }
  }

  private var isYAML: Bool {
    guard let path else { return true }
    return path.hasSuffix(".yaml") || path.hasSuffix(".yml")
  }

  /// JSON is a part of YAML; a file of it says what is wrong as JSON does.
  private static func read(_ bytes: Data, isYAML: Bool) throws(YAMLFault) -> YAMLNode {
    if !isYAML {
      do throws(JSON.ParseError) { _ = try JSON.parse(bytes) } catch {
        let line = 1 + bytes.prefix(error.offset).count { $0 == UInt8(ascii: "\n") }
        throw YAMLFault(line: line, words: error.reason)
      }
    }
    return try YAMLReader.read(bytes)
  }

  private func apply(_ seed: Seed) async throws {
    try await exports.whole(of: project, try await stage(seed)) { journal in
      try applySettings(seed, journal)
      try applyUsers(seed, journal)
    }
  }

  private func stage(_ seed: Seed) async throws -> BulkWriter? {
    guard !seed.documents.isEmpty else { return nil }
    let documents = try seed.documents.map { entry in
      do throws(APIError) { return try BulkDocument(entry.path, entry.fields) } catch {
        throw entry.node.fault(error.message)
      }
    }
    let writer = BulkWriter(exports.firestore)
    if let index = try await writer.add(documents) {
      try? await writer.discard()
      throw seed.documents[index].node.fault("comes twice")
    }
    return writer
  }

  private func applySettings(_ seed: Seed, _ journal: ImportJournal) throws {
    if let node = seed.rules {
      let file = try node.text()
      guard let path else {
        throw node.fault("names a file, and the path of the seed is not known")
      }
      let full =
        file.hasPrefix("/")
        ? file : (URL(fileURLWithPath: path).deletingLastPathComponent().path + "/" + file)
      let data: Data?
      do throws(ExportError) { data = try RegularFile.contents(full) } catch {
        throw node.fault(error.description)
      }
      guard let data else { throw node.fault("not found: \(full)") }
      try at(node) { () throws(APIError) in
        _ = try exports.firestore.setSecurityRules(
          of: .project(project),
          [
            "rules": [
              "files": [
                ["name": .string(file), "content": .string(String(decoding: data, as: UTF8.self))]
              ]
            ]
          ])
      }
    }
    if let node = seed.switches {
      try at(node) { () throws(APIError) in
        try transaction(nil) { project throws(APIError) in
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
        try UpdateClock.update(
          exports.server.clocks, of: project, node.json.object ?? JSONObject())
      }
    }
    for tenant in seed.tenants {
      try transaction(nil) { project throws(APIError) in
        try journal.note(tenant: tenant.tenantId, in: project)
        try tenant.save(of: project.projectId, in: project.transaction)
      }
    }
  }

  private func applyUsers(_ seed: Seed, _ journal: ImportJournal) throws {
    let importer = try AccountImporter(exports.store, exports.server, projectId: project)
    for (tenant, record, node) in seed.users {
      if let reason = try importer.add(user: record, tenantId: tenant, journal) {
        throw node.fault(Self.plain(reason, record))
      }
    }
  }

  /// Without the id, which the pointer says.
  private static func plain(_ reason: String, _ record: JSON) -> String {
    let id = (record["localId"]?.string ?? "") + ": "
    return reason.hasPrefix(id) ? String(reason.dropFirst(id.count)) : reason
  }

  private func at(_ node: SeedNode, _ body: () throws(APIError) -> Void) throws(SeedFault) {
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

  private func transaction(
    _ tenant: String?, _ body: (ProjectTransaction) throws(APIError) -> Void
  ) throws(APIError) {
    try exports.store.transaction { transaction throws(APIError) in
      try body(
        ProjectTransaction(
          transaction, projectId: project, tenantId: tenant, server: exports.server))
    }
  }
}

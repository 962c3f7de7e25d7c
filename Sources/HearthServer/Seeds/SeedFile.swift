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
  let path: String

  /// Puts the content into the project.
  ///
  /// - Throws: ``ExportError`` with file, line and path of the first mistake.
  func apply() async throws {
    guard let bytes = try RegularFile.contents(path) else {
      throw ExportError("there is no \(path)")
    }
    let text = [UInt8](bytes)
    do {
      let root: JSON
      do throws(JSON.ParseError) { root = try JSON.parse(text) } catch {
        let line = SeedPlaces.line(at: error.offset, in: text)
        throw ExportError("\(path):\(line): \(error.reason)")
      }
      try await apply(try Seed(SeedNode(json: root, path: []), project: project))
    } catch let fault as SeedFault {
      let line = SeedPlaces.line(of: fault.path, in: text)
      throw ExportError("\(path):\(line): \(fault.pointer) \(fault.words)")
    }
  }

  private func apply(_ seed: Seed) async throws {
    let writer = try await stage(seed)
    do {
      try applySettings(seed)
      try applyUsers(seed)
      try await writer?.finish()
    } catch {
      try? await writer?.discard()
      throw error
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

  private func applySettings(_ seed: Seed) throws {
    if let node = seed.rules {
      let file = try node.text()
      let full =
        file.hasPrefix("/")
        ? file : (URL(fileURLWithPath: path).deletingLastPathComponent().path + "/" + file)
      guard let data = try RegularFile.contents(full) else {
        throw node.fault("there is no \(full)")
      }
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
        try tenant.save(of: project.projectId, in: project.transaction)
      }
    }
  }

  private func applyUsers(_ seed: Seed) throws {
    let importer = try AccountImporter(exports.store, exports.server, projectId: project)
    for (tenant, record, node) in seed.users {
      if let reason = try importer.add(user: record, tenantId: tenant) { throw node.fault(reason) }
    }
  }

  private func at(_ node: SeedNode, _ body: () throws(APIError) -> Void) throws(SeedFault) {
    do throws(APIError) {
      try body()
    } catch {
      let code = error.code.name + " : "
      let words = error.message
      throw node.fault(words.hasPrefix(code) ? String(words.dropFirst(code.count)) : words)
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

import Foundation
import HearthExports
import HearthFirestore
import HearthFirestoreProtos
import HearthWire
import Testing

@testable import HearthFirestoreJSON

/// An export that the official emulator wrote, with its documents as that emulator shows them.
struct Sample {
  static let names = [
    "01-scalars", "02-arrays-maps", "03-references-ids", "04-vectors", "05-blocks",
    "06-fieldnames", "07-second-database", "08-empty", "09-full-folder", "10-hub-export",
  ]

  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "fixtures/exports")
    .path

  let folder: String
  let database: String
  let project: String
  /// By path, with the members of maps sorted.
  let documents: [String: JSON]

  init(_ name: String) throws {
    folder = Self.root + "/" + name
    let bytes = try #require(FileManager.default.contents(atPath: folder + "/documents.json"))
    let json = try JSON.parse(bytes)
    database = try #require(json["database"]?.string)
    project = try #require(json["project"]?.string)
    var documents: [String: JSON] = [:]
    for document in json["documents"]?.array ?? [] {
      let message: Document = try FirestoreJSON.decode(
        JSON.members(["fields": document["fields"] ?? [:]]).bytes)
      documents[try #require(document["name"]?.string)] = try Self.comparable(message)
    }
    self.documents = documents
  }

  var export: String { folder + "/firestore_export" }
  var metadata: String { export + "/firestore_export.overall_export_metadata" }
  var output: String { export + "/all_namespaces/all_kinds/output-0" }

  static func comparable(_ fields: Fields) throws -> JSON {
    var document = Document()
    document.fields = fields
    return try comparable(document)
  }

  private static func comparable(_ document: Document) throws -> JSON {
    sorted(try JSON.parse(try FirestoreJSON.encode(document)))
  }

  private static func sorted(_ json: JSON) -> JSON {
    switch json {
    case .object(let object):
      .object(
        JSONObject(
          members: object.members.map { (key: $0.key, value: sorted($0.value)) }
            .sorted { $0.key < $1.key }))
    case .array(let elements): .array(elements.map(sorted))
    default: json
    }
  }
}

import HearthCrypto
import HearthErrors
import HearthFirestore
import HearthOperations
import HearthSeeds
import HearthTransport
import HearthWire
import HearthYAML

/// Writes the documents of a JSON or CSV file into a collection: all of them, or none if one cannot be
/// read. Existing documents with the same ids are replaced; with `mode=create` the file is refused.
enum ImportDocuments: ServerOperation {
  static let parameters = ["collection", "format", "id", "mode"]

  /// How many are prepared before they are staged.
  private static let batch = 500

  static func run(
    _ request: ServerRequest, with exports: Exports
  ) async throws -> OutgoingReply {
    let query = request.wire.query
    let format = try DocumentFormat(named: query["format"])
    let collection = try ResourcePath(request.documents(below: query["collection"]))
    guard !collection.segments.isEmpty, !collection.isDocument else {
      throw APIError(.invalidArgument, detail: "\"collection\" must be the path of a collection")
    }
    let target = Target(
      database: request.database, collection: collection.segments,
      id: query["id"].nonEmpty ?? DocumentFormat.id, random: Randomness(),
      replacing: try replacing(query["mode"]))
    let file = request.call.body
    let written = try await exports.onFiles {
      let writer = BulkWriter(exports.firestore)
      do {
        let count = try await stage(
          DocumentText(file, format: format), target: target, writer: writer)
        try await writer.finish()
        return count
      } catch {
        try? await writer.discard()
        throw (error as? DocumentRowFault)?.refusal ?? error
      }
    }
    return ReplyWriter.json(.members(["written": .int(Int64(written))]))
  }

  private static func replacing(_ mode: String?) throws(APIError) -> Bool {
    switch mode {
    case nil, "", "replace": return true
    case "create": return false
    default: throw APIError(.invalidArgument, detail: "\"mode\" must be create or replace")
    }
  }

  /// - Returns: how many there are.
  private static func stage(
    _ text: DocumentText, target: Target, writer: BulkWriter
  ) async throws -> Int {
    var (text, count) = (text, 0)
    while true {
      let rows = try text.next(batch)
      if rows.isEmpty { return count }
      count += rows.count
      var documents: [BulkDocument] = []
      for row in rows { documents.append(try target.document(of: row)) }
      if !target.replacing, let index = try writer.firstKnown(of: documents) {
        throw DocumentRowFault(
          line: rows[index].line, words: "a document with this id exists"
        ).refusal
      }
      guard let index = try await writer.add(documents) else { continue }
      throw DocumentRowFault(line: rows[index].line, words: "another row has the same id").refusal
    }
  }

  /// Where rows become documents.
  private struct Target {
    let database: DatabaseName
    let collection: [String]
    /// The member that holds the id; without it a document gets a new one.
    let id: String
    let random: Randomness
    /// Whether documents that are there and have the same ids are replaced.
    let replacing: Bool

    func document(of row: DocumentRow) throws -> BulkDocument {
      var members = row.members
      let name = try name(members[id], row: row)
      members[id] = nil
      do {
        let fields = try SeedValues.fields(
          SeedNode(value: YAMLNode(json: .object(members), line: row.line), path: []), in: database)
        return try BulkDocument(
          ResourcePath(database, segments: collection + [name]), fields: fields)
      } catch let fault as SeedFault {
        throw DocumentRowFault(line: row.line, words: "\(fault.pointer) \(fault.words)").refusal
      } catch let error as APIError {
        throw DocumentRowFault(line: row.line, words: error.message).refusal
      }
    }

    private func name(_ json: JSON?, row: DocumentRow) throws(APIError) -> String {
      switch json {
      case nil, .null?: return random.alphanumeric(20)
      case .string(let text)? where !text.isEmpty && !text.contains("/"): return text
      case .int(let number)?: return String(number)
      default:
        throw DocumentRowFault(line: row.line, words: "\(id) is not the id of a document").refusal
      }
    }
  }
}

extension DocumentRowFault {
  var refusal: APIError { APIError(.invalidArgument, detail: "line \(line): \(words)") }
}

extension DocumentFormat {
  init(named name: String?) throws(APIError) {
    guard let format = DocumentFormat(rawValue: name.nonEmpty ?? "json") else {
      let known = DocumentFormat.allCases.map(\.rawValue).joined(separator: ", ")
      throw APIError(.invalidArgument, detail: "the format must be one of \(known)")
    }
    self = format
  }
}

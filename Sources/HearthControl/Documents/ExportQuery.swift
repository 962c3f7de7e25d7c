import HTTPTypes
import HearthErrors
import HearthFirestore
import HearthFirestoreJSON
import HearthFirestoreProtos
import HearthOperations
import HearthSeeds
import HearthTransport
import HearthWire
import SwiftProtobuf

/// The documents that a query finds, as a file. Rules do not apply.
enum ExportQuery: ServerOperation {
  /// More are for an export.
  private static let most: Int32 = 100_000

  struct Request: ServerOperationRequest {
    let format: DocumentFormat
    let database: DatabaseName
    let query: RunQueryRequest

    init(_ request: ServerRequest) throws(APIError) {
      try request.checkMembers("format", "parent", "structuredQuery")
      format = try DocumentFormat(named: request.wire.string("format"))
      database = request.database
      query = try request.structuredQuery()
    }
  }

  static func run(
    _ request: Request, with firestore: Firestore
  ) async throws -> OutgoingReply {
    var query = request.query
    if !query.structuredQuery.hasLimit { query.structuredQuery.limit.value = most + 1 }
    let (format, database, call) = (request.format, request.database, query)
    let file = try await WorkPool.shared.run { () async throws(APIError) in
      let found = try await firestore.runQuery(call, as: .owner)
      guard found.count <= most else {
        throw APIError(
          .failedPrecondition,
          detail: "there are more than \(most) documents: give a limit or export all")
      }
      let documents = found.filter(\.hasDocument).map(\.document)
      return text(documents.map { row($0, in: database) }, format: format)
    }
    var reply = ReplyWriter.text(file, contentType: format.contentType)
    reply.headers[.contentDisposition] = "attachment; filename=\"query.\(format.rawValue)\""
    return reply
  }

  private static func row(_ document: Document, in database: DatabaseName) -> JSONObject {
    var row = JSONObject()
    let id = document.name.split(separator: "/").last.map(String.init) ?? ""
    row.append(DocumentFormat.id, value: .string(id))
    row.merge(SeedValues.json(document.fields, in: database).object ?? JSONObject())
    return row
  }

  private static func text(_ rows: [JSONObject], format: DocumentFormat) -> String {
    switch format {
    case .json:
      return "[\n" + rows.map { "  " + JSON.object($0).text }.joined(separator: ",\n") + "\n]\n"
    case .ndjson: return rows.map { JSON.object($0).text + "\n" }.joined()
    case .csv:
      var names: [String] = []
      var known: Set<String> = []
      for name in rows.flatMap(\.keys) where known.insert(name).inserted { names.append(name) }
      return CSVRows.text(names: names.isEmpty ? [DocumentFormat.id] : names, rows)
    }
  }
}

extension ServerRequest {
  /// The query in the body, below the document or the root that `parent` names.
  func structuredQuery() throws(APIError) -> RunQueryRequest {
    guard let query = wire.object("structuredQuery") else {
      throw APIError(.invalidArgument, detail: "/structuredQuery must be a query")
    }
    var message: RunQueryRequest = try FirestoreJSON.decode(
      JSON.members(["structuredQuery": .object(query)]).bytes)
    message.parent = documents(below: wire.string("parent"))
    return message
  }
}

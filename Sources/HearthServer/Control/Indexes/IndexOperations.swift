import HTTPTypes
import HearthErrors
import HearthFirestore
import HearthIndexes
import HearthOperations
import HearthSeeds
import HearthSettings
import HearthTransport
import HearthWire

/// The indexes of a database, in the form of `firestore.indexes.json`.
enum GetIndexes: ServerOperation {
  static func run(
    _ request: ServerRequest, in context: ServerContext
  ) async throws -> OutgoingReply {
    context.indexes(of: request.database)
  }
}

/// Replaces the indexes of a database. Those of its file count no more until the server starts again.
enum ReplaceIndexes: ServerOperation {
  static func run(
    _ request: ServerRequest, in context: ServerContext
  ) async throws -> OutgoingReply {
    try context.exports.firestore.setIndexes(of: request.database, .object(request.wire.body))
    return context.indexes(of: request.database)
  }
}

/// Adds indexes to those of a database, and to its file where the server may write it.
enum AddIndexes: ServerOperation {
  static func run(
    _ request: ServerRequest, in context: ServerContext
  ) async throws -> OutgoingReply {
    let body = JSON.object(request.wire.body)
    if let file = context.overview.configuration.writtenIndexFile(of: request.database) {
      try request.requireOwnPage()
      try await WorkPool.shared.run { () throws(APIError) in try IndexFile.add(body, to: file) }
    }
    try context.exports.firestore.addIndexes(of: request.database, body)
    return context.indexes(of: request.database)
  }
}

/// Which indexes queries have missed since the start, and which they have not used.
enum ReportIndexes: ServerOperation {
  static func run(
    _ request: ServerRequest, in context: ServerContext
  ) async throws -> OutgoingReply {
    ReplyWriter.json(context.exports.firestore.indexReport(of: request.database))
  }
}

/// Which queries the indexes of the body would not serve.
enum CheckIndexes: ServerOperation {
  static func run(
    _ request: ServerRequest, in context: ServerContext
  ) async throws -> OutgoingReply {
    let (firestore, body) = (context.exports.firestore, JSON.object(request.wire.body))
    let database = request.database
    return ReplyWriter.json(
      try await WorkPool.shared.run { () throws(APIError) in
        try firestore.checkIndexes(of: database, body)
      })
  }
}

/// Sends a link of a message about a missing index to the console.
enum ShowIndexPage: ServerOperation {
  static func run(
    _ request: ServerRequest, in context: ServerContext
  ) async throws -> OutgoingReply {
    var query = FormFields()
    for name in ["create_composite", "create_exemption"] {
      guard let value = request.wire.query[name] else { continue }
      query.pairs.append(FormFields.Pair(name: name, value: value))
    }
    var reply = OutgoingReply(status: 302, body: [])
    let project = PercentCoding.encodeComponent(request.project)
    reply.headers[.location] = "/console?project=\(project)#/indexes?\(query.text)"
    return reply
  }
}

extension ServerContext {
  fileprivate func indexes(of database: DatabaseName) -> OutgoingReply {
    ReplyWriter.json(exports.firestore.indexes.configuration(of: database).json)
  }
}

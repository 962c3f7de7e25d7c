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
    _ request: ServerRequest, with firestore: Firestore
  ) async throws -> OutgoingReply {
    firestore.indexReply(of: request.database)
  }
}

/// Replaces the indexes of a database. Those of its file count no more until the server starts again.
enum ReplaceIndexes: ServerOperation {
  static func run(
    _ request: ServerRequest, with firestore: Firestore
  ) async throws -> OutgoingReply {
    try firestore.setIndexes(of: request.database, .object(request.wire.body))
    return firestore.indexReply(of: request.database)
  }
}

/// Adds indexes to those of a database, and to its file where the server may write it.
enum AddIndexes: ServerOperation {
  struct Parts: ServerParts {
    let firestore: Firestore
    let configuration: Configuration

    static func parts(of server: ServerContext) -> Parts {
      Parts(
        firestore: server.exports.firestore, configuration: server.overview.configuration)
    }
  }

  static func run(
    _ request: ServerRequest, with parts: Parts
  ) async throws -> OutgoingReply {
    let body = JSON.object(request.wire.body)
    if let file = parts.configuration.writtenIndexFile(of: request.database) {
      try request.requireOwnPage()
      try await WorkPool.shared.run { () throws(APIError) in try IndexFile.add(body, to: file) }
    }
    try parts.firestore.addIndexes(of: request.database, body)
    return parts.firestore.indexReply(of: request.database)
  }
}

/// Which indexes queries have missed since the start, and which they have not used.
enum ReportIndexes: ServerOperation {
  static func run(
    _ request: ServerRequest, with firestore: Firestore
  ) async throws -> OutgoingReply {
    ReplyWriter.json(firestore.indexReport(of: request.database))
  }
}

/// Which queries the indexes of the body would not serve.
enum CheckIndexes: ServerOperation {
  static func run(
    _ request: ServerRequest, with firestore: Firestore
  ) async throws -> OutgoingReply {
    let body = JSON.object(request.wire.body)
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
    _ request: ServerRequest, with _: NoParts
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

extension Firestore {
  fileprivate func indexReply(of database: DatabaseName) -> OutgoingReply {
    ReplyWriter.json(indexes.configuration(of: database).json)
  }
}

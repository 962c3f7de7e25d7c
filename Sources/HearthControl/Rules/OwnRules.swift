import HearthErrors
import HearthFirestore
import HearthOperations
import HearthSeeds
import HearthTransport
import HearthWire

/// The rules of a database, and whether they were set over an endpoint or are those of a file.
enum GetRulesSource: ServerOperation {
  static func run(
    _ request: ServerRequest, with firestore: Firestore
  ) async throws -> OutgoingReply {
    ReplyWriter.json(firestore.rulesSource(of: request.rulesDatabase))
  }
}

/// Sets the rules of a database: `{"rules": {"files": […]}, "revision": "…"}`. With a revision they
/// are set only in the place of the rules that have it.
///
/// - Throws: INVALID_ARGUMENT with the place of the mistake; ABORTED if other rules hold by now.
enum SetRules: ServerOperation {
  static func run(
    _ request: ServerRequest, with firestore: Firestore
  ) async throws -> OutgoingReply {
    try request.checkMembers("rules", "revision")
    let revision = try request.wire.body["revision"].map { value throws(APIError) in
      guard let text = value.string else {
        throw APIError(.invalidArgument, detail: "/revision must be a string")
      }
      return text
    }
    return ReplyWriter.json(
      try firestore.setRules(
        of: request.rulesDatabase, .members(["rules": request.wire.body["rules"]]),
        inPlaceOf: revision))
  }
}

/// Takes away the rules that were set for a database. Those of its file hold then, and each change
/// of that file is followed.
enum RemoveRules: ServerOperation {
  static func run(
    _ request: ServerRequest, with firestore: Firestore
  ) async throws -> OutgoingReply {
    firestore.removeRules(of: request.rulesDatabase)
    return ReplyWriter.json(firestore.rulesSource(of: request.rulesDatabase))
  }
}

/// Lets the counts of the rules begin at zero. The rules stay as they are.
enum ResetRuleCoverage: ServerOperation {
  static func run(
    _ request: ServerRequest, with firestore: Firestore
  ) async throws -> OutgoingReply {
    firestore.resetRuleCoverage(of: request.rulesDatabase)
    return ReplyWriter.json([:])
  }
}

extension ServerRequest {
  /// The database that the query names, or the default one.
  fileprivate var rulesDatabase: DatabaseName {
    DatabaseName(project: project, database: wire.query["database"].nonEmpty ?? "(default)")
  }
}

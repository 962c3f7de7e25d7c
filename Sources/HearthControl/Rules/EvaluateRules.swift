import HearthErrors
import HearthFirestore
import HearthOperations
import HearthSeeds
import HearthTransport
import HearthWire

/// Tries rules on a request that nobody makes, and shows how each expression came out.
enum EvaluateRules: ServerOperation {
  static func run(
    _ request: ServerRequest, with firestore: Firestore
  ) async throws -> OutgoingReply {
    let trial = try RuleTrial(request.wire.body, project: request.project)
    // Rules may be made to take long.
    let answer = try await WorkPool.shared.run { () throws(APIError) in try trial.run(firestore) }
    return ReplyWriter.json(answer)
  }
}

/// The rules with what the requests so far had of them, by parts of the source and by lines.
enum GetRuleCoverage: ServerOperation {
  static func run(
    _ request: ServerRequest, with firestore: Firestore
  ) async throws -> OutgoingReply {
    let database = DatabaseName(
      project: request.project,
      database: request.wire.query["database"].nonEmpty ?? "(default)")
    return ReplyWriter.json(firestore.ruleCoverageForEditor(of: database))
  }
}

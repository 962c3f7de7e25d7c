import HearthErrors
import HearthFirestore
import HearthObservation
import HearthOperations
import HearthSeeds
import HearthSettings
import HearthTransport
import HearthWire

/// The rules of a database, and whether they were set over an endpoint or are those of a file.
enum GetRulesSource: ServerOperation {
  static func run(
    _ request: ServerRequest, with rules: RulesControl
  ) async throws -> OutgoingReply {
    ReplyWriter.json(rules.source(of: request.rulesDatabase))
  }
}

/// Sets the rules of a database: `{"rules": {"files": […]}, "revision": "…"}`. With a revision they
/// are set only in the place of the rules that have it.
///
/// - Throws: INVALID_ARGUMENT with the place of the mistake; ABORTED if other rules hold by now.
enum SetRules: ServerOperation {
  static func run(
    _ request: ServerRequest, with rules: RulesControl
  ) async throws -> OutgoingReply {
    try request.checkMembers("rules", "revision")
    try rules.firestore.setRules(
      of: request.rulesDatabase, request.rules, inPlaceOf: try request.rulesRevision())
    return ReplyWriter.json(rules.source(of: request.rulesDatabase))
  }
}

/// Takes away the rules that were set for a database. Those of its file hold then, and each change
/// of that file is followed.
enum RemoveRules: ServerOperation {
  static func run(
    _ request: ServerRequest, with rules: RulesControl
  ) async throws -> OutgoingReply {
    rules.firestore.removeRules(of: request.rulesDatabase)
    return ReplyWriter.json(rules.source(of: request.rulesDatabase))
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

/// The requests that had a line of the rules evaluated, since the counts of these rules began: those
/// that the log still has, oldest first.
enum ListRuleRequests: ServerOperation {
  static func run(
    _ request: ServerRequest, with rules: RulesControl
  ) async throws -> OutgoingReply {
    guard let line = request.wire.query["line"].flatMap({ Int($0) }), line > 0 else {
      throw APIError(.invalidArgument, detail: "\"line\" must be the number of a line")
    }
    let found = rules.log.entries(of: request.project).filter {
      rules.firestore.hasEvaluated(
        line: line, of: request.rulesDatabase, in: $0.call.evaluated)
    }
    return ReplyWriter.json(.members(["requests": .array(found.map { $0.summary })]))
  }
}

/// What endpoints of rules work with.
struct RulesControl: ServerParts {
  let firestore: Firestore
  let configuration: Configuration
  let hosts: Hosts
  let log: RequestLog
  /// Whether others than the owner of the machine use the server.
  let isShared: Bool

  static func parts(of server: ServerContext) -> RulesControl {
    RulesControl(
      firestore: server.exports.firestore, configuration: server.overview.configuration,
      hosts: server.network.hosts, log: server.observation.recorder.requests,
      isShared: server.projects.sharing != nil)
  }

  /// Where the rules of a database come from, and the file that the server was started with for it.
  func source(of database: DatabaseName) -> JSON {
    guard case .object(var object) = firestore.rulesSource(of: database) else { return [:] }
    if let file = configuration.rulesPath(of: database.database) { object["file"] = .string(file) }
    return .object(object)
  }
}

extension ServerRequest {
  /// The database that the query names, or the default one.
  var rulesDatabase: DatabaseName {
    DatabaseName(project: project, database: wire.query["database"].nonEmpty ?? "(default)")
  }

  /// The rules that are sent.
  var rules: JSON { .members(["rules": wire.body["rules"]]) }

  /// That of the rules in whose place the sent ones come; nil where it does not matter.
  func rulesRevision() throws(APIError) -> String? {
    guard let value = wire.body["revision"] else { return nil }
    guard let text = value.string else {
      throw APIError(.invalidArgument, detail: "/revision must be a string")
    }
    return text
  }
}

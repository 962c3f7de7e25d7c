import HearthOperations

/// Firestore's REST surface: one row for each RPC and each place that it can be called at.
enum FirestoreRoutes {
  private static let documents =
    "/v1/projects/{targetProjectId}/databases/{databaseId}/documents"

  static let all = ofDocuments + ofParents + ofDatabases + ofEmulator

  /// Not a row of its own: its path has the form of a document's.
  static let list = "firestore.projects.databases.documents.list"

  /// The operation that a call is counted as: a `GET` of a collection is a list.
  static func operation(_ route: Route, _ call: IncomingCall) -> String {
    guard route.id == "firestore.projects.databases.documents.get" else { return route.id }
    // `/v1/projects/p/databases/d/documents/c/d` has eight.
    let slashes = call.path.utf8.reduce(0) { $0 + ($1 == UInt8(ascii: "/") ? 1 : 0) }
    return slashes.isMultiple(of: 2) ? route.id : list
  }

  private static let ofDocuments: [Route] = [
    row("GET", "/{path=**}", "get"),
    row("POST", "/{path=**}", "createDocument"),
    row("PATCH", "/{path=**}", "patch"),
    row("DELETE", "/{path=**}", "delete"),
  ]

  private static let ofDatabases: [Route] = [
    "batchGet", "batchWrite", "beginTransaction", "commit", "rollback",
    // Streams and pipelines, which Google declares over HTTP too.
    "executePipeline", "listen", "write",
  ].map { row("POST", ":\($0)", $0) }

  private static let ofParents: [Route] = [
    "listCollectionIds", "partitionQuery", "runAggregationQuery", "runQuery",
  ].flatMap { [row("POST", ":\($0)", $0), row("POST", "/{path=**}:\($0)", $0)] }

  private static let ofEmulator: [Route] = [
    Route(
      "DELETE", "/emulator" + documents, "emulator.firestore.clear", .open, .served(.firestore),
      differs: ["does not wait for open transactions: they are ABORTED at their next use"]),
    Route(
      "DELETE", "/emulator" + documents + "/{path=**}", "emulator.firestore.deleteSubtree", .open,
      .served(.firestore)),
    Route(
      "POST", "/emulator/v1/projects/{targetProjectId}:bulkDelete",
      "emulator.firestore.bulkDelete", .open, .served(.firestore)),
    Route(
      "POST", "/emulator/v1/projects/{targetProjectId}/databases/{databaseId}:bulkDelete",
      "emulator.firestore.bulkDelete", .open, .served(.firestore)),
    Route(
      "GET", "/emulator/v1/projects/{targetProjectId}:indexUsage",
      "emulator.firestore.indexUsage", .open, query: [.init("database")], .served(.firestore),
      differs: ["always empty"]),
    Route(
      "PUT", "/emulator/v1/projects/{targetProjectId}:securityRules",
      "emulator.firestore.setSecurityRules", .open, .served(.firestore), differs: [rules]),
    Route(
      "GET", "/emulator/v1/projects/{targetProjectId}:securityRules",
      "emulator.firestore.getSecurityRules", .open, .served(.firestore)),
    Route(
      "PUT", "/emulator/v1/projects/{targetProjectId}/databases/{databaseId}:securityRules",
      "emulator.firestore.setDatabaseRules", .open, .served(.firestore), differs: [rules]),
    Route(
      "GET", "/emulator/v1/projects/{targetProjectId}/databases/{databaseId}:securityRules",
      "emulator.firestore.getDatabaseRules", .open, .served(.firestore)),
    Route(
      "GET", "/emulator/v1/projects/{targetProjectId}:ruleCoverage",
      "emulator.firestore.ruleCoverage", .open, .served(.firestore)),
    Route(
      "GET", "/emulator/v1/projects/{targetProjectId}:ruleCoverage.html",
      "emulator.firestore.ruleCoveragePage", .open, .served(.firestore)),
  ]

  private static func row(_ method: String, _ path: String, _ verb: String) -> Route {
    Route(
      method, documents + path, "firestore.projects.databases.documents.\(verb)", .open,
      .served(.firestore), differs: differs[verb] ?? [],
      switches: [\.acceptUnsignedTokens, \.tokenExpiry])
  }

  // MARK: The official emulator

  /// How the RPCs differ from the official emulator's.
  private static let differs: [String: [String]] = [
    "get": ["lists with `showMissing` heed the mask, and missing documents have no times"],
    "createDocument": [strict],
    "patch": [strict],
    "commit": [conflicts, strict, bounds],
    "batchWrite": [strict, bounds],
    "batchGet": [bounds],
    "beginTransaction": [conflicts],
    "runQuery": ["vectors within maps are found"],
    "runAggregationQuery": ["sums without rounding; more than 5 aggregations are a 400"],
    "listen": [
      streams,
      "judged again at once when rules or what they look up change, not at the next change",
    ],
    "write": [streams],
  ]

  private static let strict = "strict JSON; updated fields keep their places"
  private static let bounds =
    "documents of one database; limits of production also for transforms"
  private static let conflicts =
    "two transactions that wait for each other are decided at once; the switch `transactions`"
  private static let streams = "over gRPC and WebChannel; plain REST answers 501"
  private static let rules =
    "`ignore_errors` keeps the old rules; no warnings about types (decision 0031); databases "
    + "without rules have those of the project"
}

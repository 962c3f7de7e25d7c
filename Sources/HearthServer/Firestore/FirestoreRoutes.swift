import HearthStore

/// Firestore's REST surface: one row for each RPC and each place that it can be called at.
enum FirestoreRoutes {
  private static let documents =
    "/v1/projects/{targetProjectId}/databases/{databaseId}/documents"

  static let all: [Route] =
    [
      row("GET", "/{path=**}", "get"),
      row("POST", "/{path=**}", "createDocument"),
      row("PATCH", "/{path=**}", "patch"),
      row("DELETE", "/{path=**}", "delete"),
    ]
    + ["batchGet", "batchWrite", "beginTransaction", "commit", "rollback"].map {
      row("POST", ":\($0)", $0)
    }
    + ["listCollectionIds", "partitionQuery", "runAggregationQuery", "runQuery"].flatMap {
      [row("POST", ":\($0)", $0), row("POST", "/{path=**}:\($0)", $0)]
    }
    // Streams and pipelines, which Google declares over HTTP too.
    + ["executePipeline", "listen", "write"].map { row("POST", ":\($0)", $0) }
    + [
      Route(
        "DELETE", "/emulator" + documents, "emulator.firestore.clear", .open, .served(.firestore)),
      Route(
        "PUT", "/emulator/v1/projects/{targetProjectId}:securityRules",
        "emulator.firestore.setSecurityRules", .open, .served(.firestore)),
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
      .served(.firestore))
  }
}

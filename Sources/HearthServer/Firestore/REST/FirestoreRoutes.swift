import HearthErrors
import HearthFirestore
import HearthFirestoreProtos
import HearthOperations
import HearthTransport
import HearthWire

/// Firestore's REST surface: one row for each RPC and each place that it can be called at.
///
/// The row of an RPC has the id of the method in Google's API description. Faults and the request
/// log name calls by it, over gRPC and WebChannel as well. The texts in `differs` are printed in
/// the guides.
enum FirestoreRoutes {
  private static let documents =
    "/v1/projects/{targetProjectId}/databases/{databaseId}/documents"

  static let all = ofDocuments + ofParents + ofDatabases + ofEmulator + DatabaseRoutes.all

  /// Not a row of its own: its path has the form of a document's.
  static let list = id("list")

  private static let ofDocuments: [Endpoint] = [
    row("GET", path: "/{path=**}", verb: "get", collections: list) {
      try await DocumentMethods.read($0)
    },
    row("POST", path: "/{path=**}", verb: "createDocument") {
      try await DocumentMethods.create($0)
    },
    row("PATCH", path: "/{path=**}", verb: "patch") { try await DocumentMethods.patch($0) },
    row("DELETE", path: "/{path=**}", verb: "delete") { try await DocumentMethods.delete($0) },
  ]

  /// In each of them the path counts, whatever the body says of the parent.
  private static let ofParents: [Endpoint] =
    ofParent("listCollectionIds") { call in
      try await RestReply.json {
        try await call.firestore.listCollectionIds(
          call.message { $0.parent = call.name }, as: call.caller)
      }
    }
    + ofParent("partitionQuery") { call in
      try await RestReply.json {
        try await call.firestore.partitionQuery(
          call.message { $0.parent = call.name }, as: call.caller)
      }
    }
    + ofParent("runAggregationQuery") { call in
      // One row of numbers, however much is counted.
      try await RestReply.array(.document) {
        try await call.firestore.runAggregationQuery(
          call.message { $0.parent = call.name }, as: call.caller)
      }
    }
    + ofParent("runQuery") { call in
      try await RestReply.array {
        try await call.firestore.runQuery(call.message { $0.parent = call.name }, as: call.caller)
      }
    }

  private static let ofDatabases: [Endpoint] = [
    ofDatabase("batchGet") { call in
      try await RestReply.array {
        try await call.firestore.batchGetDocuments(
          call.message { $0.database = call.database.description }, as: call.caller)
      }
    },
    ofDatabase("batchWrite") { call in
      try await RestReply.json {
        try await call.firestore.batchWrite(
          call.message { $0.database = call.database.description }, as: call.caller)
      }
    },
    ofDatabase("beginTransaction") { call in
      try await RestReply.json {
        try await call.firestore.beginTransaction(
          call.message { $0.database = call.database.description }, as: call.caller)
      }
    },
    ofDatabase("commit") { call in
      try await RestReply.json {
        try await call.firestore.commit(
          call.message { $0.database = call.database.description }, as: call.caller)
      }
    },
    ofDatabase("rollback") { call in
      try await call.firestore.rollback(
        call.message { $0.database = call.database.description }, as: call.caller)
      return ReplyWriter.json([:])
    },
    // Streams and pipelines, which Google declares over HTTP too.
    ofDatabase("executePipeline") { call in
      throw call.firestore.pipelineRefusal(for: call.project)
    },
    unimplemented("listen"), unimplemented("write"),
  ]

  // MARK: The emulator's own

  private static let emulator = "/emulator/v1/projects/{targetProjectId}"
  private static let database = emulator + "/databases/{databaseId}"

  private static let ofEmulator: [Endpoint] = [
    open("DELETE", template: "/emulator" + documents, verb: "clear", differs: [waits]) { call in
      try await EmulatorMethods.deleteSubtree(call)
    },
    open("DELETE", template: "/emulator" + documents + "/{path=**}", verb: "deleteSubtree") {
      try await EmulatorMethods.deleteSubtree($0)
    },
    open(
      "POST", template: emulator + ":bulkDelete", verb: "bulkDelete", project: .pathAndDatabase
    ) {
      try await EmulatorMethods.bulkDelete($0)
    },
    open(
      "POST", template: database + ":bulkDelete", verb: "bulkDelete", project: .pathAndDatabase
    ) {
      try await EmulatorMethods.bulkDelete($0)
    },
    open(
      "GET", template: emulator + ":indexUsage", verb: "indexUsage", query: [.init("database")],
      project: .pathAndDatabase, differs: ["empty while `indexes` is `off`"]
    ) { call in
      let database = try DatabaseName(call.query["database"] ?? "")
      return ReplyWriter.json(call.firestore.indexes.usage(of: database))
    },
    open("PUT", template: emulator + ":securityRules", verb: "setSecurityRules", differs: [rules]) {
      try EmulatorMethods.setRules(of: .project($0.project), $0)
    },
    open("GET", template: emulator + ":securityRules", verb: "getSecurityRules") {
      ReplyWriter.json($0.firestore.securityRules(of: .project($0.project)))
    },
    open("PUT", template: database + ":securityRules", verb: "setDatabaseRules", differs: [rules]) {
      try EmulatorMethods.setRules(of: .database($0.database), $0)
    },
    open("GET", template: database + ":securityRules", verb: "getDatabaseRules") {
      ReplyWriter.json($0.firestore.securityRules(of: .database($0.database)))
    },
    open("GET", template: emulator + ":ruleCoverage", verb: "ruleCoverage") {
      ReplyWriter.json($0.firestore.ruleCoverage(of: $0.project))
    },
    open("GET", template: emulator + ":ruleCoverage.html", verb: "ruleCoveragePage") {
      EmulatorMethods.coveragePage($0)
    },
  ]

  // MARK: Rows

  private static func id(_ verb: String) -> String {
    "firestore.projects.databases.documents.\(verb)"
  }

  /// A row below `documents`. `collections` is the id of the same call on a path of a collection.
  private static func row(
    _ method: String, path: String, verb: String, collections: String? = nil,
    isQuery: Bool = false, answer: @escaping RestMethod.Body
  ) -> Endpoint {
    Endpoint(
      Route(
        method, template: documents + path, id: id(verb), credential: .open, bodyBound: .documents,
        action: .server, differs: differs[verb] ?? [],
        switches: [\.acceptUnsignedTokens, \.tokenExpiry]),
      handler: .firestore(
        RestMethod(isOpen: false, collectionOperation: collections, isQuery: isQuery, answer)))
  }

  /// A method that is called at the root and at a document.
  private static func ofParent(
    _ verb: String, answer: @escaping RestMethod.Body
  ) -> [Endpoint] {
    ["", "/{path=**}"].map {
      row("POST", path: "\($0):\(verb)", verb: verb, isQuery: true, answer: answer)
    }
  }

  private static func ofDatabase(
    _ verb: String, answer: @escaping RestMethod.Body
  ) -> Endpoint {
    row("POST", path: ":\(verb)", verb: verb, answer: answer)
  }

  /// Streams over plain HTTP, which need gRPC or WebChannel here.
  private static func unimplemented(_ verb: String) -> Endpoint {
    ofDatabase(verb) { _ in
      throw APIError(.unimplemented, message: "\(id(verb)) is not implemented.")
    }
  }

  /// A row of the emulator's own, without a token.
  private static func open(
    _ method: String, template: String, verb: String, query: [Route.QueryParameter] = [],
    project: Route.ProjectPlace = .path, differs: [String] = [],
    answer: @escaping RestMethod.Body
  ) -> Endpoint {
    Endpoint(
      Route(
        method, template: template, id: "emulator.firestore.\(verb)", credential: .open,
        query: query, project: project, action: .server, differs: differs),
      handler: .firestore(RestMethod(isOpen: true, answer)))
  }

  // MARK: The official emulator

  /// How the RPCs differ from the official emulator's.
  private static let differs: [String: [String]] = [
    "get": ["lists with `showMissing` follow the mask, and missing documents have no times"],
    "createDocument": [strict],
    "patch": [strict],
    "commit": [conflicts, strict, bounds, ended],
    "batchWrite": [strict, bounds],
    "batchGet": [bounds],
    "beginTransaction": [conflicts],
    "runQuery": ["vectors within maps are found", explain, rows],
    "runAggregationQuery": [
      "sums without rounding; more than 5 aggregations are a 400", explain,
    ],
    "listen": [
      streams,
      "judged again at once when rules or what they look up change, not at the next change",
    ],
    "write": [streams],
  ]

  private static let explain = "`explainOptions` are answered"
  private static let rows =
    "with `answers: production` no `done`, and a row of its own for what an offset skips"
  private static let ended =
    "with `answers: production` a transaction that is over is ABORTED, and a refused write ends a "
    + "read-only one"
  private static let waits =
    "does not wait for open transactions: they are ABORTED at their next use"
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

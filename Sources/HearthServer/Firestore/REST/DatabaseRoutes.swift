import HearthErrors
import HearthFirestore
import HearthOperations
import HearthTransport
import HearthWire

/// The Admin API of Firestore, as far as a server on one machine can play it: databases and
/// operations. Administrators only.
///
/// A database exists when it has documents, so what is answered here is mostly computed; record
/// 0072 tells what is kept. Operations are done when they are answered.
enum DatabaseRoutes {
  private static let databases = "/v1/projects/{targetProjectId}/databases"
  private static let database = databases + "/{databaseId}"
  private static let operations = database + "/operations"

  static let all: [Endpoint] = ofDatabases + ofOperations + ofEnterprise + notPlayed

  private static let ofDatabases: [Endpoint] = [
    row(
      "GET", template: databases, verb: "list",
      query: [.init("showDeleted"), .init("show_deleted")]
    ) { call in
      try call.firestore.adminDatabases(
        of: call.project, showDeleted: call.query["showDeleted"] == "true")
    },
    row(
      "POST", template: databases, verb: "create",
      query: [.init("databaseId"), .init("database_id")]
    ) { call in
      try call.firestore.createAdminDatabase(
        call.project, id: call.query["databaseId"] ?? "", body: try call.databaseBody())
    },
    row("GET", template: database, verb: "get") { call in
      try call.firestore.adminDatabase(call.database)
    },
    row(
      "PATCH", template: database, verb: "patch",
      query: [.init("updateMask"), .init("update_mask")]
    ) { call in
      try call.firestore.updateAdminDatabase(
        call.database, mask: call.query["updateMask"], body: try call.databaseBody())
    },
    row("DELETE", template: database, verb: "delete", query: [.init("etag")]) { call in
      try await call.firestore.deleteAdminDatabase(call.database, etag: call.query["etag"])
    },
    row("POST", template: database + ":bulkDeleteDocuments", verb: "bulkDeleteDocuments") { call in
      try await call.firestore.bulkDeleteDocuments(of: call.database, try call.databaseBody())
    },
  ]

  private static let ofOperations: [Endpoint] = [
    row("GET", template: operations, verb: "operations.list") { call in
      try call.firestore.adminOperations(of: call.database)
    },
    row("GET", template: operations + "/{operationId}", verb: "operations.get") { call in
      try call.firestore.adminOperation(call.operation, of: call.project)
    },
    row("DELETE", template: operations + "/{operationId}", verb: "operations.delete") { call in
      try call.firestore.deleteAdminOperation(call.operation, of: call.project)
      return [:]
    },
  ]

  /// Databases of this edition cannot be made here.
  private static let ofEnterprise: [Endpoint] = ["changeStreams", "userCreds"].flatMap {
    kind -> [Endpoint] in
    let all = "\(database)/\(kind)"
    return [
      enterpriseOnly("GET", template: all, verb: "\(kind).list"),
      enterpriseOnly("POST", template: all, verb: "\(kind).create"),
      enterpriseOnly("GET", template: all + "/{resourceId}", verb: "\(kind).get"),
    ]
  }

  private static let group = database + "/collectionGroups/{collectionGroupId}"

  /// They have rows so that clients get UNIMPLEMENTED with the name of the method, and not a
  /// missing path.
  private static let notPlayed: [Endpoint] = [
    unimplemented(
      "POST", template: operations + "/{operationId}:cancel", verb: "operations.cancel"),
    unimplemented("POST", template: database + ":exportDocuments", verb: "exportDocuments"),
    unimplemented("POST", template: database + ":importDocuments", verb: "importDocuments"),
    unimplemented("POST", template: databases + ":restore", verb: "restore"),
    unimplemented("POST", template: databases + ":clone", verb: "clone"),
    unimplemented("GET", template: group + "/indexes", verb: "collectionGroups.indexes.list"),
    unimplemented("POST", template: group + "/indexes", verb: "collectionGroups.indexes.create"),
    unimplemented(
      "GET", template: group + "/indexes/{indexId}", verb: "collectionGroups.indexes.get"),
    unimplemented(
      "DELETE", template: group + "/indexes/{indexId}", verb: "collectionGroups.indexes.delete"),
    unimplemented("GET", template: group + "/fields", verb: "collectionGroups.fields.list"),
    unimplemented(
      "GET", template: group + "/fields/{fieldId}", verb: "collectionGroups.fields.get"),
    unimplemented(
      "PATCH", template: group + "/fields/{fieldId}", verb: "collectionGroups.fields.patch"),
    unimplemented("GET", template: database + "/backupSchedules", verb: "backupSchedules.list"),
    unimplemented("POST", template: database + "/backupSchedules", verb: "backupSchedules.create"),
  ]

  // MARK: Rows

  /// A row for administrators. Names in the query come in both spellings, as Google's services take
  /// them.
  private static func row(
    _ method: String, template: String, verb: String,
    query: [Route.QueryParameter] = [],
    answer: @escaping @Sendable (RestCall) async throws -> JSON
  ) -> Endpoint {
    Endpoint(
      Route(
        method, template: template, id: "firestore.projects.databases.\(verb)", credential: .open,
        query: query, action: .server),
      handler: .firestore(
        RestMethod(isOpen: false) { call in
          // Rules decide about documents only.
          guard call.caller.isOwner else {
            throw APIError(.permissionDenied, message: "The caller does not have permission")
          }
          return ReplyWriter.json(try await answer(call))
        }))
  }

  private static func enterpriseOnly(
    _ method: String, template: String, verb: String
  ) -> Endpoint {
    let ids = ["changeStreamId", "change_stream_id", "userCredsId", "user_creds_id"]
    return row(method, template: template, verb: verb, query: ids.map { .init($0) }) { call in
      _ = try call.firestore.adminDatabase(call.database)
      throw APIError(
        .failedPrecondition, message: "This operation requires an Enterprise database.")
    }
  }

  private static func unimplemented(
    _ method: String, template: String, verb: String
  ) -> Endpoint {
    row(method, template: template, verb: verb) { _ in
      throw APIError(
        .unimplemented,
        message: "firestore.projects.databases.\(verb) is not implemented.")
    }
  }
}

extension RestCall {
  /// The body as a database, or as a request about one.
  ///
  /// - Throws: INVALID_ARGUMENT where it is not an object. An empty body is an empty database.
  fileprivate func databaseBody() throws(APIError) -> JSONObject {
    guard !body.isEmpty else { return JSONObject() }
    guard let object = try json().object else {
      throw APIError(
        .invalidArgument, message: "Invalid JSON payload received. Root element must be a message.")
    }
    return object
  }

  /// The full name of the operation in the path.
  fileprivate var operation: String {
    "\(database)/operations/\(operationId ?? "")"
  }
}

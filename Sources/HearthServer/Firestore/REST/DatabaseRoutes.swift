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

  static let all: [Endpoint] = ofDatabases + ofOperations + notPlayed

  private static let ofDatabases: [Endpoint] = [
    row("GET", databases, "list", query: [.init("showDeleted"), .init("show_deleted")]) { call in
      try call.firestore.adminDatabases(
        of: call.project, showDeleted: call.query["showDeleted"] == "true")
    },
    row(
      "POST", databases, "create", query: [.init("databaseId"), .init("database_id")]
    ) { call in
      try call.firestore.createAdminDatabase(
        call.project, id: call.query["databaseId"] ?? "", try call.databaseBody())
    },
    row("GET", database, "get") { call in
      try call.firestore.adminDatabase(call.database)
    },
    row("PATCH", database, "patch", query: [.init("updateMask"), .init("update_mask")]) { call in
      try call.firestore.updateAdminDatabase(
        call.database, mask: call.query["updateMask"], try call.databaseBody())
    },
    row("DELETE", database, "delete", query: [.init("etag")]) { call in
      try await call.firestore.deleteAdminDatabase(call.database, etag: call.query["etag"])
    },
    row("POST", database + ":bulkDeleteDocuments", "bulkDeleteDocuments") { call in
      try await call.firestore.bulkDeleteDocuments(of: call.database, try call.databaseBody())
    },
  ]

  private static let ofOperations: [Endpoint] = [
    row("GET", operations, "operations.list") { call in
      try call.firestore.adminOperations(of: call.database)
    },
    row("GET", operations + "/{operationId}", "operations.get") { call in
      try call.firestore.adminOperation(call.operation, of: call.project)
    },
    row("DELETE", operations + "/{operationId}", "operations.delete") { call in
      try call.firestore.deleteAdminOperation(call.operation, of: call.project)
      return [:]
    },
  ]

  private static let group = database + "/collectionGroups/{collectionGroupId}"

  /// They have rows so that clients get UNIMPLEMENTED with the name of the method, and not a
  /// missing path.
  private static let notPlayed: [Endpoint] = [
    unimplemented("POST", operations + "/{operationId}:cancel", "operations.cancel"),
    unimplemented("POST", database + ":exportDocuments", "exportDocuments"),
    unimplemented("POST", database + ":importDocuments", "importDocuments"),
    unimplemented("POST", databases + ":restore", "restore"),
    unimplemented("POST", databases + ":clone", "clone"),
    unimplemented("GET", group + "/indexes", "collectionGroups.indexes.list"),
    unimplemented("POST", group + "/indexes", "collectionGroups.indexes.create"),
    unimplemented("GET", group + "/indexes/{indexId}", "collectionGroups.indexes.get"),
    unimplemented("DELETE", group + "/indexes/{indexId}", "collectionGroups.indexes.delete"),
    unimplemented("GET", group + "/fields", "collectionGroups.fields.list"),
    unimplemented("GET", group + "/fields/{fieldId}", "collectionGroups.fields.get"),
    unimplemented("PATCH", group + "/fields/{fieldId}", "collectionGroups.fields.patch"),
    unimplemented("GET", database + "/backupSchedules", "backupSchedules.list"),
    unimplemented("POST", database + "/backupSchedules", "backupSchedules.create"),
  ]

  // MARK: Rows

  /// A row for administrators. Names in the query come in both spellings, as Google's services take
  /// them.
  private static func row(
    _ method: String, _ template: String, _ verb: String,
    query: [Route.QueryParameter] = [],
    _ answer: @escaping @Sendable (RestCall) async throws -> JSON
  ) -> Endpoint {
    Endpoint(
      Route(
        method, template, "firestore.projects.databases.\(verb)", .open, query: query, .server),
      .firestore(
        RestMethod(isOpen: false) { call in
          // Rules decide about documents only.
          guard call.caller.isOwner else {
            throw APIError(
              .permissionDenied, message: "The caller does not have permission")
          }
          return ReplyWriter.json(try await answer(call))
        }))
  }

  private static func unimplemented(
    _ method: String, _ template: String, _ verb: String
  ) -> Endpoint {
    row(method, template, verb) { _ in
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
        .invalidArgument,
        message: "Invalid JSON payload received. Root element must be a message.")
    }
    return object
  }

  /// The full name of the operation in the path.
  fileprivate var operation: String {
    "\(database)/operations/\(operationId ?? "")"
  }
}

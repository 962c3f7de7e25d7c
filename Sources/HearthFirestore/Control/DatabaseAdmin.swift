package import HearthErrors
import HearthFirestoreProtos
import HearthSQLite
import HearthTime
package import HearthWire

/// The databases of the Admin API. Those with documents exist without having been created.
/// https://cloud.google.com/firestore/docs/reference/rest/v1/projects.databases
extension Firestore {
  /// After a deletion, production keeps the id of a database from being used again for so long, in
  /// microseconds.
  private static let reuse: Int64 = 300_000_000

  package func adminDatabase(_ name: DatabaseName) throws(APIError) -> JSON {
    try existing(name, missing: absent(name)).json(at: now(of: name))
  }

  /// By id, and the deleted ones by their former ids; the default one is last, as recorded.
  package func adminDatabases(
    of project: String, showDeleted: Bool
  ) throws(APIError) -> JSON {
    var found = databases.databases(of: project)
    let known = Set(found.map(\.name))
    found += try implicitDatabases(of: project).filter { !known.contains($0.name) }
    if showDeleted { found += databases.deleted(of: project) }
    guard !found.isEmpty else { return [:] }
    found.sort { $0.place < $1.place }
    return .members([
      "databases": .array(found.map { $0.json(at: clocks.microseconds(of: project)) })
    ])
  }

  package func createAdminDatabase(
    _ project: String, id: String, body: JSONObject
  ) throws(APIError) -> JSON {
    let fields = try DatabaseRequest(body)
    let name = DatabaseName(project: project, database: id)
    guard DatabaseRequest.isID(id) else {
      throw .invalid(
        "database_id should be 4-63 characters, and valid characters are /[a-z][0-9]-/")
    }
    guard let location = fields.locationId else {
      throw .invalid("location_id must be specified when creating a database.")
    }
    guard let type = fields.type else { throw .invalid("database type must be set.") }
    guard DatabaseLocations.all.contains(location) else {
      throw APIError(
        .permissionDenied,
        message: "Permission denied on 'locations/\(location)' (or it may not exist).")
    }
    try DatabaseRequest.checkPlayable(type: type, edition: fields.databaseEdition)
    guard try database(name) == nil else {
      throw APIError(
        .alreadyExists, message: "Database already exists. Please use another database_id")
    }
    let time = now(of: name)
    try checkReuse(of: name, at: time)
    var resource = DatabaseResource(name, createdAt: time)
    resource.locationId = location
    fields.apply(to: &resource, DatabaseRequest.mutable)
    try databases.keep(resource)
    return databases.operation(
      "CreateDatabaseMetadata", on: name, database: resource.json(at: time))
  }

  private func checkReuse(of name: DatabaseName, at time: Int64) throws(APIError) {
    guard answersAsProduction(name.project), let deleted = databases.deleted(name)?.deleteTime,
      time < deleted + Self.reuse
    else { return }
    let seconds = (deleted + Self.reuse - time + 999_999) / 1_000_000
    throw APIError(
      .failedPrecondition,
      message: "Database ID '\(name.database)' is not available in project '\(name.project)'. "
        + "Please retry in \(seconds) seconds.")
  }

  /// `mask` has the fields that change; without it, all that may change.
  package func updateAdminDatabase(
    _ name: DatabaseName, mask: String?, body: JSONObject
  ) throws(APIError) -> JSON {
    let fields = try DatabaseRequest(body)
    let paths = try DatabaseRequest.paths(in: mask)
    var resource = try existing(name)
    try resource.check(etag: fields.etag)
    if paths.contains("type") || mask == nil, let type = fields.type {
      try DatabaseRequest.checkPlayable(type: type, edition: nil)
    }
    fields.apply(to: &resource, paths)
    resource.updateTime = max(now(of: name), resource.updateTime + 1)
    try databases.keep(resource)
    return databases.operation(
      "UpdateDatabaseMetadata", on: name, database: resource.json(at: resource.updateTime))
  }

  /// Deletes the database with its documents.
  package func deleteAdminDatabase(
    _ name: DatabaseName, etag: String?
  ) async throws(APIError) -> JSON {
    var resource = try existing(name)
    guard !resource.isProtected else {
      throw APIError(
        .failedPrecondition,
        message: "Cannot delete the database because delete protection state is set to "
          + "DELETE_PROTECTION_ENABLED.")
    }
    try resource.check(etag: etag)
    let time = now(of: name)
    resource.deleteTime = time
    databases.delete(resource)
    try await clear(name)
    return databases.operation(
      "DeleteDatabaseMetadata", on: name, database: resource.json(at: time))
  }

  // MARK: Operations

  /// Operations are over at once, and production does not list those.
  package func adminOperations(of name: DatabaseName) throws(APIError) -> JSON {
    _ = try existing(name, missing: absent(name))
    return [:]
  }

  package func adminOperation(_ name: String, of project: String) throws(APIError) -> JSON {
    guard let operation = databases.operation(name, of: project) else {
      throw APIError(.notFound, message: "Operation does not exist")
    }
    return operation
  }

  package func deleteAdminOperation(_ name: String, of project: String) throws(APIError) {
    guard databases.deleteOperation(name, of: project) else {
      throw APIError(.notFound, message: "Operation does not exist")
    }
  }

  /// Forgets what the Admin API knows of a project.
  package func removeDatabases(of project: String) { databases.forget(project) }

  // MARK: Which exist

  /// - Throws: NOT_FOUND, in the words for a call about what is in a database.
  func requireDatabase(_ name: DatabaseName) throws(APIError) {
    _ = try existing(name, missing: absent(name))
  }

  private func existing(
    _ name: DatabaseName,
    missing: APIError = APIError(.notFound, message: "Requested database was not found.")
  ) throws(APIError) -> DatabaseResource {
    guard let found = try database(name) else { throw missing }
    return found
  }

  /// What production says of a database that was never there, in some calls.
  private func absent(_ name: DatabaseName) -> APIError {
    guard databases.deleted(name) == nil else {
      return APIError(.notFound, message: "Requested database was not found.")
    }
    return APIError(
      .notFound,
      message: "Project '\(name.project)' or database '\(name.database)' does not exist.")
  }

  private func database(_ name: DatabaseName) throws(APIError) -> DatabaseResource? {
    if let known = databases.database(name) { return known }
    return try implicitDatabases(of: name.project).first { $0.name == name }
  }

  /// Those with documents, and the default one until it is deleted.
  private func implicitDatabases(of project: String) throws(APIError) -> [DatabaseResource] {
    var ids = try read { documents throws(APIError) in
      try documents.transaction.all(
        "SELECT DISTINCT database FROM firestore_collections WHERE project = ?",
        arguments: [project]
      ) { $0[0] as String }
    }
    let usual = DatabaseName(project: project, database: "(default)")
    if !ids.contains(usual.database), databases.deleted(usual) == nil { ids.append(usual.database) }
    return ids.map {
      DatabaseResource(DatabaseName(project: project, database: $0), createdAt: begin)
    }
  }
}

extension DatabaseResource {
  fileprivate var place: (Int, String) {
    (name.database == "(default)" ? 1 : 0, name.database)
  }

  /// Production answers a malformed etag with an internal error.
  fileprivate func check(etag given: String?) throws(APIError) {
    guard let given, !given.isEmpty else { return }
    guard Base64.decode(given) != nil else {
      throw APIError(.internalError, message: "Internal error encountered.").because(
        "production refuses a malformed etag so")
    }
    guard given == etag else {
      throw APIError(
        .aborted, message: "There are concurrent database changes, please try again.")
    }
  }
}

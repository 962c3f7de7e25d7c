import HearthErrors
import HearthOperations
import HearthSQLite
import HearthWire

/// Imports accounts. One that is refused does not stop the others, and leaves nothing behind.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v1/projects.accounts/batchCreate
enum BatchCreate: Operation {
  /// More are looked through without holding the store.
  private static let few = 1000

  static func run(
    _ request: WireRequest, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    try project.requireAuthEnabled()
    let users = request.array("users") ?? []
    guard !users.isEmpty else { throw APIError(.missingUserAccount) }
    let isUnique = try !project.settings().allowsDuplicateEmails
    guard users.count > few else {
      return try start(request, users, isUnique: isUnique)(project, context)
    }
    return .away { () async throws(APIError) in try start(request, users, isUnique: isUnique) }
  }

  /// Checks the request as a whole.
  private static func start(
    _ request: WireRequest, _ users: [JSON], isUnique: Bool
  ) throws(APIError) -> Outcome.Resumption {
    let sanityCheck = request.bool("sanityCheck") == true
    let allowOverwrite = request.bool("allowOverwrite") == true
    if sanityCheck { try checkDuplicates(users, checksEmails: isUnique) }
    if !allowOverwrite { try checkLocalIds(users) }
    let foreign = try ForeignHash(request.body, needsKey: false)
    let work = SlicedWork<JSON, [JSON]>(users) {
      errors, index, user, project, context throws(APIError) in
      let importer = AccountImport(
        project: project, context: context, foreign: foreign,
        allowOverwrite: allowOverwrite, namesEmailPlainly: sanityCheck && isUnique)
      do throws(APIError) {
        try project.transaction.nested { () throws(APIError) in try importer.add(user) }
      } catch {
        // What is wrong with the store is wrong for all of them.
        guard error.code.httpStatus == 400 else { throw error }
        errors.append(
          .members(["index": .int(Int64(index)), "message": .string(error.message)]))
      }
    } finish: { errors, project in
      project.tellImported(users.count - errors.count)
      return .json([
        "kind": "identitytoolkit#UploadAccountResponse", "error": .array(errors),
      ])
    }
    return { project, context throws(APIError) in
      if let foreign, foreign.lacksKey {
        project.outbox.warnings.append(
          "batchCreate names \(foreign.algorithm.rawValue) without a signerKey: no password of "
            + "these accounts will match.")
      }
      return try work.run([], in: project, context)
    }
  }

  private static func checkDuplicates(_ users: [JSON], checksEmails: Bool) throws(APIError) {
    var emails: Set<String> = []
    var identities: Set<[String]> = []
    for user in users {
      if checksEmails, let email = (user["email"]?.string).nonEmpty,
        !emails.insert(email).inserted
      {
        throw APIError(.duplicateEmail, email)
      }
      for provider in user["providerUserInfo"]?.array ?? [] {
        let providerId = provider["providerId"]?.string ?? "undefined"
        let rawId = provider["rawId"]?.string ?? "undefined"
        guard identities.insert([providerId, rawId]).inserted else {
          throw APIError(.duplicateRawId, "Provider id(\(providerId)), Raw id(\(rawId))")
        }
      }
    }
  }

  private static func checkLocalIds(_ users: [JSON]) throws(APIError) {
    var localIds: Set<String> = []
    for user in users {
      let localId = user["localId"]?.string ?? ""
      guard localIds.insert(localId).inserted else { throw APIError(.duplicateLocalId, localId) }
    }
  }
}

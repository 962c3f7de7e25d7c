import HearthErrors
import HearthOperations
import HearthSQLite
import HearthWire

/// Imports accounts. One that is refused does not stop the others, and leaves nothing behind.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v1/projects.accounts/batchCreate
enum BatchCreate: Operation {
  struct Request: OperationRequest {
    let users: [JSON]
    let sanityCheck: Bool
    let allowOverwrite: Bool
    /// The document with the parameters of the hash in it.
    let hash: JSONObject

    init(_ wire: WireRequest) {
      users = wire.array("users") ?? []
      sanityCheck = wire.bool("sanityCheck") == true
      allowOverwrite = wire.bool("allowOverwrite") == true
      hash = wire.body
    }
  }

  /// More are looked through without holding the store.
  private static let few = 1000

  static func run(
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try project.requireAuthEnabled()
    guard !request.users.isEmpty else { throw APIError(.missingUserAccount) }
    let rules = try Rules(in: project)
    guard request.users.count > few else {
      return try start(request, rules: rules)(project, context)
    }
    return .away { () async throws(APIError) in try start(request, rules: rules) }
  }

  /// By what an import is judged, beside what it asks for itself.
  private struct Rules: Sendable {
    /// Whether an address is one account's.
    let isUnique: Bool
    /// Whether accounts are overwritten without being asked to.
    let overwrites: Bool
    let checksBoundsOfHash: Bool

    init(in project: ProjectTransaction) throws(APIError) {
      isUnique = try !project.settings().allowsDuplicateEmails
      switch try project.answers {
      case .emulator: (overwrites, checksBoundsOfHash) = (false, false)
      case .production: (overwrites, checksBoundsOfHash) = (true, true)
      }
    }
  }

  /// Checks the request as a whole.
  private static func start(
    _ request: Request, rules: Rules
  ) throws(APIError) -> Outcome.Resumption {
    let users = request.users
    let isUnique = rules.isUnique
    let allowOverwrite = request.allowOverwrite || rules.overwrites
    if request.sanityCheck { try checkDuplicates(users, checksEmails: isUnique) }
    if !allowOverwrite { try checkLocalIds(users) }
    if rules.checksBoundsOfHash { try ForeignHash.checkBounds(request.hash) }
    let foreign = try ForeignHash(request.hash, needsKey: false)
    let work = SlicedWork<JSON, [JSON]>(users) {
      errors, index, user, project, context throws(APIError) in
      let importer = AccountImport(
        project: project, context: context, foreign: foreign,
        allowOverwrite: allowOverwrite, namesEmailPlainly: request.sanityCheck && isUnique)
      do throws(APIError) {
        try project.transaction.nested { () throws(APIError) in try importer.add(user) }
      } catch {
        // What is wrong with the store is wrong for all of them.
        guard error.code.httpStatus == 400 else { throw error }
        errors.append(
          .members(["index": .int(Int64(index)), "message": .string(error.message)]))
      }
    } finish: { errors, project throws(APIError) in
      Accounts(in: project).publishImported(users.count - errors.count)
      return .json([
        "kind": "identitytoolkit#UploadAccountResponse",
        "error": try project.list(errors),
      ])
    }
    return { project, context throws(APIError) in
      if let foreign, foreign.lacksKey {
        project.outbox.warnings.append(
          "batchCreate names \(foreign.algorithm.rawValue) without a signerKey: no password of "
            + "these accounts will match.")
      }
      return try work.run([], in: project, context: context)
    }
  }

  private static func checkDuplicates(_ users: [JSON], checksEmails: Bool) throws(APIError) {
    var emails: Set<String> = []
    var identities: Set<[String]> = []
    for user in users {
      if checksEmails, let email = (user["email"]?.string).nonEmpty,
        !emails.insert(email).inserted
      {
        throw APIError(.duplicateEmail, detail: email)
      }
      for provider in user["providerUserInfo"]?.array ?? [] {
        let providerId = provider["providerId"]?.string ?? "undefined"
        let rawId = provider["rawId"]?.string ?? "undefined"
        guard identities.insert([providerId, rawId]).inserted else {
          throw APIError(.duplicateRawId, detail: "Provider id(\(providerId)), Raw id(\(rawId))")
        }
      }
    }
  }

  private static func checkLocalIds(_ users: [JSON]) throws(APIError) {
    var localIds: Set<String> = []
    for user in users {
      let localId = user["localId"]?.string ?? ""
      guard localIds.insert(localId).inserted else {
        throw APIError(.duplicateLocalId, detail: localId)
      }
    }
  }
}

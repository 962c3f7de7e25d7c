import HearthErrors
import HearthOperations
import HearthWire

/// Shows the caller's own account, or any accounts to an administrator.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v1/accounts/lookup
enum Lookup: Operation {
  struct Request: OperationRequest {
    let idToken: String?
    let keys: [Key]

    init(_ wire: WireRequest) {
      idToken = wire.string("idToken")
      keys = Key.all(wire)
    }
  }

  static func run(
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try project.requireAuthEnabled()
    // Observed: production takes a call without any key for a client's.
    let (needsKeys, hasToken) =
      switch try project.answers {
      case .emulator: (false, request.idToken.isGiven)
      case .production: (true, request.idToken != nil)
      }
    if case .admin = context.caller {
      if needsKeys, request.keys.isEmpty { throw APIError(.missingIDToken) }
      return try matches(request, project: project, context: context)
    }
    guard hasToken else { throw APIError(.missingIDToken) }
    let user = try Sessions(in: project).userOfToken(context).user
    return answer([try project.wire(user, for: context.caller)])
  }

  private static func answer(_ users: [JSON]) -> Outcome {
    .json([
      "kind": "identitytoolkit#GetAccountInfoResponse",
      // Admin Node takes the key's absence for "no such user".
      "users": users.isEmpty ? nil : .array(users),
    ])
  }

  /// What an account is looked up by.
  enum Key: Sendable {
    case localId(String)
    case email(Email)
    case phoneNumber(PhoneNumber)
    case identity(providerId: String?, rawId: String?)
    case initialEmail(Email)

    static func all(_ wire: WireRequest) -> [Key] {
      (wire.strings("localId") ?? []).map(Key.localId)
        + (wire.strings("email") ?? []).map { Key.email(Email(unchecked: $0)) }
        + (wire.strings("phoneNumber") ?? []).map { Key.phoneNumber(PhoneNumber(unchecked: $0)) }
        + (wire.array("federatedUserId") ?? []).map {
          Key.identity(
            providerId: ($0["providerId"]?.string).nonEmpty, rawId: ($0["rawId"]?.string).nonEmpty)
        }
        + (wire.strings("initialEmail") ?? []).map { Key.initialEmail(Email(unchecked: $0)) }
    }

    /// All accounts of that key: an import may give an address to several.
    func users(in project: ProjectTransaction) throws(APIError) -> [User] {
      switch (self, try project.answers) {
      case (.email(let email), .production): try Accounts(in: project).users(email: email)
      case (_, .emulator), (_, .production): try user(in: project).map { [$0] } ?? []
      }
    }

    private func user(in project: ProjectTransaction) throws(APIError) -> User? {
      switch self {
      case .localId(let localId): return try Accounts(in: project).user(localId: localId)
      case .email(let email): return try Accounts(in: project).user(email: email)
      case .phoneNumber(let number): return try Accounts(in: project).user(phoneNumber: number)
      case .identity(let providerId, let rawId):
        guard let providerId, let rawId else { return nil }
        return try Accounts(in: project).user(providerId: providerId, rawId: rawId)
      case .initialEmail(let email):
        return try Accounts(in: project).user(initialEmail: email)
      }
    }
  }

  private struct Found: Sendable {
    var users: [JSON] = []
    var seen: Set<String> = []
  }

  private static func matches(
    _ request: Request, project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    let work = SlicedWork<Key, Found>(request.keys) {
      found, _, key, project, context throws(APIError) in
      for user in try key.users(in: project) where found.seen.insert(user.localId).inserted {
        found.users.append(try project.wire(user, for: context.caller))
      }
    } finish: { found, _ in
      answer(found.users)
    }
    return try work.run(Found(), in: project, context: context)
  }
}

import HearthErrors
import HearthOperations
import HearthWire

/// Shows the caller's own account, or any accounts to an administrator.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v1/accounts/lookup
enum Lookup: Operation {
  static func run(
    _ request: WireRequest, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    try project.requireAuthEnabled()
    if case .admin = context.caller { return try matches(request, project, context) }
    guard request.string("idToken").isGiven else { throw APIError(.missingIDToken) }
    let user = try project.userOfToken(context).user
    return answer([user.wire(for: context.caller)])
  }

  private static func answer(_ users: [JSON]) -> Outcome {
    .json([
      "kind": "identitytoolkit#GetAccountInfoResponse",
      // Admin Node takes the key's absence for "no such user".
      "users": users.isEmpty ? nil : .array(users),
    ])
  }

  /// What an account is looked up by.
  private enum Key: Sendable {
    case localId(String)
    case email(String)
    case phoneNumber(String)
    case identity(JSON)
    case initialEmail(String)

    static func all(_ request: WireRequest) -> [Key] {
      (request.strings("localId") ?? []).map(Key.localId)
        + (request.strings("email") ?? []).map(Key.email)
        + (request.strings("phoneNumber") ?? []).map(Key.phoneNumber)
        + (request.array("federatedUserId") ?? []).map(Key.identity)
        + (request.strings("initialEmail") ?? []).map(Key.initialEmail)
    }

    func user(in project: ProjectTransaction) throws(APIError) -> User? {
      switch self {
      case .localId(let localId): return try project.user(localId: localId)
      case .email(let email): return try project.user(email: Formats.canonicalEmail(email))
      case .phoneNumber(let number): return try project.user(phoneNumber: number)
      case .identity(let identity):
        guard let providerId = identity["providerId"]?.string.nonEmpty,
          let rawId = identity["rawId"]?.string.nonEmpty
        else { return nil }
        return try project.user(providerId: providerId, rawId: rawId)
      case .initialEmail(let email):
        return try project.user(initialEmail: Formats.canonicalEmail(email))
      }
    }
  }

  private struct Found: Sendable {
    var users: [JSON] = []
    var seen: Set<String> = []
  }

  private static func matches(
    _ request: WireRequest, _ project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    let work = SlicedWork<Key, Found>(Key.all(request)) {
      found, _, key, project, context throws(APIError) in
      guard let user = try key.user(in: project), found.seen.insert(user.localId).inserted else {
        return
      }
      found.users.append(user.wire(for: context.caller))
    } finish: { found, _ in
      answer(found.users)
    }
    return try work.run(Found(), in: project, context)
  }
}

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
    let users: [User]
    if case .admin = context.caller {
      users = try matches(request, project)
    } else {
      guard request.string("idToken").isGiven else { throw APIError(.missingIDToken) }
      users = [try project.userOfToken(context).user]
    }
    return .json([
      "kind": "identitytoolkit#GetAccountInfoResponse",
      // Admin Node takes the key's absence for "no such user".
      "users": users.isEmpty ? nil : .array(users.map { $0.wire(for: context.caller) }),
    ])
  }

  private static func matches(
    _ request: WireRequest, _ project: ProjectTransaction
  ) throws(APIError) -> [User] {
    var found: [User] = []
    var seen: Set<String> = []
    func add(_ user: User?) {
      if let user, seen.insert(user.localId).inserted { found.append(user) }
    }
    for localId in request.strings("localId") ?? [] { add(try project.user(localId: localId)) }
    for email in request.strings("email") ?? [] {
      add(try project.user(email: Formats.canonicalEmail(email)))
    }
    for phone in request.strings("phoneNumber") ?? [] {
      add(try project.user(phoneNumber: phone))
    }
    for identity in request.array("federatedUserId") ?? [] {
      guard let providerId = identity["providerId"]?.string.nonEmpty,
        let rawId = identity["rawId"]?.string.nonEmpty
      else { continue }
      add(try project.user(providerId: providerId, rawId: rawId))
    }
    for email in request.strings("initialEmail") ?? [] {
      add(try project.user(initialEmail: Formats.canonicalEmail(email)))
    }
    return found
  }
}

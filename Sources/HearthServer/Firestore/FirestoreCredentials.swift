import HearthErrors
import HearthFirestore
import HearthOperations
import HearthSQLite
import HearthSharing
import HearthTime
import HearthTokens
import HearthWire

/// Tells who calls Firestore, from what is in `authorization`. Each call is judged separately: switches
/// and clocks may have changed since the last one. Nothing is kept of tokens.
struct FirestoreCredentials: Sendable {
  let store: Store
  let keys: KeySet
  let server: ServerFacts
  /// Nil unless the server is shared.
  var sharing: SharedProjects?

  /// The header or metadata is nil where there is none; the switches of the project count. A token
  /// that is not good is UNAUTHENTICATED, and SDKs fetch a new one then; what is not a token at all
  /// is INVALID_ARGUMENT, which they do not try again.
  ///
  /// With production's answers a token that is not good is PERMISSION_DENIED, what is not a token
  /// is UNAUTHENTICATED, and an expired token is taken for a while.
  ///
  /// At the console's port `owner` counts in every mode.
  ///
  /// - Throws: UNAUTHENTICATED, INVALID_ARGUMENT or PERMISSION_DENIED.
  func caller(
    _ authorization: String?, project: String, isConsole: Bool = false
  ) async throws(APIError) -> FirestoreCaller {
    if sharing != nil, try isSharedOwner(authorization, of: project) { return .owner }
    guard let authorization, !authorization.isEmpty else { return .nobody }
    let isProduction = server.answers(of: project, in: store) == .production
    guard authorization.count > 7, authorization.prefix(7).lowercased() == "bearer " else {
      throw isProduction ? .denied : Self.notAToken
    }
    let token = String(authorization.dropFirst(7).drop { $0 == " " })
    // `ya29.` is the beginning of Google's access tokens. Emulators take both for an administrator;
    // only as Google they are checked. On a shared server neither makes one.
    if sharing == nil, token.lowercased() == "owner" || token.hasPrefix("ya29.") {
      if server.google != nil { _ = try owner(token, isConsole: isConsole) }
      return .owner
    }
    // Production reads no other spelling of the scheme.
    guard !isProduction || authorization.hasPrefix("Bearer") else { throw .denied }
    // Just after a start a token may come before the keys that judge it.
    if keys.currentIfReady() == nil { try? await keys.waitUntilReady() }
    guard let presented = keys.present(token) else {
      throw isProduction ? APIError(.invalidCredentials) : Self.notAToken
    }
    // A service account signs such tokens by itself, instead of asking for an access token.
    if case .foreign = presented.signature, server.countsSelfSigned, sharing == nil {
      _ = try owner(token)
      return .owner
    }
    // What a project accepts is among its settings, which are in the store.
    let isGood = try store.transaction { transaction throws(APIError) in
      let project = ProjectTransaction(
        transaction, projectId: project, tenantId: nil, server: server)
      guard
        try project.accepts(
          presented, whereUnsignedAreIssued: server.issuesUnsignedTokens)
      else {
        if isProduction, !presented.isSessionCookie { throw .denied }
        return false
      }
      // By the project's clock, by which its tokens are issued too.
      let now = server.clocks.now(of: project.projectId)
      return try !project.hasExpired(
        presented, at: now, leeway: isProduction ? Self.productionLeeway : 0)
    }
    guard isGood else { throw Self.refused }
    return .user(presented.claims)
  }

  /// Checks that a token is an administrator's.
  ///
  /// - Throws: UNAUTHENTICATED, with the reason for the log.
  private func owner(
    _ token: String, isConsole: Bool = false
  ) throws(APIError) -> ServerFacts.Owner {
    do throws(APIError) {
      return try server.owner(token, of: "firestore.googleapis.com", isConsole: isConsole)
    } catch {
      throw error.explanation.map { Self.refusal(because: $0) } ?? Self.refused
    }
  }

  private static func refusal(because explanation: String) -> APIError {
    var error = refused
    error.explain(explanation)
    return error
  }

  /// For so many seconds after its end production's Firestore takes an ID token.
  private static let productionLeeway: Int64 = 30

  private static let notAToken = APIError(.invalidArgument, message: "invalid jwt")

  private static let refused = APIError(
    .unauthenticated, message: "Missing or invalid authentication.")
}

import HearthErrors
import HearthFirestore
import HearthOperations
import HearthSQLite
import HearthTime
import HearthTokens
import HearthWire

/// Tells who calls Firestore, from what is in `authorization`.
struct FirestoreCredentials: Sendable {
  let store: Store
  let keys: KeySet
  let server: ServerFacts

  /// The header or metadata is nil where there is none; the switches of the project count. A token
  /// that is not good is UNAUTHENTICATED, and SDKs fetch a new one then; what is not a token at all
  /// is INVALID_ARGUMENT, which they do not try again.
  func caller(
    _ authorization: String?, project: String, isConsole: Bool = false
  ) async throws(APIError) -> FirestoreCaller {
    guard let authorization, !authorization.isEmpty else { return .nobody }
    guard authorization.count > 7, authorization.prefix(7).lowercased() == "bearer " else {
      throw Self.notAToken
    }
    let token = String(authorization.dropFirst(7).drop { $0 == " " })
    if token.lowercased() == "owner" || token.hasPrefix("ya29.") {
      if server.google != nil { _ = try owner(token, isConsole: isConsole) }
      return .owner
    }
    if keys.currentIfReady() == nil { try? await keys.waitUntilReady() }
    guard let presented = keys.present(token) else { throw Self.notAToken }
    if case .foreign = presented.signature, server.countsSelfSigned {
      _ = try owner(token)
      return .owner
    }
    let isGood = try store.transaction { transaction throws(APIError) in
      let project = ProjectTransaction(
        transaction, projectId: project, tenantId: nil, server: server)
      guard try project.accepts(presented) else {
        guard case .ours = presented.signature, try project.answersAsProduction else {
          return false
        }
        throw Self.denied
      }
      let now = server.clocks.now(of: project.projectId)
      return try !project.hasExpired(presented, at: now)
    }
    guard isGood else { throw Self.refused }
    return .user(presented.claims)
  }

  /// Checks that a token is an administrator's.
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

  /// What production says to a token of another project, also where rules allow everybody.
  private static let denied = APIError(
    .permissionDenied, message: "Missing or insufficient permissions.")

  private static let notAToken = APIError(.invalidArgument, message: "invalid jwt")

  private static let refused = APIError(
    .unauthenticated, message: "Missing or invalid authentication.")
}

package import HearthErrors
package import HearthOperations
import HearthTokens

/// A refresh token of a request, with what is known of it. It knows its tenant, which the request need
/// not name.
package struct PresentedRefreshToken: Sendable {
  /// Nil for a token that nobody has issued, where the operation is to refuse it.
  let record: RefreshTokenRecord?
  /// Whether another tenant that the request names is ignored.
  private let winsOverNamedTenant: Bool

  /// Looks the token up. One that nobody has issued is refused, wherever it is; in production by the
  /// operation.
  package init(_ token: String, in project: ProjectTransaction) throws(APIError) {
    record = try Sessions(in: project).refreshToken(token)
    winsOverNamedTenant =
      switch try project.answers {
      case .emulator: false
      case .production: true
      }
    guard record == nil else { return }
    let isRevoked = project.server.issuedTokens.isRevoked(refreshToken: token)
    guard winsOverNamedTenant, !isRevoked else {
      throw APIError(isRevoked ? .tokenExpired : .invalidRefreshToken)
    }
  }

  /// The tenant of the request, which names that one otherwise.
  package func tenant(named tenantId: String?) throws(APIError) -> String? {
    if let tenantId, tenantId != record?.tenantId, !winsOverNamedTenant {
      throw APIError(
        .tenantIDMismatch,
        message:
          "TENANT_ID_MISMATCH: ((Refresh token tenant ID does not match target tenant ID.))")
    }
    return record?.tenantId
  }
}

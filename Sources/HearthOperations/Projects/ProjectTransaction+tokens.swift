package import HearthErrors
package import HearthTime
package import HearthTokens
import HearthWire

/// What both APIs ask of an ID token.
extension ProjectTransaction {
  /// Whether a token counts here: one that we signed for this project, or an unsigned one where those
  /// are accepted. What we signed for another project says nothing.
  package func accepts(_ token: PresentedToken) throws(APIError) -> Bool {
    switch token.signature {
    case .foreign: false
    case .none: server.google == nil ? try switches().acceptUnsignedTokens : false
    case .ours: token.claims["aud"]?.string == projectId
    }
  }

  /// `exp` counts only in tokens that we signed: SDKs make up unsigned ones that look expired.
  /// For `leeway` seconds after it a token is still taken.
  package func hasExpired(
    _ token: PresentedToken, at now: Timestamp, leeway: Int64 = 0
  ) throws(APIError) -> Bool {
    if server.issuedTokens.isRevoked(token.claims, of: projectId) { return true }
    guard case .ours = token.signature, try switches().tokenExpiry else { return false }
    guard let expiry = token.claims["exp"]?.integer else { return true }
    return expiry.addingReportingOverflow(leeway).partialValue <= now.seconds
  }
}

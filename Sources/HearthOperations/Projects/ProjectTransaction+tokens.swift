package import HearthErrors
package import HearthTime
package import HearthTokens
import HearthWire

/// What both APIs ask of an ID token.
extension ProjectTransaction {
  /// Whether a token counts here: one that we signed for this project, or an unsigned one where those
  /// are accepted. What we signed for another project says nothing.
  ///
  /// Where unsigned tokens are issued, those of the project count whatever the switch says: a
  /// server does not refuse what it has issued, and cannot tell who made it.
  package func accepts(
    _ token: PresentedToken, whereUnsignedAreIssued issuesUnsigned: Bool
  ) throws(APIError) -> Bool {
    if token.isSessionCookie, try !takesSessionCookies { return false }
    return switch token.signature {
    case .foreign: false
    case .none:
      if server.google != nil {
        false
      } else if issuesUnsigned, token.claims["aud"]?.string == projectId {
        true
      } else {
        try switches().acceptUnsignedTokens
      }
    case .ours: token.claims["aud"]?.string == projectId
    }
  }

  /// The official emulators take a session cookie for an ID token, all of whose claims it has. In
  /// production neither Auth nor Firestore does.
  private var takesSessionCookies: Bool {
    get throws(APIError) {
      switch try answers {
      case .emulator: server.google == nil
      case .production: false
      }
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

extension PresentedToken {
  /// Whether its issuer is that of session cookies.
  package var isSessionCookie: Bool {
    claims["iss"]?.string?.hasPrefix("https://session.firebase.google.com/") ?? false
  }
}

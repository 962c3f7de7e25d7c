package import HearthErrors
import HearthIdentityToolkit
package import HearthOperations
import HearthSQLite
package import HearthTime

/// What of a project's accounts expires next: codes, sessions of factors, and ID tokens.
package enum UpcomingExpiries {
  package struct Expiry: Sendable {
    package let kind: String
    package let at: Timestamp
    package let subject: String?
    package let detail: String?
    package let localId: String?
  }

  /// Each has a subject, a detail, a uid and a time in milliseconds; what is used up is left out.
  private static let sources: [(kind: String, sql: String)] = [
    (
      "oobCode",
      """
      SELECT coalesce(new_email, email), request_type, NULL, expires_at FROM oob_codes
      WHERE project = ?1 AND used_at IS NULL AND expires_at > ?2 ORDER BY expires_at LIMIT ?3
      """
    ),
    (
      "smsCode",
      """
      SELECT phone_number, NULL, NULL, expires_at FROM verification_codes
      WHERE project = ?1 AND expires_at > ?2 ORDER BY expires_at LIMIT ?3
      """
    ),
    (
      "temporaryProof",
      """
      SELECT phone_number, NULL, NULL, expires_at FROM temporary_proofs
      WHERE project = ?1 AND expires_at > ?2 ORDER BY expires_at LIMIT ?3
      """
    ),
    (
      "totpSession",
      """
      SELECT NULL, NULL, local_id, expires_at FROM totp_sessions
      WHERE project = ?1 AND expires_at > ?2 ORDER BY expires_at LIMIT ?3
      """
    ),
    (
      // The latest sign-ins; a token that was refreshed lives on in another one.
      "idToken",
      """
      SELECT users.email, sign_in_provider, local_id, (issued_at + ?4) * 1000
      FROM (SELECT * FROM refresh_tokens ORDER BY sequence DESC LIMIT 5000)
      LEFT JOIN users USING (project, tenant, local_id)
      WHERE project = ?1 AND revoked = 0 AND (issued_at + ?4) * 1000 > ?2
      ORDER BY issued_at LIMIT ?3
      """
    ),
  ]

  /// The first of each kind; the earliest comes first.
  package static func list(
    _ limit: Int, in project: ProjectTransaction, at now: Timestamp
  ) throws(APIError) -> [Expiry] {
    var found: [Expiry] = []
    let switches = try project.switches()
    for source in sources {
      // What a switch keeps from expiring is left out.
      switch source.kind {
      case "oobCode", "smsCode": if !switches.codeExpiry { continue }
      case "idToken": if !switches.tokenExpiry { continue }
      default: break
      }
      var arguments: Arguments = [project.projectId, now.milliseconds, limit]
      if source.kind == "idToken" { arguments += [IDTokenClaims.lifetime] }
      found += try project.transaction.all(source.sql, arguments: arguments) { row in
        Expiry(
          kind: source.kind, at: Timestamp(milliseconds: row[3] as Int64), subject: row[0],
          detail: row[1], localId: row[2])
      }
    }
    return found.sorted { $0.at < $1.at }
  }
}

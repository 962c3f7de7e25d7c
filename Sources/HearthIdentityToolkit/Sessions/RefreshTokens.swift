import HearthCrypto
package import HearthErrors
package import HearthOperations
import HearthSQLite
import HearthTime
import HearthTokens
import HearthWire

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A refresh token's record. The token itself is random, and only its digest is kept.
package struct RefreshTokenRecord: Sendable {
  package let projectId: String
  package let tenantId: String?
  let localId: String
  let signIn: SignInFacts
  let isRevoked: Bool
  /// When the session began, in seconds.
  let issuedAt: Int64
}

extension Sessions {
  /// More than this many sessions of one user are taken for a load test: the oldest go.
  private static let sessionsPerUser: Int64 = 1000
  /// Sessions that have ended are known for so many new ones.
  private static let keptEnded: Int64 = 100_000

  package func makeRefreshToken(
    for user: User, signIn: SignInFacts, context: Context
  ) throws(APIError) -> String {
    let token = context.random.base64URL(64)
    let secondFactor = signIn.secondFactor.map {
      JSON.members(["identifier": .string($0.identifier), "provider": .string($0.provider)]).text
    }
    var attributes: String?
    if let given = signIn.attributes, try rules().keepsSignInAttributes {
      attributes = given.text
    }
    try transaction.execute(
      """
      INSERT INTO refresh_tokens
        (digest, project, tenant, local_id, sign_in_provider, extra_claims, second_factor,
         issued_at, sign_in_attributes)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      arguments: [
        Digest.sha256.hash(Array(token.utf8)).blob, projectId, tenantKey, user.localId,
        signIn.provider, signIn.extraClaims.map { JSON.object($0).text }, secondFactor,
        context.now.seconds, attributes,
      ])
    try pruneSessions(of: user)
    server.issuedTokens.note(refreshToken: token, of: projectId)
    return token
  }

  /// Counting costs, so it is done now and then only.
  private func pruneSessions(of user: User) throws(APIError) {
    let newest = transaction.lastInsertedRowID
    guard newest % 256 == 0 else { return }
    // Those of deleted accounts, which no account's count covers.
    try transaction.execute(
      "DELETE FROM refresh_tokens WHERE sequence > ? AND sequence <= ? AND revoked = 1",
      arguments: [newest - Self.keptEnded - 512, newest - Self.keptEnded])
    try transaction.execute(
      """
      DELETE FROM refresh_tokens
      WHERE local_id = ? AND project = ? AND tenant = ? AND sequence <= (
        SELECT sequence FROM refresh_tokens WHERE local_id = ? AND project = ? AND tenant = ?
        ORDER BY sequence DESC LIMIT 1 OFFSET \(Self.sessionsPerUser))
      """,
      arguments: [user.localId, projectId, tenantKey, user.localId, projectId, tenantKey])
  }

  /// The record of a refresh token, whatever project it belongs to.
  package func refreshToken(_ token: String) throws(APIError) -> RefreshTokenRecord? {
    try transaction.first(
      """
      SELECT project, tenant, local_id, sign_in_provider, extra_claims, second_factor, revoked,
        issued_at, sign_in_attributes
      FROM refresh_tokens WHERE digest = ?
      """,
      arguments: [Digest.sha256.hash(Array(token.utf8)).blob]
    ) { row in
      let tenant: String = row[1]
      let claims = (row[4] as String?).flatMap { try? JSON.parse($0).object }
      let factor = (row[5] as String?).flatMap { try? JSON.parse($0) }
      return RefreshTokenRecord(
        projectId: row[0], tenantId: tenant.isEmpty ? nil : tenant, localId: row[2],
        signIn: SignInFacts(
          row[3], extraClaims: claims,
          secondFactor: factor.flatMap {
            guard let id = $0["identifier"]?.string, let provider = $0["provider"]?.string else {
              return nil
            }
            return SignInFacts.SecondFactor(identifier: id, provider: provider)
          }, attributes: (row[8] as String?).flatMap { try? JSON.parse($0) }),
        isRevoked: row[6], issuedAt: row[7])
    }
  }

  /// Ends all sessions that began at that second or earlier.
  package func revokeRefreshTokens(of user: User, issuedUntil seconds: Int64) throws(APIError) {
    try transaction.execute(
      """
      UPDATE refresh_tokens SET revoked = 1
      WHERE local_id = ? AND project = ? AND tenant = ? AND issued_at <= ? AND revoked = 0
      """,
      arguments: [user.localId, projectId, tenantKey, seconds])
  }
}

extension [UInt8] {
  /// A digest as a BLOB.
  var blob: Data { Data(self) }
}

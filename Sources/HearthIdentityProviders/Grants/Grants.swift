import HearthCrypto
package import HearthErrors
package import HearthOperations
import HearthSQLite
package import HearthTime
import HearthWire

/// What the identity providers of a project have given out. A text is known by its digest only.
package struct Grants: ProjectSubject {
  package let project: ProjectTransaction

  package init(in project: ProjectTransaction) { self.project = project }

  /// Of more, those that end first are forgotten.
  private static let most = 20_000
  /// What has no end ends in a hundred years.
  static let never: Int64 = 100 * 365 * 86_400

  private static func digest(_ text: String, kind: Grant.Kind) -> String {
    Base64.encodeURL(Digest.sha256.hash(Array("\(kind.rawValue)\n\(text)".utf8)))
  }

  package func keep(
    _ grant: Grant, as kind: Grant.Kind, text: String, seconds: Int64, at now: Timestamp
  ) throws(APIError) {
    let digest = Self.digest(text, kind: kind)
    try transaction.execute(
      """
      INSERT OR REPLACE INTO provider_grants (project, digest, kind, family, expires, record)
      VALUES (?, ?, ?, ?, ?, ?)
      """,
      arguments: [
        projectId, digest, kind.rawValue, grant.family, now.seconds &+ seconds, grant.record.text,
      ])
    // To look at all of them takes a while, so it is done for one in some thousand.
    if digest.hasPrefix("AA") || digest.hasPrefix("BB") || digest.hasPrefix("CC") {
      try forgetOld(at: now)
    }
  }

  /// Nil for a text that was not given out, was taken back, or has ended.
  package func grant(
    _ text: String, kind: Grant.Kind, at now: Timestamp
  ) throws(APIError) -> (grant: Grant, expires: Int64)? {
    let found = try transaction.first(
      "SELECT family, expires, record FROM provider_grants WHERE project = ? AND digest = ?",
      arguments: [projectId, Self.digest(text, kind: kind)]
    ) { ($0[0] as String, $0[1] as Int64, $0[2] as String) }
    guard let (family, expires, record) = found, expires > now.seconds,
      let json = try? JSON.parse(record)
    else { return nil }
    return (Grant(record: json, family: family), expires)
  }

  package func markUsed(
    _ text: String, kind: Grant.Kind, grant: Grant
  ) throws(APIError) {
    var grant = grant
    grant.isUsed = true
    try transaction.execute(
      "UPDATE provider_grants SET record = ? WHERE project = ? AND digest = ?",
      arguments: [grant.record.text, projectId, Self.digest(text, kind: kind)])
  }

  package func forget(_ text: String, kind: Grant.Kind) throws(APIError) {
    try transaction.execute(
      "DELETE FROM provider_grants WHERE project = ? AND digest = ?",
      arguments: [projectId, Self.digest(text, kind: kind)])
  }

  /// Takes back all that came of one authorization.
  package func forget(family: String) throws(APIError) {
    try transaction.execute(
      "DELETE FROM provider_grants WHERE project = ? AND family = ?",
      arguments: [projectId, family])
  }

  /// Takes back all that a client has of a person.
  func forgetAll(of grant: Grant) throws(APIError) {
    try transaction.execute(
      """
      DELETE FROM provider_grants
      WHERE project = ? AND kind IN ('code', 'access', 'refresh')
        AND json_extract(record, '$.provider') = ? AND json_extract(record, '$.persona') = ?
        AND json_extract(record, '$.client') = ?
      """, arguments: [projectId, grant.provider, grant.persona, grant.client])
  }

  package func forgetAll() throws(APIError) {
    try transaction.execute("DELETE FROM provider_grants WHERE project = ?", arguments: [projectId])
  }

  private func forgetOld(at now: Timestamp) throws(APIError) {
    try transaction.execute(
      "DELETE FROM provider_grants WHERE project = ? AND expires <= ?",
      arguments: [projectId, now.seconds])
    try transaction.execute(
      """
      DELETE FROM provider_grants WHERE project = ? AND digest IN (
        SELECT digest FROM provider_grants WHERE project = ?
        ORDER BY expires DESC LIMIT -1 OFFSET ?)
      """, arguments: [projectId, projectId, Self.most])
  }
}

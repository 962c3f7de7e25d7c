import HearthErrors
import HearthOperations
import HearthSQLite
import HearthTime

/// The limited-use tokens of a project that were used. Those that have long expired are forgotten: they
/// are refused anyway.
struct ConsumedTokens: ProjectSubject {
  private static let most = 10_000
  /// For as many seconds the clock may go back.
  private static let kept: Int64 = 8 * 24 * 3600

  let project: ProjectTransaction

  init(in project: ProjectTransaction) { self.project = project }

  /// - Returns: whether nobody has consumed the token before. Of several calls, one gets a yes: each
  ///   has a transaction of its own.
  func consume(_ token: VerifiedAppCheckToken, at now: Timestamp) throws(APIError) -> Bool {
    let isFirst = try transaction.first(
      """
      INSERT INTO app_check_consumed (project, token, expires) VALUES (?, ?, ?)
      ON CONFLICT DO NOTHING RETURNING 1
      """, arguments: [projectId, token.id, token.expiry]
    ) { _ in true }
    guard isFirst == true else { return false }
    try transaction.execute(
      "DELETE FROM app_check_consumed WHERE project = ? AND expires < ?",
      arguments: [projectId, now.seconds - Self.kept])
    let count = try transaction.count(
      "SELECT count(*) FROM app_check_consumed WHERE project = ?", arguments: [projectId])
    if count > Self.most {
      try transaction.execute(
        """
        DELETE FROM app_check_consumed WHERE project = ?1 AND token != ?2 AND expires <= (
          SELECT expires FROM app_check_consumed WHERE project = ?1
          ORDER BY expires LIMIT 1 OFFSET ?3)
        """, arguments: [projectId, token.id, Int64(Self.most / 2)])
    }
    return true
  }
}

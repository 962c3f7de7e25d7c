import HearthErrors
import HearthLimits
import HearthOperations
import HearthSQLite
import HearthTime

/// What a project or an IP address may do in an hour or a day, for the `rateLimits` switch.
enum Quota {
  case signUp, phoneCode
  /// A mail, or a link that a server sends itself.
  case mail(OobCode.RequestType, isLink: Bool)

  /// How often, counted by whom, in how many seconds.
  fileprivate var limit: (limit: Limit, isOfAddress: Bool, seconds: Int64) {
    switch self {
    case .signUp: (.signUps, true, 3600)
    case .phoneCode: (.phoneCodes, true, 3600)
    case .mail(.emailSignin, let isLink): (isLink ? .signInLinks : .signInMails, false, 86_400)
    case .mail(.passwordReset, let isLink):
      (isLink ? .passwordResetLinks : .passwordResetMails, false, 86_400)
    case .mail(_, isLink: true): (.verificationLinks, false, 86_400)
    case .mail(.verifyAndChangeEmail, _): (.addressChangeMails, false, 86_400)
    case .mail: (.verificationMails, false, 86_400)
    }
  }
}

extension Attempts {
  /// Counts one, and refuses it where there have been too many.
  func spend(_ quota: Quota, context: Context) throws(APIError) {
    let switches = try switches()
    guard switches.rateLimits else { return }
    let (limit, isOfAddress, seconds) = quota.limit
    let most = if case .signUp = quota { switches.signUpLimit } else { Int64(limit.value) }
    let now = context.now.seconds
    let subject = isOfAddress ? "address:" + context.remoteAddress : "project"
    // Without tenants: their quota is that of the project.
    let key: Arguments = [projectId, "quota:" + limit.name, subject]
    let known = try transaction.first(
      """
      SELECT started_at, count FROM attempts
      WHERE project = ? AND tenant = '' AND kind = ? AND subject = ?
      """, arguments: key
    ) { (start: $0[0] as Int64, count: $0[1] as Int64) }
    let current = known.flatMap { $0.start > now - seconds ? $0 : nil } ?? (start: now, count: 0)
    guard current.count < most else { throw limit.authRefusal }
    try transaction.execute(
      """
      INSERT OR REPLACE INTO attempts (project, tenant, kind, subject, started_at, count)
      VALUES (?, '', ?, ?, ?, ?)
      """, arguments: key + [current.start, current.count + 1])
  }
}

extension Limit {
  fileprivate var authRefusal: APIError {
    let code = status.flatMap(ErrorCode.init(rawValue:)) ?? .quotaExceeded
    return text.isEmpty ? APIError(code) : APIError(code, detail: refusal())
  }
}

import HearthErrors
import HearthOperations
import HearthSQLite
import HearthTime

/// What is counted, and refused where there was too much of it.
struct Attempts: ProjectSubject {
  let project: ProjectTransaction

  init(in project: ProjectTransaction) { self.project = project }
}

/// Counts attempts in windows of time, for the `rateLimits` switch.
extension Attempts {
  enum Attempt: String {
    case wrongPassword, passwordReset, wrongCode, wrongTotpCode

    func limit(_ switches: Switches) -> Int64 {
      switch self {
      case .wrongPassword, .wrongCode, .wrongTotpCode: switches.wrongPasswordLimit
      case .passwordReset: switches.passwordResetLimit
      }
    }

    var refusal: APIError {
      switch self {
      case .wrongPassword:
        APIError(.tooManyAttempts)
      case .wrongCode:
        APIError(.tooManyAttempts, detail: "Too many wrong codes. Ask for a new one later.")
      case .wrongTotpCode:
        APIError(.tooManyAttempts, detail: "Too many wrong codes. Try again later.")
      case .passwordReset:
        APIError(.resetPasswordExceedLimit)
      }
    }
  }

  /// An address that many accounts share may fail this many times as often as one account.
  private static let addressFactor: Int64 = 10

  /// Refuses where the limit is reached already.
  func requireAttemptsLeft(
    _ attempt: Attempt, account: String, context: Context
  ) throws(APIError) {
    let switches = try switches()
    guard switches.rateLimits else { return }
    for subject in subjects(attempt, account: account, context: context) {
      let count = try attempts(subject.name, attempt: attempt, switches: switches, context: context)
      if count >= attempt.limit(switches) * subject.factor { throw attempt.refusal }
    }
  }

  /// Counts one attempt. The caller keeps the writes of its refusal.
  func countAttempt(_ attempt: Attempt, account: String, context: Context) throws(APIError) {
    let switches = try switches()
    guard switches.rateLimits else { return }
    let now = context.now.seconds
    for subject in subjects(attempt, account: account, context: context) {
      try transaction.execute(
        """
        INSERT INTO attempts (project, tenant, kind, subject, started_at, count)
        VALUES (?, ?, ?, ?, ?, 1)
        ON CONFLICT (project, tenant, kind, subject) DO UPDATE SET
          count = CASE WHEN started_at <= ? THEN 1 ELSE count + 1 END,
          started_at = CASE WHEN started_at <= ? THEN excluded.started_at ELSE started_at END
        """,
        arguments: [
          projectId, tenantKey, attempt.rawValue, subject.name, now,
          now - switches.rateLimitWindow, now - switches.rateLimitWindow,
        ])
    }
  }

  /// Has a code of an authenticator app checked, unless too many of that account were wrong. A wrong
  /// one counts, and its refusal keeps what was written.
  func limitingTotpCodes<Value>(
    of account: String, context: Context, check: () throws(APIError) -> Value
  ) throws(APIError) -> Value {
    try requireAttemptsLeft(.wrongTotpCode, account: account, context: context)
    do throws(APIError) {
      let value = try check()
      try forgetAttempts(.wrongTotpCode, account: account)
      return value
    } catch {
      guard error.code == .invalidCode else { throw error }
      try countAttempt(.wrongTotpCode, account: account, context: context)
      throw error.keepingWrites
    }
  }

  func forgetAttempts(_ attempt: Attempt, account: String) throws(APIError) {
    guard try switches().rateLimits else { return }
    try transaction.execute(
      "DELETE FROM attempts WHERE project = ? AND tenant = ? AND kind = ? AND subject = ?",
      arguments: [projectId, tenantKey, attempt.rawValue, "account:" + account])
  }

  private func attempts(
    _ subject: String, attempt: Attempt, switches: Switches, context: Context
  ) throws(APIError) -> Int64 {
    try transaction.first(
      """
      SELECT count FROM attempts
      WHERE project = ? AND tenant = ? AND kind = ? AND subject = ? AND started_at > ?
      """,
      arguments: [
        projectId, tenantKey, attempt.rawValue, subject,
        context.now.seconds - switches.rateLimitWindow,
      ]
    ) { $0[0] as Int64 } ?? 0
  }

  private func subjects(
    _ attempt: Attempt, account: String, context: Context
  ) -> [(name: String, factor: Int64)] {
    [
      ("account:" + account, 1),
      ("address:" + context.remoteAddress, Self.addressFactor),
    ]
  }
}

/// A token of App Check, as the server answers it.
private struct AppCheckToken: Decodable {
  let token: String
}

private struct AppCheckStatus: Decodable {
  let report: AppCheckReport
}

/// What happens to calls without a token of App Check that counts.
public enum AppCheckMode: String, Sendable {
  /// Tokens are not looked at.
  case off
  /// Calls are counted for ``HearthClient/appCheckReport()``.
  case monitor
  /// Calls are refused, as production refuses them.
  case enforce
}

/// How many calls brought a token of App Check that counts, as the console of production shows it.
public struct AppCheckReport: Decodable, Sendable, Equatable {
  /// With a token that counts.
  public let verified: Int
  /// Without one, or with one that does not count.
  public let unverified: Int
  /// How many of the unverified ones had a token that does not count.
  public let invalid: Int
  /// How many of them had none, and came from an SDK of Firebase that could send it.
  public let outdatedClient: Int
  /// How many of them had none, and came from something else.
  public let unknownOrigin: Int
  /// How many were refused, because App Check is enforced.
  public let refused: Int
  /// The same for each call and caller, those with the most unverified calls first.
  public let calls: [Call]

  /// The counts of one call and caller.
  public struct Call: Decodable, Sendable, Equatable {
    /// The service, such as `identitytoolkit.googleapis.com`.
    public let service: String
    /// The operation, such as `identitytoolkit.accounts.signUp`.
    public let operation: String
    /// The app of the token; what the caller says of itself where there is none.
    public let caller: String
    /// With a token that counts.
    public let verified: Int
    /// With a token that does not count.
    public let invalid: Int
    /// Without one, from an SDK of Firebase that could send it.
    public let outdatedClient: Int
    /// Without one, from something else.
    public let unknownOrigin: Int
    /// How many were refused.
    public let refused: Int
    /// What was wrong with the latest call that was not verified, such as `missing`.
    public let verdict: String?
  }
}

extension HearthClient {
  /// A token of App Check, for the header `X-Firebase-AppCheck` or a custom provider.
  ///
  /// - Parameters:
  ///   - appId: the id of the app, such as `1:448618578101:ios:cc6c1dc7a65cc83c`.
  ///   - limitedUse: whether the token is to be used once.
  ///   - lifetime: how many seconds it lives; an hour without it, five minutes where it is to be used
  ///     once.
  /// - Returns: the token.
  /// - Throws: ``HearthError``.
  public func appCheckToken(
    for appId: String, limitedUse: Bool = false, lifetime: Int? = nil
  ) async throws -> String {
    var body: [String: any Sendable] = ["appId": appId, "limitedUse": limitedUse]
    if let lifetime { body["lifetime"] = lifetime }
    return try await control("POST", "appCheck:token", body, answering: AppCheckToken.self).token
  }

  /// Which calls brought a token of App Check that counts, since the start or the last clearing.
  ///
  /// - Returns: the report.
  /// - Throws: ``HearthError``.
  public func appCheckReport() async throws -> AppCheckReport {
    try await control("GET", "appCheck", answering: AppCheckStatus.self).report
  }

  /// Sets what happens to calls of the project without a token of App Check that counts.
  ///
  /// - Parameters:
  ///   - auth: for calls to Auth; as it was without it.
  ///   - firestore: for calls to Firestore; as it was without it.
  /// - Throws: ``HearthError``.
  public func setAppCheck(
    auth: AppCheckMode? = nil, firestore: AppCheckMode? = nil
  ) async throws {
    var switches: [String: any Sendable] = [:]
    if let auth { switches["appCheckAuth"] = auth.rawValue }
    if let firestore { switches["appCheckFirestore"] = firestore.rawValue }
    try await control("PATCH", "switches", switches, answering: Nothing.self)
  }
}

/// A token of App Check, as the server answers it.
private struct AppCheckToken: Decodable {
  let token: String
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
}

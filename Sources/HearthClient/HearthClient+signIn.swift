import Foundation

extension HearthClient {
  /// Signs in a new user without a name.
  ///
  /// - Returns: the session.
  /// - Throws: ``HearthError``.
  public func signInAnonymously() async throws -> Session {
    try await accounts("signUp", [:], answering: Session.self)
  }

  /// A session of any user, without a password and without a trace in the account.
  ///
  /// - Parameters:
  ///   - localId: the user's id.
  ///   - claims: claims of these tokens, besides those of the account.
  /// - Returns: the session.
  /// - Throws: ``HearthError``, with `USER_NOT_FOUND`.
  public func signIn(as localId: String, claims: [String: JSONValue] = [:]) async throws -> Session
  {
    try await control(
      "POST", "accounts:actAs", ["localId": localId, "claims": claims.plain],
      answering: Session.self)
  }

  /// Signs in with a custom token, as a back end issues it.
  ///
  /// - Parameter token: the token, such as that of ``customToken(for:claims:)``.
  /// - Returns: the session.
  /// - Throws: ``HearthError``, with `INVALID_CUSTOM_TOKEN`.
  public func signIn(customToken token: String) async throws -> Session {
    try await accounts(
      "signInWithCustomToken", ["token": token, "returnSecureToken": true],
      answering: Session.self)
  }

  /// An unsigned custom token, as the Admin SDKs make it for an emulator.
  ///
  /// It is refused where the switch ``Switch/acceptUnsignedTokens`` is off.
  ///
  /// - Parameters:
  ///   - localId: the user's id; a user who does not exist is created by the sign-in.
  ///   - claims: claims of the tokens of this session.
  /// - Returns: the token.
  /// - Throws: an error for claims that JSON does not have.
  public func customToken(
    for localId: String, claims: [String: JSONValue] = [:]
  ) async throws -> String {
    let now = Int(try await clock().now.timeIntervalSince1970)
    let account = "firebase-auth-emulator@example.com"
    let payload: JSONValue = [
      "aud":
        "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit",
      "iss": .string(account), "sub": .string(account), "uid": .string(localId),
      "iat": .int(now), "exp": .int(now + 3600), "claims": .object(claims),
    ]
    let header: JSONValue = ["alg": "none", "typ": "JWT"]
    let parts = try [header, payload].map { try JSONEncoder().encode($0).base64URL }
    return parts.joined(separator: ".") + "."
  }

  /// Signs in with an account of an identity provider, which is made up.
  ///
  /// - Parameters:
  ///   - provider: such as `google.com`, `apple.com` or `oidc.my-provider`.
  ///   - subject: the user's id at the provider.
  ///   - email: the user's address.
  ///   - displayName: the name to show.
  /// - Returns: the session.
  /// - Throws: ``HearthError``.
  public func signIn(
    provider: String, subject: String, email: String? = nil, displayName: String? = nil
  ) async throws -> Session {
    var claims: [String: JSONValue] = ["sub": .string(subject)]
    if let email {
      claims["email"] = .string(email)
      claims["email_verified"] = true
    }
    if let displayName { claims["name"] = .string(displayName) }
    var form = URLComponents()
    form.queryItems = [
      URLQueryItem(name: "providerId", value: provider),
      URLQueryItem(
        name: "id_token",
        value: String(decoding: try JSONEncoder().encode(claims), as: UTF8.self)),
    ]
    return try await accounts(
      "signInWithIdp",
      [
        "requestUri": "http://localhost", "returnSecureToken": true,
        "postBody": form.percentEncodedQuery?.replacingOccurrences(of: "+", with: "%2B") ?? "",
      ], answering: Session.self)
  }

  /// Signs in with a link in a mail: requests the mail, waits for it, and redeems its code.
  ///
  /// - Parameters:
  ///   - email: the user's address; a user who does not exist is created.
  ///   - continueURL: where the link leads.
  /// - Returns: the session.
  /// - Throws: ``HearthError``.
  public func signInWithLink(
    email: String, continueURL: String = "http://localhost"
  ) async throws -> Session {
    let last = try await latestMail(to: email)
    try await sendOobCode(.emailSignIn, to: email, continueURL: continueURL)
    let code = try await waitForCode(to: email, type: .emailSignIn, after: last)
    return try await signInWithLink(email: email, code: code)
  }

  /// Signs in with the code of a link in a mail.
  ///
  /// - Parameters:
  ///   - email: the user's address.
  ///   - code: the code, as in ``Mail/code``.
  /// - Returns: the session.
  /// - Throws: ``HearthError``, with `INVALID_OOB_CODE` or `EXPIRED_OOB_CODE`.
  public func signInWithLink(email: String, code: String) async throws -> Session {
    try await accounts(
      "signInWithEmailLink", ["email": email, "oobCode": code], answering: Session.self)
  }

  /// Signs in with a phone number: requests a text message, waits for it, and sends its code.
  ///
  /// - Parameter phoneNumber: such as `+15555550100`; a user who does not exist is created.
  /// - Returns: the session.
  /// - Throws: ``HearthError``.
  public func signIn(phoneNumber: String) async throws -> Session {
    struct Sent: Decodable { let sessionInfo: String }
    let last = try await latestMail(to: phoneNumber)
    let sent = try await accounts(
      "sendVerificationCode", ["phoneNumber": phoneNumber, "recaptchaToken": "test"],
      answering: Sent.self)
    let code = try await waitForCode(to: phoneNumber, type: .sms, after: last)
    return try await accounts(
      "signInWithPhoneNumber", ["sessionInfo": sent.sessionInfo, "code": code],
      answering: Session.self)
  }
}

extension [String: JSONValue] {
  /// As `JSONSerialization` takes it.
  var plain: [String: any Sendable] { mapValues(\.plain) }
}

extension JSONValue {
  /// As `JSONSerialization` takes it.
  fileprivate var plain: any Sendable {
    switch self {
    case .null: NSNull()
    case .bool(let value): value
    case .int(let value): value
    case .double(let value): value
    case .string(let value): value
    case .array(let values): values.map(\.plain)
    case .object(let members): members.plain
    }
  }
}

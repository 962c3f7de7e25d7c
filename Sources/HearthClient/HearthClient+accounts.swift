import Foundation

/// A signed-in user.
public struct Session: Sendable, Equatable {
  /// The user's id.
  public let localId: String
  /// The ID token, which the app sends to its back end.
  public let idToken: String
  /// Exchanged for new ID tokens by ``HearthClient/refresh(_:)``.
  public let refreshToken: String

  /// The claims of the ID token; empty where it is not one.
  public var claims: [String: JSONValue] {
    let parts = idToken.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let bytes = Data(base64URL: parts[1]) else { return [:] }
    return (try? JSONDecoder().decode([String: JSONValue].self, from: bytes)) ?? [:]
  }
}

extension Session: Decodable {
  private enum CodingKeys: String, CodingKey { case localId, idToken, refreshToken }

  /// Reads a session as sign-ins answer it; some of them tell the user's id in the token only.
  ///
  /// - Parameter decoder: the decoder.
  /// - Throws: ``SecondFactorRequired`` if that is asked for, `DecodingError` if it is not a session.
  public init(from decoder: any Decoder) throws {
    if let required = try? SecondFactorRequired(from: decoder) { throw required }
    let members = try decoder.container(keyedBy: CodingKeys.self)
    let idToken = try members.decode(String.self, forKey: .idToken)
    let refreshToken = try members.decode(String.self, forKey: .refreshToken)
    let known = try members.decodeIfPresent(String.self, forKey: .localId)
    let inToken = Session(localId: "", idToken: idToken, refreshToken: refreshToken).claims["sub"]
    self.init(localId: known ?? inToken?.text ?? "", idToken: idToken, refreshToken: refreshToken)
  }
}

/// An account, as its owner sees it.
public struct Account: Sendable, Equatable, Decodable {
  /// The user's id.
  public let localId: String
  /// The e-mail address, in lower case.
  public let email: String?
  /// Whether the address has been verified.
  public let emailVerified: Bool?
  /// The name to show.
  public let displayName: String?
  /// Whether the user may not sign in.
  public let disabled: Bool?
  /// The custom claims as JSON.
  public let customAttributes: String?

  /// The custom claims.
  public var claims: [String: JSONValue] {
    guard let customAttributes else { return [:] }
    return
      (try? JSONDecoder().decode([String: JSONValue].self, from: Data(customAttributes.utf8)))
      ?? [:]
  }
}

extension HearthClient {
  /// Creates a user as an administrator would.
  ///
  /// - Parameters:
  ///   - email: the user's address.
  ///   - password: the user's password; nil for a user who has none yet.
  ///   - displayName: the name to show.
  ///   - emailVerified: whether the address counts as verified.
  ///   - disabled: whether the user may not sign in.
  ///   - localId: the user's id; nil to have one made up.
  /// - Returns: the user's id.
  /// - Throws: ``HearthError``, with `EMAIL_EXISTS` when a user has that address.
  @discardableResult
  public func createUser(
    email: String, password: String? = nil, displayName: String? = nil, emailVerified: Bool = false,
    disabled: Bool = false, localId: String? = nil
  ) async throws -> String {
    var body: [String: any Sendable] = [
      "email": email, "emailVerified": emailVerified, "disabled": disabled,
    ]
    body["password"] = password
    body["displayName"] = displayName
    body["localId"] = localId
    struct Created: Decodable { let localId: String }
    return try await call(
      "POST", "/identitytoolkit.googleapis.com/v1/projects/\(project)/accounts", body,
      as: .administrator, answering: Created.self
    ).localId
  }

  /// Signs up as an app's user would.
  ///
  /// - Parameters:
  ///   - email: the user's address.
  ///   - password: the user's password.
  /// - Returns: the session of the new user.
  /// - Throws: ``HearthError``, with `EMAIL_EXISTS` when a user has that address.
  public func signUp(email: String, password: String) async throws -> Session {
    try await accounts(
      "signUp", ["email": email, "password": password], answering: Session.self)
  }

  /// Signs in with a password.
  ///
  /// - Parameters:
  ///   - email: the user's address.
  ///   - password: the user's password.
  /// - Returns: a new session.
  /// - Throws: ``SecondFactorRequired`` where the user has one; ``HearthError``, with
  ///   `EMAIL_NOT_FOUND`, `INVALID_PASSWORD` or `USER_DISABLED`, or with
  ///   `INVALID_LOGIN_CREDENTIALS` where enumeration protection hides which it is.
  public func signIn(email: String, password: String) async throws -> Session {
    try await accounts(
      "signInWithPassword", ["email": email, "password": password], answering: Session.self)
  }

  /// Exchanges a refresh token for a fresh ID token.
  ///
  /// - Parameter session: a session whose refresh token is still good.
  /// - Returns: the session with a new ID token.
  /// - Throws: ``HearthError``, with `TOKEN_EXPIRED` when the session was ended.
  public func refresh(_ session: Session) async throws -> Session {
    struct Fresh: Decodable {
      let userID: String
      let idToken: String
      let refreshToken: String
      enum CodingKeys: String, CodingKey {
        case userID = "user_id"
        case idToken = "id_token"
        case refreshToken = "refresh_token"
      }
    }
    let fresh = try await call(
      "POST", "/securetoken.googleapis.com/v1/token",
      ["grant_type": "refresh_token", "refresh_token": session.refreshToken], as: .key,
      answering: Fresh.self)
    return Session(
      localId: fresh.userID, idToken: fresh.idToken, refreshToken: fresh.refreshToken)
  }

  /// The account of a session, as its owner sees it.
  ///
  /// - Parameter session: a session whose ID token is still good.
  /// - Returns: the account.
  /// - Throws: ``HearthError``, with `USER_NOT_FOUND` when the account is gone, and with
  ///   `TOKEN_EXPIRED` when the session was ended.
  public func lookup(_ session: Session) async throws -> Account {
    guard let account = try await find(["idToken": session.idToken], as: .key) else {
      throw HearthError(code: "USER_NOT_FOUND", message: "USER_NOT_FOUND", httpStatus: 0)
    }
    return account
  }

  /// The account with that address, as an administrator finds it.
  ///
  /// - Parameter email: the address.
  /// - Returns: the account; nil when no user has that address.
  /// - Throws: ``HearthError``.
  public func lookup(email: String) async throws -> Account? {
    try await find(["email": [email]], as: .administrator)
  }

  /// Sets the custom claims of a user; they are in ID tokens that are issued from now on.
  ///
  /// - Parameters:
  ///   - claims: all of them: those that are left out are removed.
  ///   - localId: the user's id.
  /// - Throws: ``HearthError``, with `USER_NOT_FOUND`.
  public func setClaims(_ claims: [String: JSONValue], of localId: String) async throws {
    let text = String(decoding: try JSONEncoder().encode(claims), as: UTF8.self)
    try await call(
      "POST", "/identitytoolkit.googleapis.com/v1/projects/\(project)/accounts:update",
      ["localId": localId, "customAttributes": text], as: .administrator, answering: Nothing.self)
  }

  private func find(
    _ body: [String: any Sendable], as credential: Credential
  ) async throws -> Account? {
    struct Found: Decodable { let users: [Account]? }
    let path =
      switch credential {
      case .administrator: "/identitytoolkit.googleapis.com/v1/projects/\(project)/accounts:lookup"
      case .key, .none, .bearer: "/identitytoolkit.googleapis.com/v1/accounts:lookup"
      }
    return try await call("POST", path, body, as: credential, answering: Found.self).users?.first
  }

  /// Drops all accounts of the project; its mails and switches stay.
  ///
  /// - Throws: ``HearthError``.
  public func deleteAllAccounts() async throws {
    try await control("DELETE", "accounts", answering: Nothing.self)
  }
}

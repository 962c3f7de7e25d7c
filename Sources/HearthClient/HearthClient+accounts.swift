import Foundation

/// A signed-in user.
public struct Session: Sendable, Equatable, Decodable {
  /// The user's id.
  public let localId: String
  /// The ID token: what the app's back end gets to see.
  public let idToken: String
  /// Exchanged for fresh ID tokens by ``HearthClient/refresh(_:)``.
  public let refreshToken: String
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
}

extension HearthClient {
  /// Creates a user as an administrator, and returns the user's id.
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
    let data = try await call(
      "POST", "/identitytoolkit.googleapis.com/v1/projects/\(project)/accounts", body,
      as: .administrator)
    return try JSONDecoder().decode(Created.self, from: data).localId
  }

  /// Signs up as an app's user would.
  public func signUp(email: String, password: String) async throws -> Session {
    let data = try await accounts("signUp", ["email": email, "password": password])
    return try JSONDecoder().decode(Session.self, from: data)
  }

  /// Signs in with a password.
  public func signIn(email: String, password: String) async throws -> Session {
    let data = try await accounts("signInWithPassword", ["email": email, "password": password])
    return try JSONDecoder().decode(Session.self, from: data)
  }

  /// Exchanges a refresh token for a fresh ID token.
  ///
  /// - Parameter session: a session whose refresh token is still good.
  /// - Returns: the session with a new ID token.
  /// - Throws: ``HearthError`` with `TOKEN_EXPIRED` when the session was ended.
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
    let data = try await call(
      "POST", "/securetoken.googleapis.com/v1/token",
      ["grant_type": "refresh_token", "refresh_token": session.refreshToken], as: .key)
    let fresh = try JSONDecoder().decode(Fresh.self, from: data)
    return Session(
      localId: fresh.userID, idToken: fresh.idToken, refreshToken: fresh.refreshToken)
  }

  /// The account of an ID token.
  public func account(of session: Session) async throws -> Account? {
    struct Found: Decodable { let users: [Account]? }
    let data = try await accounts("lookup", ["idToken": session.idToken])
    return try JSONDecoder().decode(Found.self, from: data).users?.first
  }

  /// Asks for a mail to reset the password with, in the language of that locale.
  public func sendPasswordReset(to email: String, locale: String? = nil) async throws {
    _ = try await accounts(
      "sendOobCode", ["requestType": "PASSWORD_RESET", "email": email],
      headers: locale.map { ["X-Firebase-Locale": $0] } ?? [:])
  }

  /// Asks for a mail to verify the session's address with.
  public func sendEmailVerification(_ session: Session) async throws {
    _ = try await accounts(
      "sendOobCode", ["requestType": "VERIFY_EMAIL", "idToken": session.idToken])
  }

  /// Sets a new password with the code of a mail. It ends all sessions of the user.
  public func resetPassword(code: String, newPassword: String) async throws {
    _ = try await accounts("resetPassword", ["oobCode": code, "newPassword": newPassword])
  }

  /// Redeems the code of a mail that verifies, changes or restores an address.
  public func applyCode(_ code: String) async throws {
    _ = try await accounts("update", ["oobCode": code])
  }

  /// Drops all accounts of the project.
  public func deleteAllAccounts() async throws { _ = try await control("DELETE", "accounts") }

  /// Sets switches of the project, such as `emailEnumerationProtection`.
  public func setSwitches(_ switches: [String: Bool]) async throws {
    _ = try await control("PATCH", "switches", switches)
  }
}

import HearthErrors
import HearthOperations
import HearthTime
import HearthWire

extension ProjectTransaction {
  /// The user as an answer shows it, in the way of the project's answers. Production gives a hash
  /// away in downloads only, which `exportsHash` says.
  func wire(
    _ user: User, for caller: Caller, exportsHash: Bool = false
  ) throws(APIError) -> JSON {
    switch try answers {
    case .emulator: user.wire(for: caller)
    case .production: user.redactedWire(exportsHash: exportsHash)
    }
  }

  /// A list in an answer. Production leaves out what is empty.
  func list(_ elements: [JSON]) throws(APIError) -> JSON? {
    switch try answers {
    case .emulator: .array(elements)
    case .production: elements.isEmpty ? nil : .array(elements)
    }
  }
}

extension User {
  /// The members that production shows. Nobody gets a hash but who downloads accounts, and what is
  /// empty is left out.
  fileprivate func redactedWire(exportsHash: Bool) -> JSON {
    let hash = exportsHash ? password?.hash : password.map { _ in PasswordHash.redacted }
    return .members([
      "localId": .string(localId),
      "email": email.json,
      "displayName": displayName.json,
      "photoUrl": photoUrl.json,
      "screenName": screenName.json,
      "passwordHash": hash.json,
      "salt": exportsHash ? (password?.salt).nonEmpty.json : nil,
      "version": exportsHash && password != nil ? 0 : nil,
      "emailVerified": emailVerified.json,
      "passwordUpdatedAt": passwordUpdatedAt.map(JSON.int),
      "providerUserInfo": shownProviders,
      "validSince": validSince.json,
      "disabled": disabled.json,
      "lastLoginAt": lastLoginAt.json,
      "createdAt": createdAt.json,
      "customAttributes": customAttributes.json,
      "phoneNumber": phoneNumber.json,
      "customAuth": customAuth ? true : nil,
      "emailLinkSignin": emailLinkSignin ? true : nil,
      "initialEmail": initialEmail.json,
      "tenantId": tenantId.json,
      "mfaInfo": (mfaInfo ?? []).isEmpty ? nil : mfaInfo.map { .array($0.map(\.json)) },
      "passkeyInfo": passkeyInfo.map(JSON.array),
      "dateOfBirth": dateOfBirth.json,
      "language": language.json,
      "timeZone": timeZone.json,
      "lastRefreshAt": (lastRefreshAt?.iso8601).json,
    ])
  }

  /// The providers in production's order: the phone and the password come after all others.
  var shownProviders: JSON? {
    guard let all = providerUserInfo, !all.isEmpty else { return nil }
    let own = ["phone", "password"]
    let providers =
      all.filter { !own.contains($0.providerId) } + own.compactMap { provider($0) }
    return .array(providers.map(\.json))
  }
}

/// What production asks of values.
extension ProjectTransaction {
  private static let longestDisplayName = 256

  /// Counted in units of UTF-16.
  func checkDisplayName(_ name: String?) throws(APIError) {
    guard let name, name.utf16.count > Self.longestDisplayName else { return }
    switch try answers {
    case .emulator: break
    case .production: throw APIError(.invalidProfileAttribute, detail: "Display name too long.")
    }
  }

  /// An address whose form is right; production takes no blanks.
  func newEmail(_ text: String) throws(APIError) -> Email {
    guard let email = Email(text) else { throw APIError(.invalidEmail) }
    switch try answers {
    case .emulator: return email
    case .production:
      if text.unicodeScalars.contains(where: \.properties.isWhitespace) {
        throw APIError(.invalidEmail)
      }
      return email
    }
  }

  /// What clients of the project may not do although their call is right.
  enum ClientPermission: String {
    case signUp = "disabledUserSignup"
    case deletion = "disabledUserDeletion"
  }

  /// - Throws: `ADMIN_ONLY_OPERATION` where the project's configuration says so.
  func requireClientPermission(_ permission: ClientPermission) throws(APIError) {
    switch try answers {
    case .emulator: break
    case .production:
      let permissions = try settings().config["client"]?["permissions"]
      if permissions?[permission.rawValue]?.bool == true { throw APIError(.adminOnlyOperation) }
    }
  }
}

package import HearthErrors
package import HearthTime
package import HearthWire

/// What a dialect needs of the emulator: the accounts, a place for its rows, and the mailbox.
///
/// One value serves one request. What it writes takes effect together when the request has been
/// answered, and not at all when answering throws; a refusal is an answer, because the attempt
/// that it counts has to stay.
package protocol DialectBackEnd: DialectAccounts, DialectRows, DialectMail {}

/// The accounts of the definition's project and tenant.
package protocol DialectAccounts {
  func account(_ identity: DialectIdentity) throws(APIError) -> DialectAccount?

  /// Whether the account signs in with this password. Given no account it takes as long as with
  /// one, so that time does not tell who is registered.
  func isPassword(
    _ password: String, of account: DialectAccount?
  ) throws(APIError) -> Bool

  /// Sets the password, by the definition's rule and not by the project's policy, and gives an
  /// account without one the password provider. `endingSessions` revokes the emulator's refresh
  /// tokens as well; the dialect ends its own.
  func setPassword(
    _ password: String, of account: DialectAccount, endingSessions: Bool
  ) throws(APIError)

  /// For those who watch.
  func noteSignIn(of account: DialectAccount)
}

/// Values by key, kept with the project.
package protocol DialectRows {
  func row(_ key: DialectKey) throws(APIError) -> JSON?

  /// Writes or replaces the row. After `end` nobody reads it, so that it may be dropped.
  func setRow(_ key: DialectKey, to value: JSON, until end: Timestamp) throws(APIError)

  func removeRow(_ key: DialectKey) throws(APIError)

  /// A one-way digest of at least 16 bytes, such as SHA-256.
  func digest(of text: String) -> [UInt8]
}

/// The mailbox.
package protocol DialectMail {
  /// Keeps the message and gives its number.
  func capture(_ message: DialectMessage) throws(APIError) -> Int64

  /// What became of the code in a message; the message itself may be gone.
  func settle(_ message: Int64, as end: DialectMessage.End, at now: Timestamp) throws(APIError)
}

/// How an account is found.
package enum DialectIdentity: Sendable, Hashable {
  /// In lower case.
  case email(String)
  /// E.164.
  case phone(String)
  case id(String)
}

/// An account as the back end sees it.
package struct DialectAccount: Sendable {
  package let id: String
  package let email: String?
  package let phone: String?
  package let displayName: String?
  package let photoURL: String?
  package let createdAt: Timestamp
  package let isDisabled: Bool

  package init(
    id: String, email: String?, phone: String? = nil, displayName: String? = nil,
    photoURL: String? = nil, createdAt: Timestamp, isDisabled: Bool = false
  ) {
    self.id = id
    self.email = email
    self.phone = phone
    self.displayName = displayName
    self.photoURL = photoURL
    self.createdAt = createdAt
    self.isDisabled = isDisabled
  }
}

/// The name of a row.
package struct DialectKey: Sendable, Hashable {
  package enum Kind: String, Sendable, CaseIterable {
    /// A reset token, by its digest.
    case token
    /// The tokens that an account has, by its id.
    case outstanding
    /// A session, by its digest.
    case session
    /// How often an account's sessions have been ended, by its id.
    case epoch
    /// When resets were asked for, by what they were asked for or from where.
    case requests
  }

  /// The definition's name.
  package let dialect: String
  package let kind: Kind
  package let key: String
}

/// A mail or text message that the back end sends.
package struct DialectMessage: Sendable {
  package enum Purpose: String, Sendable, CaseIterable {
    /// Carries the token that resets the password.
    case token
    /// Carries the password that the back end chose.
    case newPassword
    /// Tells that the password was changed.
    case notice
  }

  package enum Channel: String, Sendable, CaseIterable { case mail, sms }

  package enum End: String, Sendable {
    /// The password was reset with it.
    case used
    /// A later request took its place.
    case replaced
    /// Too many attempts.
    case exhausted
  }

  package let channel: Channel
  package let purpose: Purpose
  /// The address or number that it goes to.
  package let recipient: String
  package let accountID: String
  /// The definition's name and title, as the sender.
  package let dialect: String
  package let sender: String
  /// Empty for a text message.
  package let subject: String
  package let text: String
  /// Empty for a text message.
  package let html: String
  /// The token, or the password that the back end chose; nil for a notice.
  package let code: String?
  package let link: String?
  package let language: String
  package let createdAt: Timestamp
  package let expiresAt: Timestamp?
}

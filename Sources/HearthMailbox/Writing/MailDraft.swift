package import HearthTime

/// What is to be mailed, before it has words.
package struct MailDraft: Sendable {
  package let type: MailType
  /// Whom the mail goes to: for `VERIFY_AND_CHANGE_EMAIL` the new address, for `RECOVER_EMAIL` the
  /// one that the account had before, else the account's own.
  package let recipient: String
  /// The account's current address.
  package let email: String
  /// The address that the account is to have, for `VERIFY_AND_CHANGE_EMAIL`.
  package let newEmail: String?
  /// The name of the account's owner.
  package let displayName: String?
  package let code: String
  package let link: String
  /// The same link where a browser outside can open it; nil where it is `link`.
  package let openLink: String?
  package let expiresAt: Timestamp?

  package init(
    type: MailType, recipient: String, email: String, newEmail: String? = nil,
    displayName: String? = nil, code: String, link: String, openLink: String? = nil,
    expiresAt: Timestamp? = nil
  ) {
    self.type = type
    self.recipient = recipient
    self.email = email
    self.newEmail = newEmail
    self.displayName = displayName
    self.code = code
    self.link = link
    self.openLink = openLink
    self.expiresAt = expiresAt
  }
}

import HearthOperations
import HearthTime
import HearthWire

/// An account. Fields that are nil are absent on the wire.
package struct User: Sendable, Equatable {
  package let localId: String
  package var email: Email?
  var emailVerified = AccountFlag.unset
  /// The first address, once it was changed.
  var initialEmail: Email?
  var displayName: String?
  var photoUrl: String?
  var screenName: String?
  var phoneNumber: PhoneNumber?
  package var password: PasswordHash?
  /// Of a password that a merge has taken away. Administrators still see it, as observed.
  var strandedSalt: String?
  /// Milliseconds; the one time that is a JSON number.
  var passwordUpdatedAt: Int64?
  /// Seconds. Tokens issued before are refused.
  package var validSince: AccountTime?
  /// Milliseconds.
  package var createdAt: AccountTime?
  /// Milliseconds.
  package var lastLoginAt: AccountTime?
  var lastRefreshAt: Timestamp?
  package var disabled = AccountFlag.unset
  /// JSON text, kept to the letter.
  package var customAttributes: String?
  /// Absent on the wire unless it is true; so is the next.
  package var customAuth = false
  var emailLinkSignin = false
  /// Absent until there is a first provider, empty when the last one is gone.
  package var providerUserInfo: [ProviderUserInfo]?
  package var mfaInfo: [MfaEnrollment]?
  package var tenantId: String?
  var passkeyInfo: [JSON]?
  var dateOfBirth: String?
  var language: String?
  var timeZone: String?
  /// What the store finds the user by; nil before they are stored.
  package var storedKeys: SearchKeys?

  init(localId: String, tenantId: String?) {
    self.localId = localId
    self.tenantId = tenantId
  }

  package var isDisabled: Bool { disabled == .yes }
  var hasSecondFactor: Bool { !(mfaInfo ?? []).isEmpty }

  mutating func setPassword(
    _ text: String, in project: ProjectTransaction, context: Context
  ) {
    password = PasswordHash(
      hashing: text, context.random, keepsReadable: project.keepsReadablePasswords)
    passwordUpdatedAt = context.now.milliseconds
    validSince = .seconds(of: context.now)
  }

  mutating func deletePassword() {
    password = nil
    strandedSalt = nil
  }

  /// The provider entry of that id.
  func provider(_ providerId: String) -> ProviderUserInfo? {
    providerUserInfo?.first { $0.providerId == providerId }
  }

  /// There is at most one entry for a provider: it is replaced in place or appended.
  mutating func link(_ provider: ProviderUserInfo) {
    guard let index = providerUserInfo?.firstIndex(where: { $0.providerId == provider.providerId })
    else {
      // In its place: a copy for each would make an account with thousands of them take minutes.
      if providerUserInfo == nil { providerUserInfo = [] }
      providerUserInfo?.append(provider)
      return
    }
    providerUserInfo?[index] = provider
  }

  mutating func unlink(_ providerId: String) {
    providerUserInfo?.removeAll { $0.providerId == providerId }
  }

  /// Brings the `password` and `phone` entries in line with the account; called on every write.
  mutating func refreshProviders() {
    if let email, password != nil || emailLinkSignin {
      var entry = ProviderUserInfo(providerId: "password")
      entry.email = email.text
      entry.federatedId = email.text
      entry.rawId = email.text
      entry.displayName = displayName
      entry.photoUrl = photoUrl
      link(entry)
    } else {
      unlink("password")
    }
    if let phoneNumber {
      var entry = ProviderUserInfo(providerId: "phone")
      entry.phoneNumber = phoneNumber.text
      entry.rawId = phoneNumber.text
      link(entry)
    } else {
      unlink("phone")
    }
  }
}

/// An account elsewhere by which a user is found: at a provider, or a passkey.
struct ProviderLink: Sendable, Hashable {
  let providerId: String
  let rawId: String
  let email: String?
}

/// All that the store finds a user by, beside the id.
package struct SearchKeys: Sendable, Equatable {
  let email: Email?
  let initialEmail: Email?
  let phoneNumber: PhoneNumber?
  let links: Set<ProviderLink>
}

extension User {
  var searchKeys: SearchKeys {
    SearchKeys(email: email, initialEmail: initialEmail, phoneNumber: phoneNumber, links: links)
  }

  /// `password` and `phone` are not among them: the user's own columns lead to those.
  var links: Set<ProviderLink> {
    var links: Set<ProviderLink> = []
    for provider in providerUserInfo ?? []
    where provider.providerId != "password" && provider.providerId != "phone" {
      guard let rawId = provider.rawId else { continue }
      links.insert(
        ProviderLink(providerId: provider.providerId, rawId: rawId, email: provider.email))
    }
    for passkey in passkeyInfo ?? [] {
      let id = passkey["credentialId"]?.string ?? ""
      links.insert(ProviderLink(providerId: "passkey", rawId: id, email: nil))
    }
    return links
  }
}

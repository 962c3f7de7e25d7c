import HearthCrypto
import HearthOperations
import HearthTestSupport
import HearthWire
import Testing

@testable import HearthIdentityToolkit

@Suite struct `A user` {
  private func google(_ rawId: String, email: String? = nil) -> ProviderUserInfo {
    var provider = ProviderUserInfo(providerId: "google.com")
    provider.rawId = rawId
    provider.email = email
    return provider
  }

  private var ada: User {
    var user = User(localId: "ada", tenantId: "t")
    user.email = Email("ada@example.com")
    user.emailVerified = .no
    user.displayName = "Ada"
    user.phoneNumber = PhoneNumber("+15555550100")
    user.password = PasswordHash(hash: "aGFzaA==", salt: "c2FsdA==")
    user.createdAt = .number(1)
    user.lastLoginAt = .verbatim("007")
    user.validSince = .number(0)
    user.customAttributes = #"{ "a":1 }"#
    user.providerUserInfo = [google("1", email: "ada@gmail.example")]
    var app = MfaEnrollment(
      mfaEnrollmentId: "app", phoneInfo: nil, displayName: nil, enrolledAt: "2027-01-01T00:00:00Z")
    app.totpSecret = "GEZDGNBV"
    user.mfaInfo = [app]
    return user
  }

  @Test func `comes back from the store as it was`() {
    var read = User(record: ada.record)
    #expect(read.storedKeys == ada.searchKeys)
    read.storedKeys = nil
    #expect(read == ada)
    #expect(User(record: User(localId: "x", tenantId: nil).record).emailVerified == .unset)
  }

  @Test func `is shown to administrators with the hash, and never with secrets of factors`() {
    let (own, administrators) = (ada.wire(for: .user), ada.wire(for: .admin))
    #expect(own["passwordHash"] == .string(PasswordHash.redacted) && own["salt"] == "c2FsdA==")
    #expect(administrators["passwordHash"] == "aGFzaA==" && administrators["salt"] == "c2FsdA==")
    #expect(!own.text.contains("GEZDGNBV") && !administrators.text.contains("GEZDGNBV"))
    #expect(ada.record.text.contains("GEZDGNBV"))
  }

  @Test func `has the providers that follow from password and number`() {
    var user = ada
    user.refreshProviders()
    #expect(user.providerUserInfo?.map(\.providerId) == ["google.com", "password", "phone"])
    #expect(user.provider("password")?.federatedId == "ada@example.com")
    user.deletePassword()
    user.phoneNumber = nil
    user.refreshProviders()
    #expect(user.providerUserInfo?.map(\.providerId) == ["google.com"])
    user.emailLinkSignin = true
    user.refreshProviders()
    #expect(user.provider("password")?.rawId == "ada@example.com")
  }

  @Test func `has one entry for a provider, where the first one was`() {
    var user = ada
    user.link(ProviderUserInfo(providerId: "apple.com"))
    user.link(google("2"))
    #expect(user.providerUserInfo?.map(\.providerId) == ["google.com", "apple.com"])
    #expect(user.provider("google.com")?.rawId == "2")
    user.unlink("google.com")
    user.unlink("apple.com")
    #expect(user.providerUserInfo == [])
  }

  @Test func `is found by accounts elsewhere, but not by password and number`() {
    var user = ada
    user.refreshProviders()
    user.link(ProviderUserInfo(providerId: "saml.x"))
    user.passkeyInfo = [["credentialId": "key"]]
    #expect(
      user.links == [
        ProviderLink(providerId: "google.com", rawId: "1", email: "ada@gmail.example"),
        ProviderLink(providerId: "passkey", rawId: "key", email: nil),
      ])
  }
}

/// Two writers who began with the same state.
@Suite struct `Changes of a user` {
  private func user(_ change: (inout User) -> Void = { _ in }) -> User {
    var user = User(localId: "u", tenantId: nil)
    user.displayName = "before"
    user.photoUrl = "http://before/"
    user.link(ProviderUserInfo(providerId: "google.com"))
    user.link(ProviderUserInfo(providerId: "apple.com"))
    change(&user)
    return user
  }

  @Test func `of different fields are both kept`() {
    let now = user { $0.displayName = "now" }
    let merged = now.taking(from: user { $0.photoUrl = nil }, changedFrom: user())
    #expect(merged == user { ($0.displayName, $0.photoUrl) = ("now", nil) })
  }

  @Test func `of one field end with the second`() {
    let now = user { $0.displayName = "first" }
    let merged = now.taking(from: user { $0.displayName = "second" }, changedFrom: user())
    #expect(merged.displayName == "second")
  }

  @Test func `of entries in a list are both kept`() {
    let now = user { $0.link(ProviderUserInfo(providerId: "github.com")) }
    let changed = user {
      $0.unlink("apple.com")
      $0.link(ProviderUserInfo(providerId: "saml.x"))
    }
    let merged = now.taking(from: changed, changedFrom: user())
    #expect(
      merged.providerUserInfo?.map(\.providerId) == ["google.com", "github.com", "saml.x"])
  }

  /// A change of an entry that somebody else has removed does not bring it back.
  @Test func `of a removed entry are lost`() {
    let now = user { $0.unlink("google.com") }
    let changed = user {
      var provider = ProviderUserInfo(providerId: "google.com")
      provider.displayName = "new"
      $0.link(provider)
    }
    let merged = now.taking(from: changed, changedFrom: user())
    #expect(merged.providerUserInfo?.map(\.providerId) == ["apple.com"])
  }

  @Test func `keep a password that was replaced meanwhile`() {
    func hash(_ text: String) -> PasswordHash { PasswordHash(hash: text, salt: "") }
    let before = user { $0.password = hash("old") }
    let replaced = user { $0.password = hash("new") }
    // A sign-in hashes the same password again.
    let rehashed = user { $0.password = hash("old, again") }
    #expect(replaced.taking(from: rehashed, changedFrom: before).password == hash("new"))
    #expect(before.taking(from: rehashed, changedFrom: before).password == hash("old, again"))
    #expect(replaced.taking(from: user(), changedFrom: before).password == nil)
    #expect(replaced.taking(from: before, changedFrom: before).password == hash("new"))
  }
}

import HearthOperations
import HearthWire

extension Update {
  package struct Request: OperationRequest {
    let idToken: String?
    let localId: String?
    let oobCode: String?
    let email: String?
    let emailVerified: Bool?
    let password: String?
    let phoneNumber: String?
    let displayName: String?
    let photoUrl: String?
    let disableUser: Bool?
    /// JSON text.
    let customAttributes: String?
    let createdAt: String?
    let lastLoginAt: String?
    let validSince: String?
    /// `mfa.enrollments`; nil without `mfa`.
    let factors: [MfaEnrollment.Replacement]?
    let linkProviderUserInfo: ProviderUserInfo?
    let deleteAttribute: [Attribute]
    let deleteProvider: [String]
    let deletePasskey: [String]?
    let returnsSecureToken: Bool
    /// A field that is given, and that the official emulator refuses.
    let unsupportedField: String?

    /// What `deleteAttribute` names.
    enum Attribute: String {
      case unspecified = "USER_ATTRIBUTE_NAME_UNSPECIFIED"
      case email = "EMAIL"
      case displayName = "DISPLAY_NAME"
      case provider = "PROVIDER"
      case photoURL = "PHOTO_URL"
      case password = "PASSWORD"
      case rawUserInfo = "RAW_USER_INFO"
    }

    init(_ wire: WireRequest) {
      idToken = wire.string("idToken")
      localId = wire.string("localId")
      oobCode = wire.string("oobCode")
      email = wire.string("email")
      emailVerified = wire.bool("emailVerified")
      password = wire.string("password")
      phoneNumber = wire.string("phoneNumber")
      displayName = wire.string("displayName")
      photoUrl = wire.string("photoUrl")
      disableUser = wire.bool("disableUser")
      customAttributes = wire.string("customAttributes")
      createdAt = wire.string("createdAt")
      lastLoginAt = wire.string("lastLoginAt")
      validSince = wire.string("validSince")
      factors = wire.object("mfa").map {
        ($0["enrollments"]?.array ?? []).map(MfaEnrollment.Replacement.init)
      }
      linkProviderUserInfo = wire.body["linkProviderUserInfo"].map(ProviderUserInfo.init)
      deleteAttribute = (wire.strings("deleteAttribute") ?? []).compactMap(Attribute.init)
      deleteProvider = wire.strings("deleteProvider") ?? []
      deletePasskey = wire.strings("deletePasskey")
      returnsSecureToken = wire.bool("returnSecureToken") == true
      unsupportedField = ["provider", "upgradeToFederatedLogin"].first(where: wire.has)
    }
  }
}

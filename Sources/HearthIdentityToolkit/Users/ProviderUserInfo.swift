import HearthWire

/// An account with a provider, linked to a user; `password` and `phone` count as providers too.
struct ProviderUserInfo: Sendable, Equatable {
  var providerId: String
  var rawId: String?
  var federatedId: String?
  var email: String?
  var displayName: String?
  var photoUrl: String?
  var phoneNumber: String?
  var screenName: String?

  init(providerId: String) { self.providerId = providerId }

  init(_ json: JSON) {
    providerId = json["providerId"]?.string ?? ""
    rawId = json["rawId"]?.string
    federatedId = json["federatedId"]?.string
    email = json["email"]?.string
    displayName = json["displayName"]?.string
    photoUrl = json["photoUrl"]?.string
    phoneNumber = json["phoneNumber"]?.string
    screenName = json["screenName"]?.string
  }

  var json: JSON {
    .members([
      "providerId": .string(providerId),
      "rawId": rawId.json,
      "federatedId": federatedId.json,
      "email": email.json,
      "displayName": displayName.json,
      "photoUrl": photoUrl.json,
      "phoneNumber": phoneNumber.json,
      "screenName": screenName.json,
    ])
  }
}

package import HearthWire

/// An account with a provider, linked to a user; `password` and `phone` count as providers too.
package struct ProviderUserInfo: Sendable, Equatable {
  package var providerId: String
  package var rawId: String?
  var federatedId: String?
  var email: String?
  var displayName: String?
  var photoUrl: String?
  var phoneNumber: String?
  var screenName: String?

  init(providerId: String) { self.providerId = providerId }

  package init(_ json: JSON) {
    providerId = json["providerId"]?.string ?? ""
    for (key, value) in json.object?.members ?? [] {
      switch key {
      case "rawId": rawId = value.string
      case "federatedId": federatedId = value.string
      case "email": email = value.string
      case "displayName": displayName = value.string
      case "photoUrl": photoUrl = value.string
      case "phoneNumber": phoneNumber = value.string
      case "screenName": screenName = value.string
      default: break
      }
    }
  }

  /// In the order of the official emulator, which has another one for what follows from the account
  /// itself.
  var json: JSON {
    guard providerId != "password", providerId != "phone" else {
      return .members([
        "providerId": .string(providerId),
        "phoneNumber": phoneNumber.json,
        "email": email.json,
        "federatedId": federatedId.json,
        "rawId": rawId.json,
        "displayName": displayName.json,
        "photoUrl": photoUrl.json,
        "screenName": screenName.json,
      ])
    }
    return .members([
      "providerId": .string(providerId),
      "rawId": rawId.json,
      "federatedId": federatedId.json,
      "displayName": displayName.json,
      "photoUrl": photoUrl.json,
      "email": email.json,
      "phoneNumber": phoneNumber.json,
      "screenName": screenName.json,
    ])
  }
}

package import HearthOperations
import HearthTime
package import HearthWire

extension User {
  /// The user as stored.
  package init(record: JSON) {
    self.init(localId: record["localId"]?.string ?? "", tenantId: record["tenantId"]?.string)
    var stored = StoredPassword()
    for (key, value) in record.object?.members ?? [] {
      read(key, value: value, password: &stored)
    }
    if let hash = stored.hash {
      password = PasswordHash(
        hash: hash, salt: stored.salt ?? "", foreign: ForeignHash(stored: stored.algorithm),
        readable: PasswordHash.Readable(stored.readable))
    } else {
      strandedSalt = stored.salt
    }
    storedKeys = searchKeys
  }

  /// The members of a record that make a password together.
  private struct StoredPassword {
    var hash: String?
    var salt: String?
    var algorithm: JSON?
    var readable: JSON?
  }

  /// Names are compared one after the other, so those that each record has come first.
  private mutating func read(
    _ key: String, value: JSON, password stored: inout StoredPassword
  ) {
    switch key {
    case "localId", "tenantId": break
    case "lastLoginAt": lastLoginAt = value.string.map(AccountTime.init)
    case "emailVerified": emailVerified = AccountFlag(value.bool)
    case "email": email = value.string.map(Email.init(canonical:))
    case "salt": stored.salt = value.string
    case "passwordHash": stored.hash = value.string
    case "readablePassword": stored.readable = value
    case "passwordUpdatedAt": passwordUpdatedAt = value.integer
    case "validSince": validSince = value.string.map(AccountTime.init)
    case "disabled": disabled = AccountFlag(value.bool)
    case "createdAt": createdAt = value.string.map(AccountTime.init)
    case "providerUserInfo": providerUserInfo = value.array?.map(ProviderUserInfo.init)
    case "lastRefreshAt": lastRefreshAt = value.string.flatMap(Timestamp.init(iso8601:))
    case "displayName": displayName = value.string
    case "initialEmail": initialEmail = value.string.map(Email.init(canonical:))
    case "phoneNumber": phoneNumber = value.string.map(PhoneNumber.init(unchecked:))
    case "passwordAlgorithm": stored.algorithm = value
    case "customAuth": customAuth = value.bool ?? false
    case "emailLinkSignin": emailLinkSignin = value.bool ?? false
    case "photoUrl": photoUrl = value.string
    case "screenName": screenName = value.string
    case "customAttributes": customAttributes = value.string
    case "mfaInfo": mfaInfo = value.array?.map { MfaEnrollment($0) }
    case "passkeyInfo": passkeyInfo = value.array
    case "dateOfBirth": dateOfBirth = value.string
    case "language": language = value.string
    case "timeZone": timeZone = value.string
    default: break
    }
  }

  /// Every field; what the store keeps and administrators see. The order is the one that the
  /// official emulator's exports have most often; there it tells how an account came to be.
  package var record: JSON {
    .members([
      "localId": .string(localId),
      "lastLoginAt": lastLoginAt.json,
      "displayName": displayName.json,
      "emailVerified": emailVerified.json,
      "email": email.json,
      "initialEmail": initialEmail.json,
      "phoneNumber": phoneNumber.json,
      "salt": (password.map(\.salt) ?? strandedSalt).nonEmpty.json,
      "passwordHash": password.map { .string($0.hash) },
      "readablePassword": password?.readable?.json,
      "passwordAlgorithm": (password?.foreign?.parameters).map(JSON.object),
      "passwordUpdatedAt": passwordUpdatedAt.map(JSON.int),
      "validSince": validSince.json,
      "disabled": disabled.json,
      "tenantId": tenantId.json,
      "createdAt": createdAt.json,
      "customAuth": customAuth ? true : nil,
      "emailLinkSignin": emailLinkSignin ? true : nil,
      "providerUserInfo": providerUserInfo.map { .array($0.map(\.json)) },
      "lastRefreshAt": (lastRefreshAt?.iso8601).json,
      "photoUrl": photoUrl.json,
      "screenName": screenName.json,
      "customAttributes": customAttributes.json,
      "mfaInfo": mfaInfo.map { .array($0.map(\.record)) },
      "passkeyInfo": passkeyInfo.map(JSON.array),
      "dateOfBirth": dateOfBirth.json,
      "language": language.json,
      "timeZone": timeZone.json,
    ])
  }

  /// The user as an answer shows it. The hash is for administrators, who may want to export it;
  /// clients need to see only that there is one, and its salt.
  package func wire(for caller: Caller) -> JSON {
    var object = record.object ?? JSONObject()
    object["passwordAlgorithm"] = nil
    object["readablePassword"] = nil
    if let mfaInfo { object["mfaInfo"] = .array(mfaInfo.map(\.json)) }
    guard case .admin = caller else {
      if password != nil { object["passwordHash"] = .string(PasswordHash.redacted) }
      return .object(object)
    }
    return .object(object)
  }
}

extension PasswordHash.Readable {
  fileprivate init?(_ json: JSON?) {
    guard let hash = json?["hash"]?.string, let salt = json?["salt"]?.string else { return nil }
    self.init(hash: hash, salt: salt)
  }

  fileprivate var json: JSON { .members(["hash": .string(hash), "salt": .string(salt)]) }
}

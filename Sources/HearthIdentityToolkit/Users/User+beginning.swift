import HearthErrors
import HearthOperations
import HearthTime
import HearthWire

extension User {
  /// A user who comes into being now.
  static func new(_ localId: String, tenantId: String?, context: Context) -> User {
    var user = User(localId: localId, tenantId: tenantId)
    user.createdAt = .milliseconds(of: context.now)
    user.lastLoginAt = user.createdAt
    return user
  }

  /// A user who comes into being now by an administrator, and has not signed in.
  static func madeByAdministrator(
    _ localId: String, tenantId: String?, context: Context
  ) -> User {
    var user = User(localId: localId, tenantId: tenantId)
    user.createdAt = .milliseconds(of: context.now)
    user.validSince = .seconds(of: context.now)
    user.disabled = .no
    return user
  }
}

extension Accounts {
  /// A user who signs in for the first time by something else than a password or a phone.
  func newcomer(_ localId: String, context: Context) throws(APIError) -> User {
    var user = User.new(localId, tenantId: tenantId, context: context)
    switch try answers {
    case .emulator: break
    case .production: user.validSince = .seconds(of: context.now)
    }
    return user
  }
}

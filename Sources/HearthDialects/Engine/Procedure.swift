/// What an endpoint does.
package enum Procedure: String, Sendable, CaseIterable {
  /// Mails or texts a token.
  case requestReset
  /// Mails a new password, as old back ends do.
  case replacePassword
  /// Tells whether a token could be used.
  case verifyToken
  /// Sets the new password.
  case confirmReset
  case logIn, refreshSession, logOut
  /// Tells whose session it is.
  case profile
}

/// The fields of requests, by what they mean.
enum Field: String, Sendable, CaseIterable {
  case email, phone, token, newPassword, confirmation, password, refresh
}

extension Procedure {
  /// The fields that an endpoint of this kind must name.
  var requiredFields: [Field] {
    switch self {
    case .requestReset, .replacePassword, .logOut, .profile: []
    case .verifyToken: [.token]
    case .confirmReset: [.token, .newPassword]
    case .logIn: [.password]
    case .refreshSession: [.refresh]
    }
  }

  /// The fields that it may name.
  var optionalFields: [Field] {
    switch self {
    case .requestReset, .replacePassword, .verifyToken, .logIn: [.email, .phone]
    case .confirmReset: [.email, .phone, .confirmation]
    case .refreshSession, .logOut, .profile: []
    }
  }

  /// Whether one of `email` and `phone` is needed.
  var needsAccount: Bool {
    switch self {
    case .requestReset, .replacePassword, .logIn: true
    case .verifyToken, .confirmReset, .refreshSession, .logOut, .profile: false
    }
  }

  /// The kind of message that it sends.
  var message: DialectMessage.Purpose? {
    switch self {
    case .requestReset: .token
    case .replacePassword: .newPassword
    case .confirmReset: .notice
    case .verifyToken, .logIn, .refreshSession, .logOut, .profile: nil
    }
  }

  /// How it can end, beside the limits and the faults of the fields.
  var outcomes: [Outcome] {
    switch self {
    case .requestReset, .replacePassword: [.accepted]
    case .verifyToken: [.valid] + Self.tokenFaults
    case .confirmReset: [.reset, .weakPassword] + Self.tokenFaults
    case .logIn: [.signedIn, .wrongCredentials, .disabledAccount]
    case .refreshSession: [.refreshed, .unauthorized]
    case .logOut: [.signedOut, .unauthorized]
    case .profile: [.found, .unauthorized]
    }
  }

  private static let tokenFaults: [Outcome] = [
    .malformedToken, .unknownToken, .usedToken, .expiredToken, .exhaustedToken,
  ]
}

import Foundation

/// A choice of a project between the behaviour of the official emulator and that of production.
///
/// Numbers, such as lifetimes, are set with ``HearthClient/setLimits(_:)``.
public struct Switch: RawRepresentable, Hashable, Sendable {
  /// The name on the wire.
  public let rawValue: String

  /// The switch of that name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Answers do not show whether an address is known.
  public static let emailEnumerationProtection = Switch(rawValue: "emailEnumerationProtection")
  /// Accept unsigned ID tokens and custom tokens.
  public static let acceptUnsignedTokens = Switch(rawValue: "acceptUnsignedTokens")
  /// Check the expiry of tokens and cookies that Hearth signed.
  public static let tokenExpiry = Switch(rawValue: "tokenExpiry")
  /// Let codes expire.
  public static let codeExpiry = Switch(rawValue: "codeExpiry")
  /// Refuse too many attempts.
  public static let rateLimits = Switch(rawValue: "rateLimits")
  /// Require a recent sign-in for sensitive changes.
  public static let recentLogin = Switch(rawValue: "recentLogin")
  /// Allow links to listed domains only.
  public static let authorizedDomains = Switch(rawValue: "authorizedDomains")
  /// Refuse unknown tenants.
  public static let strictTenants = Switch(rawValue: "strictTenants")
  /// Refuse identity providers without configuration.
  public static let strictProviders = Switch(rawValue: "strictProviders")
  /// Sign in with `prompt=none` and a `login_hint` at the identity providers that Hearth plays.
  public static let silentProviders = Switch(rawValue: "silentProviders")
  /// Go by the pages of the identity providers that Hearth plays.
  public static let providerPages = Switch(rawValue: "providerPages")
}

/// A number of a project: a lifetime in seconds, or a number of attempts.
public struct Limit: RawRepresentable, Hashable, Sendable {
  /// The name on the wire.
  public let rawValue: String

  /// The limit of that name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Lifetime of a password-reset code.
  public static let passwordResetCodeLifetime = Limit(rawValue: "passwordResetCodeLifetime")
  /// Lifetime of a code that verifies or changes an address.
  public static let verificationCodeLifetime = Limit(rawValue: "verificationCodeLifetime")
  /// Lifetime of a sign-in link.
  public static let emailLinkCodeLifetime = Limit(rawValue: "emailLinkCodeLifetime")
  /// Lifetime of a code in a text message.
  public static let smsCodeLifetime = Limit(rawValue: "smsCodeLifetime")
  /// Wrong passwords of one account within the window.
  public static let wrongPasswordLimit = Limit(rawValue: "wrongPasswordLimit")
  /// Password-reset mails to one account within the window.
  public static let passwordResetLimit = Limit(rawValue: "passwordResetLimit")
  /// Accounts that an IP address makes in an hour.
  public static let signUpLimit = Limit(rawValue: "signUpLimit")
  /// The window in which attempts are counted, in seconds.
  public static let rateLimitWindow = Limit(rawValue: "rateLimitWindow")
}

/// How read-write transactions of Firestore keep out of each other's way.
public enum TransactionMode: String, Sendable {
  /// As the official emulator: reads share locks, and writes wait for them for two seconds.
  case emulator
  /// As production for servers: a transaction keeps what it has read until its end.
  case pessimistic
  /// No locks; a commit fails when something that was read has changed.
  case optimistic
}

extension HearthClient {
  /// The values of the project's switches.
  ///
  /// - Returns: a value for each switch.
  /// - Throws: ``HearthError``.
  public func switches() async throws -> [Switch: Bool] {
    try await settings().reduce(into: [:]) { switches, setting in
      if case .toggle(let value) = setting.value { switches[Switch(rawValue: setting.key)] = value }
    }
  }

  /// The numbers of the project.
  ///
  /// - Returns: a number for each limit.
  /// - Throws: ``HearthError``.
  public func limits() async throws -> [Limit: Int] {
    try await settings().reduce(into: [:]) { limits, setting in
      if case .number(let value) = setting.value { limits[Limit(rawValue: setting.key)] = value }
    }
  }

  /// Sets some switches of the project; the others stay.
  ///
  /// - Parameter switches: the switches to set.
  /// - Throws: ``HearthError``.
  public func setSwitches(_ switches: [Switch: Bool]) async throws {
    let body = Dictionary(uniqueKeysWithValues: switches.map { ($0.key.rawValue, $0.value) })
    try await control("PATCH", "switches", body, answering: Nothing.self)
  }

  /// Sets some numbers of the project; the others stay.
  ///
  /// - Parameter limits: the numbers to set.
  /// - Throws: ``HearthError``.
  public func setLimits(_ limits: [Limit: Int]) async throws {
    let body = Dictionary(uniqueKeysWithValues: limits.map { ($0.key.rawValue, $0.value) })
    try await control("PATCH", "switches", body, answering: Nothing.self)
  }

  /// Sets the name of the app in mails, text messages and pages of the project.
  ///
  /// - Parameter name: the name; empty for the id of the project.
  /// - Throws: ``HearthError``.
  public func setAppName(_ name: String) async throws {
    try await control("PATCH", "switches", ["appName": name], answering: Nothing.self)
  }

  /// Sets how read-write transactions of Firestore keep out of each other's way.
  ///
  /// - Parameter mode: the mode of transactions that begin from now on.
  /// - Throws: ``HearthError``.
  public func setTransactions(_ mode: TransactionMode) async throws {
    try await control(
      "PATCH", "switches", ["transactions": mode.rawValue], answering: Nothing.self)
  }

  /// Adds a signing key, which signs from now on; tokens of the older ones stay good.
  ///
  /// - Returns: the id of the new key, as in the header of tokens.
  /// - Throws: ``HearthError``.
  @discardableResult
  public func rotateKeys() async throws -> String {
    struct Rotated: Decodable { let kid: String }
    return try await call("POST", "/emulator/v1/keys:rotate", [:], answering: Rotated.self).kid
  }

  private func settings() async throws -> [String: Setting] {
    try await control("GET", "switches", answering: [String: Setting].self)
  }
}

/// A member of the switches document.
private enum Setting: Decodable, Sendable {
  case toggle(Bool)
  case number(Int)
  case choice(String)

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if let toggle = try? value.decode(Bool.self) {
      self = .toggle(toggle)
    } else if let number = try? value.decode(Int.self) {
      self = .number(number)
    } else {
      self = .choice(try value.decode(String.self))
    }
  }
}

package import HearthErrors
package import HearthWire

/// Where the official emulator and production part ways, each a value of a project.
package struct Switches: Sendable, Equatable {
  /// E-mail enumeration protection: do not tell whether an address is known.
  package var emailEnumerationProtection: Bool
  /// Whether unsigned ID and custom tokens are taken.
  package var acceptUnsignedTokens: Bool
  /// Whether `exp` of the tokens and cookies that we signed is checked.
  package var tokenExpiry: Bool
  /// Whether out-of-band codes expire.
  package var codeExpiry: Bool
  package var rateLimits: Bool
  package var recentLogin: Bool
  package var authorizedDomains: Bool
  package var strictTenants: Bool
  /// Whether a provider that nobody configured is refused.
  package var strictProviders: Bool
  /// Life time of a password-reset code, in seconds.
  package var passwordResetCodeLifetime: Int64 = 3600
  /// Life time of a verification or e-mail-change code, in seconds.
  package var verificationCodeLifetime: Int64 = 3 * 24 * 3600
  /// Life time of a sign-in link, in seconds.
  package var emailLinkCodeLifetime: Int64 = 6 * 3600
  /// Life time of a code in a text message, in seconds.
  package var smsCodeLifetime: Int64 = 600
  /// Wrong passwords of one account within the window before it is shut.
  package var wrongPasswordLimit: Int64 = 10
  /// Password-reset mails to one account within the window.
  package var passwordResetLimit: Int64 = 5
  /// The window in which attempts are counted, in seconds.
  package var rateLimitWindow: Int64 = 900

  /// What mails and pages call the app; the project's id where it is empty.
  package var appName = ""

  /// How read-write transactions of Firestore keep out of each other's way.
  package var transactions = TransactionMode.emulator

  package enum TransactionMode: String, Sendable, CaseIterable {
    /// As the official emulator: reads share locks, and writes wait for them for two seconds.
    case emulator
    /// As production does for servers: a transaction locks what it reads until it ends.
    case pessimistic
    /// No locks; a commit fails when something that was read has changed.
    case optimistic
  }

  /// The presets that `--profile` chooses from.
  package enum Profile: String, Sendable, CaseIterable {
    case emulator
    case production

    package var switches: Switches {
      let strict = self == .production
      return Switches(
        emailEnumerationProtection: strict, acceptUnsignedTokens: !strict, tokenExpiry: true,
        codeExpiry: true, rateLimits: strict, recentLogin: strict, authorizedDomains: strict,
        strictTenants: strict, strictProviders: false)
    }
  }

  /// A switch that is on or off, by the place where it is kept.
  package typealias Toggle = WritableKeyPath<Switches, Bool> & Sendable

  /// One row for each switch: its name on the wire and where it is kept.
  package static var toggles: [(name: String, path: WritableKeyPath<Switches, Bool>)] {
    [
      ("emailEnumerationProtection", \.emailEnumerationProtection),
      ("acceptUnsignedTokens", \.acceptUnsignedTokens),
      ("tokenExpiry", \.tokenExpiry),
      ("codeExpiry", \.codeExpiry),
      ("rateLimits", \.rateLimits),
      ("recentLogin", \.recentLogin),
      ("authorizedDomains", \.authorizedDomains),
      ("strictTenants", \.strictTenants),
      ("strictProviders", \.strictProviders),
    ]
  }

  /// One row for each settable number.
  package static var numbers: [(name: String, path: WritableKeyPath<Switches, Int64>)] {
    [
      ("passwordResetCodeLifetime", \.passwordResetCodeLifetime),
      ("verificationCodeLifetime", \.verificationCodeLifetime),
      ("emailLinkCodeLifetime", \.emailLinkCodeLifetime),
      ("smsCodeLifetime", \.smsCodeLifetime),
      ("wrongPasswordLimit", \.wrongPasswordLimit),
      ("passwordResetLimit", \.passwordResetLimit),
      ("rateLimitWindow", \.rateLimitWindow),
    ]
  }

  /// Thirty years in seconds, and more attempts than anybody makes.
  private static let largestNumber: Int64 = 1_000_000_000

  package var json: JSON {
    var object = JSONObject()
    for toggle in Self.toggles { object.append(toggle.name, .bool(self[keyPath: toggle.path])) }
    for number in Self.numbers { object.append(number.name, .int(self[keyPath: number.path])) }
    object.append("transactions", .string(transactions.rawValue))
    object.append("appName", .string(appName))
    return .object(object)
  }

  /// Takes over the switches that the object names.
  ///
  /// - Throws: `INVALID_ARGUMENT` with the name of a member that is not a switch or has a wrong type.
  package mutating func update(_ object: JSONObject) throws(APIError) {
    for (name, value) in object.members {
      if let toggle = Self.toggles.first(where: { $0.name == name }) {
        guard let value = value.bool else {
          throw APIError(.invalidArgument, "/\(name) must be boolean")
        }
        self[keyPath: toggle.path] = value
      } else if let number = Self.numbers.first(where: { $0.name == name }) {
        guard case .int(let value) = value, (1...Self.largestNumber).contains(value) else {
          throw APIError(
            .invalidArgument, "/\(name) must be an integer from 1 to \(Self.largestNumber)")
        }
        self[keyPath: number.path] = value
      } else if name == "transactions" {
        guard let mode = value.string.flatMap(TransactionMode.init) else {
          let modes = TransactionMode.allCases.map(\.rawValue).joined(separator: ", ")
          throw APIError(.invalidArgument, "/transactions must be one of \(modes)")
        }
        transactions = mode
      } else if name == "appName" {
        guard let text = value.string, Self.isName(text) else {
          throw APIError(.invalidArgument, "/appName must be a line of at most 100 characters")
        }
        appName = text
      } else {
        throw APIError(.invalidArgument, "unknown switch '\(name)'")
      }
    }
  }

  private static func isName(_ text: String) -> Bool {
    text.utf8.count <= 400 && text.count <= 100
      && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) }
  }
}

import HearthCrypto
import HearthErrors
import HearthOperations
import HearthTime
import HearthTokens
import HearthWire

/// The claims of a token that is issued to an app.
struct AppCheckClaims {
  static let issuer = "https://firebaseappcheck.googleapis.com/"
  static let lifetime: Int64 = 3600
  /// Of tokens that are to be used once.
  static let limitedLifetime: Int64 = 300
  /// 30 minutes to 7 days.
  static let lifetimes: ClosedRange<Int64> = 1800...604_800

  let app: String
  let lifetime: Int64
  /// Nil for a token that may be used until it expires.
  let id: String?

  init(of app: String, lifetime: Int64?, isLimited: Bool, id: String? = nil) {
    self.app = app
    self.lifetime = isLimited ? Self.limitedLifetime : lifetime ?? Self.lifetime
    self.id = isLimited ? id ?? Randomness().uuid() : nil
  }

  func json(in project: String, at now: Timestamp) -> JSONObject {
    let number = Self.number(in: app)
    return JSONObject([
      "sub": .string(app),
      "aud": .strings(["projects/\(number)", "projects/\(project)"]),
      "iss": .string(Self.issuer + number),
      "exp": .int(now.seconds + lifetime),
      "iat": .int(now.seconds),
      "jti": id.map(JSON.string),
    ])
  }

  var ttl: String { "\(lifetime)s" }

  /// The number of the project, which the ids of its apps and of its OAuth clients hold:
  /// `1:448618578101:web:cc6c1dc7`, `448618578101-cc6c1dc7.apps.googleusercontent.com`.
  private static func number(in app: String) -> String {
    let parts = app.split(separator: ":")
    let number =
      parts.count > 2
      ? parts[1] : app.prefix { $0 != "-" }
    guard (1...20).contains(number.utf8.count), number.utf8.allSatisfy(\.isASCIIDigit)
    else { return "12345" }
    return String(number)
  }

  /// `3600s`, as durations are in JSON; nil for other texts.
  static func lifetime(_ ttl: JSON?, named name: String) throws(APIError) -> Int64? {
    guard let ttl, !ttl.isNull else { return nil }
    guard let seconds = ttl.string.flatMap(seconds), lifetimes.contains(seconds) else {
      throw APIError(.invalidArgument, message: "\(name) must be from 30 minutes to 7 days.")
    }
    return seconds
  }

  static func seconds(_ text: String) -> Int64? {
    guard text.hasSuffix("s"), let seconds = Double(text.dropLast()), seconds.isFinite,
      (0...1e9).contains(seconds)
    else { return nil }
    return Int64(seconds)
  }
}

extension ServerFacts {
  /// A token of App Check with these claims.
  func signAppCheck(_ claims: JSONObject) async throws(APIError) -> String {
    do {
      return try JWT.signed(claims, by: try await appCheck.keys.keys.current())
    } catch {
      throw APIError(.internalError, detail: "no token can be signed: \(error)")
    }
  }
}

import HearthCrypto
import HearthErrors
import HearthOperations
import HearthTime
import HearthWire

/// `mfa` of a project's configuration. A project that has set none has second factors.
struct ProjectFactors {
  /// More phones an account cannot have.
  static let mostPhones = 5

  private let config: JSON?

  init(_ config: JSONObject) { self.config = config["mfa"] }

  var isOn: Bool {
    config == nil || ["ENABLED", "MANDATORY"].contains(config?["state"]?.string)
  }

  var allowsSMS: Bool {
    guard let config else { return true }
    return isOn && (config["enabledProviders"]?.array ?? []).contains("PHONE_SMS")
  }

  var allowsTotp: Bool {
    guard config != nil else { return true }
    return isOn && totp != nil
  }

  /// How many periods before and after now have codes that are taken.
  var adjacentIntervals: Int64 {
    guard config != nil else { return 5 }
    return totp?["totpProviderConfig"]?["adjacentIntervals"]?.integer ?? 0
  }

  private var totp: JSON? {
    config?["providerConfigs"]?.array?.first {
      $0["totpProviderConfig"] != nil && ["ENABLED", "MANDATORY"].contains($0["state"]?.string)
    }
  }
}

extension SecondFactors {
  func projectFactors() throws(APIError) -> ProjectFactors {
    guard let tenant = try tenant() else { return ProjectFactors(try settings().config) }
    return ProjectFactors(
      JSONObject(["mfa": tenant.record["mfaConfig"] ?? .members(["state": "DISABLED"])]))
  }

  /// The same where they say what is allowed: the official emulator does not ask a project.
  func enforcedFactors() throws(APIError) -> ProjectFactors? {
    switch try answers {
    case .emulator: nil
    case .production: try projectFactors()
    }
  }

  /// Refuses a request without any proof of a factor, where it is looked at as a whole.
  func requireProof(_ isGiven: Bool) throws(APIError) {
    if !isGiven, try enforcedFactors() != nil { throw .invalidRequest }
  }

  /// How far the clock of an authenticator app may be off, in periods.
  func totpWindow() throws(APIError) -> Int64 {
    guard let factors = try enforcedFactors() else { return 1 }
    return min(max(factors.adjacentIntervals, 0), 10)
  }
}

extension MfaEnrollment {
  /// The factors of an `accounts:update` by an administrator. Phones get an id where they have none;
  /// an authenticator app cannot be added.
  static func completing(
    _ known: [MfaEnrollment], with factors: [Replacement], context: Context
  ) throws(APIError) -> [MfaEnrollment] {
    var enrollments: [MfaEnrollment] = []
    for factor in factors {
      if let app = known.first(where: {
        $0.isTotp && $0.mfaEnrollmentId == factor.mfaEnrollmentId
      }) {
        enrollments.append(app)
        continue
      }
      if factor.hasTotpInfo {
        throw APIError(.unsupportedSecondFactor, detail: "attempting to add a new TOTP enrollment")
      }
      guard let phone = factor.phoneInfo.flatMap(PhoneNumber.init(normalizing:)) else {
        throw APIError(.invalidPhoneNumber)
      }
      guard !enrollments.contains(where: { $0.number == phone }) else { continue }
      enrollments.append(
        MfaEnrollment(
          phone: phone, id: factor.mfaEnrollmentId.nonEmpty ?? context.random.uuid(),
          displayName: factor.displayName,
          enrolledAt: factor.enrolledAt ?? context.now.iso8601))
    }
    guard enrollments.count(where: { !$0.isTotp }) <= ProjectFactors.mostPhones else {
      throw APIError(.secondFactorLimitExceeded)
    }
    return enrollments
  }

  /// A phone of which production shows one number only.
  init(phone: PhoneNumber, id: String, displayName: String?, enrolledAt: String?) {
    self.init(
      mfaEnrollmentId: id, phoneInfo: phone, displayName: displayName, enrolledAt: enrolledAt)
    unobfuscatedPhoneInfo = nil
  }
}

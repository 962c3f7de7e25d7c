import HearthCrypto
import HearthErrors
import HearthOperations
import HearthTime
import HearthWire

/// What production does differently with second factors.
enum ProductionFactors {
  static let mostPhones = 5
  static let totpEnrollmentTime: Duration = .seconds(900)
  /// Seconds in which a first factor can be followed by a code of an authenticator app.
  static let totpChallengeTime: Int64 = 300
  /// Seconds in which it can be followed by a code of a text message.
  static let pendingTime: Int64 = 600
}

/// `mfa` of a project's configuration. A project that has set none has second factors.
struct ProjectFactors {
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

extension ProjectTransaction {
  func projectFactors() throws(APIError) -> ProjectFactors {
    guard let tenant = try tenant() else { return ProjectFactors(try settings().config) }
    return ProjectFactors(
      JSONObject(["mfa": tenant.record["mfaConfig"] ?? .members(["state": "DISABLED"])]))
  }

  /// How far the clock of an authenticator app may be off, in periods.
  func totpWindow() throws(APIError) -> Int64 {
    guard try answersAsProduction else { return 1 }
    return min(max(try projectFactors().adjacentIntervals, 0), 10)
  }

  /// Refuses a pending credential that is too old for the second factor.
  func requireFresh(
    _ pending: PendingSignIn, for proof: TotpProof?, _ context: Context
  ) throws(APIError) {
    guard try answersAsProduction, try switches().codeExpiry else { return }
    let age = context.now.seconds - pending.issuedAt.seconds
    if proof != nil, age >= ProductionFactors.totpChallengeTime {
      throw APIError(.totpChallengeTimeout)
    }
    if age >= ProductionFactors.pendingTime {
      throw APIError(.invalidMfaPendingCredential, "MFA pending credential is expired.")
    }
  }
}

extension User {
  /// Refuses a phone beyond the limit.
  func requireRoomForPhone() throws(APIError) {
    guard (mfaInfo ?? []).count(where: { !$0.isTotp }) < ProductionFactors.mostPhones else {
      throw APIError(
        .secondFactorLimitExceeded, "Too many second factors enrolled for this account.")
    }
  }

  /// Refuses a second authenticator app.
  func requireRoomForTotp() throws(APIError) {
    guard !(mfaInfo ?? []).contains(where: \.isTotp) else {
      throw APIError(
        .secondFactorLimitExceeded,
        "Too many TOTP based second factors enrolled for this account.")
    }
  }
}

extension MfaEnrollment {
  /// The factors of an `accounts:update` by an administrator. Phones get an id where they have none;
  /// an authenticator app cannot be added.
  static func replacingAsProduction(
    _ known: [MfaEnrollment], with factors: [Replacement], _ context: Context
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
        throw APIError(.unsupportedSecondFactor, "attempting to add a new TOTP enrollment")
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
    guard enrollments.count(where: { !$0.isTotp }) <= ProductionFactors.mostPhones else {
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

extension Timestamp {
  /// With the six decimals that production shows of a client's enrolment.
  var microsecondText: String { iso8601.dropLast() + "000Z" }
}

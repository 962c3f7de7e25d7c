import HearthCrypto
import HearthErrors
import HearthOperations
import HearthTime
import HearthWire

/// A second factor of a user.
package struct MfaEnrollment: Sendable, Equatable {
  var mfaEnrollmentId: String
  var displayName: String?
  var phoneInfo: PhoneNumber?
  var unobfuscatedPhoneInfo: PhoneNumber?
  var enrolledAt: String?
  /// The shared secret of an authenticator app, in base32; never on the wire.
  var totpSecret: String?
  /// The last time step whose code was used: it cannot be used again.
  var totpUsedStep: Int64?

  var isTotp: Bool { totpSecret != nil }

  /// The number to send codes to.
  var number: PhoneNumber? { unobfuscatedPhoneInfo ?? phoneInfo }

  init(
    mfaEnrollmentId: String, phoneInfo: PhoneNumber?, displayName: String?, enrolledAt: String?
  ) {
    self.mfaEnrollmentId = mfaEnrollmentId
    self.phoneInfo = phoneInfo
    unobfuscatedPhoneInfo = phoneInfo
    self.displayName = displayName
    self.enrolledAt = enrolledAt
  }

  init(_ json: JSON) {
    mfaEnrollmentId = json["mfaEnrollmentId"]?.string ?? ""
    displayName = json["displayName"]?.string
    phoneInfo = (json["phoneInfo"]?.string).map(PhoneNumber.init(unchecked:))
    unobfuscatedPhoneInfo =
      (json["unobfuscatedPhoneInfo"]?.string).map(PhoneNumber.init(unchecked:))
    enrolledAt = json["enrolledAt"]?.string
    totpSecret = json["totpSecret"]?.string
    totpUsedStep = json["totpUsedStep"]?.integer
  }

  /// What the store keeps.
  var record: JSON {
    guard var object = json.object, let totpSecret else { return json }
    object.append("totpSecret", value: .string(totpSecret))
    if let totpUsedStep { object.append("totpUsedStep", value: .int(totpUsedStep)) }
    return .object(object)
  }

  var json: JSON {
    .members([
      "totpInfo": isTotp ? [:] : nil,
      "displayName": displayName.json,
      "enrolledAt": enrolledAt.json,
      "mfaEnrollmentId": .string(mfaEnrollmentId),
      "phoneInfo": phoneInfo.json,
      "unobfuscatedPhoneInfo": unobfuscatedPhoneInfo.json,
    ])
  }

  /// As a first-factor answer shows it to somebody who is not signed in yet.
  var obfuscatedJSON: JSON {
    .members([
      "displayName": displayName.json,
      "enrolledAt": enrolledAt.json,
      "mfaEnrollmentId": .string(mfaEnrollmentId),
      "phoneInfo": phoneInfo.map { .string($0.obfuscated) },
      "totpInfo": isTotp ? [:] : nil,
    ])
  }
}

extension MfaEnrollment {
  /// A factor of an `accounts:signUp`.
  struct New: Sendable {
    let phoneInfo: String?
    let displayName: String?

    init(_ factor: JSON) {
      phoneInfo = factor["phoneInfo"]?.string
      displayName = factor["displayName"]?.string
    }
  }

  /// A factor of an `accounts:update`.
  package struct Replacement: Sendable {
    let mfaEnrollmentId: String?
    let phoneInfo: String?
    let displayName: String?
    let enrolledAt: String?
    let hasTotpInfo: Bool

    init(_ factor: JSON) {
      hasTotpInfo = factor["totpInfo"] != nil
      mfaEnrollmentId = factor["mfaEnrollmentId"]?.string
      phoneInfo = factor["phoneInfo"]?.string
      displayName = factor["displayName"]?.string
      enrolledAt = factor["enrolledAt"]?.string
    }
  }

  /// The factors of an `accounts:signUp`: fresh ids, repeated numbers dropped.
  static func enrolling(
    _ factors: [New], context: Context
  ) throws(APIError) -> [MfaEnrollment] {
    var enrollments: [MfaEnrollment] = []
    for factor in factors {
      guard let phone = factor.phoneInfo.flatMap(PhoneNumber.init(_:)) else {
        throw APIError(.invalidMfaPhoneNumber)
      }
      guard !enrollments.contains(where: { $0.phoneInfo == phone }) else { continue }
      enrollments.append(
        MfaEnrollment(
          mfaEnrollmentId: context.random.alphanumeric(28), phoneInfo: phone,
          displayName: factor.displayName, enrolledAt: context.now.iso8601))
    }
    return enrollments
  }

  /// The factors of an `accounts:update`: given ids are kept, repeated numbers dropped. An
  /// authenticator app stays as it is; its secret never leaves, so it cannot come back.
  static func replacing(
    _ known: [MfaEnrollment], with factors: [Replacement]
  ) throws(APIError) -> [MfaEnrollment] {
    var enrollments: [MfaEnrollment] = []
    for factor in factors {
      if var app = known.first(where: {
        $0.isTotp && $0.mfaEnrollmentId == factor.mfaEnrollmentId
      }) {
        app.displayName = factor.displayName
        if !enrollments.contains(app) { enrollments.append(app) }
        continue
      }
      guard let phone = factor.phoneInfo.flatMap(PhoneNumber.init(_:)) else {
        throw APIError(.invalidMfaPhoneNumber)
      }
      guard !enrollments.contains(where: { $0.phoneInfo == phone }) else { continue }
      guard let id = factor.mfaEnrollmentId.nonEmpty else {
        throw APIError(.invalidMfaEnrollmentId)
      }
      guard !enrollments.contains(where: { $0.mfaEnrollmentId == id }) else {
        throw APIError(.duplicateMfaEnrollmentId)
      }
      enrollments.append(
        MfaEnrollment(
          mfaEnrollmentId: id, phoneInfo: phone, displayName: factor.displayName,
          enrolledAt: factor.enrolledAt))
    }
    return enrollments
  }
}

import HearthErrors
import HearthOperations
import HearthTestSupport
import HearthTime
import HearthWire
import Testing

@testable import HearthIdentityToolkit

@Suite struct `A code of an authenticator app` {
  private static let secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"

  /// RFC 6238, appendix B: the last six of its eight digits.
  @Test(
    arguments: [
      (59, "287082"), (1_111_111_109, "081804"), (1_111_111_111, "050471"),
      (1_234_567_890, "005924"), (2_000_000_000, "279037"), (20_000_000_000, "353130"),
    ] as [(Int64, String)])
  func `is that of the standard`(seconds: Int64, code: String) {
    let step = Totp.step(at: Timestamp(seconds: seconds))
    #expect(Totp.code(secret: Array("12345678901234567890".utf8), step: step) == code)
    #expect(Totp.code(secret: Totp.bytes(base32: Self.secret), step: step) == code)
  }

  /// RFC 4648, section 10, without the padding.
  @Test(arguments: [
    ("", ""), ("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW6"), ("foob", "MZXW6YQ"),
    ("fooba", "MZXW6YTB"), ("foobar", "MZXW6YTBOI"),
  ])
  func `has a secret in base32`(text: String, base32: String) {
    #expect(Totp.base32(Array(text.utf8)) == base32)
    #expect(Totp.bytes(base32: base32) == Array(text.utf8))
    #expect(Totp.bytes(base32: base32 + "==") == Array(text.utf8))
  }

  @Test(
    arguments: [
      (0, nil, 0), (-1, nil, -1), (1, nil, 1), (-2, nil, nil), (2, nil, nil),
      // The last step that was used, and those before it, are over.
      (0, -1, 0), (0, 0, nil), (-1, 0, nil), (1, 0, 1), (1, 1, nil),
    ] as [(Int64, Int64?, Int64?)])
  func `counts for a step before and after, and once`(
    offset: Int64, used: Int64?, accepted: Int64?
  ) {
    let now = Timestamp(seconds: 1_800_000_000)
    let step = Totp.step(at: now)
    let code = Totp.code(secret: Totp.bytes(base32: Self.secret), step: step + offset)
    let found = Totp.acceptedStep(
      code, secret: Self.secret, at: now, after: used.map { step + $0 })
    #expect(found == accepted.map { step + $0 })
  }

  private func user() -> User {
    var app = MfaEnrollment(
      mfaEnrollmentId: "app", phoneInfo: nil, displayName: nil, enrolledAt: nil)
    app.totpSecret = Self.secret
    let phone = MfaEnrollment(
      mfaEnrollmentId: "phone", phoneInfo: PhoneNumber("+1"), displayName: nil, enrolledAt: nil)
    var user = User(localId: "u", tenantId: nil)
    user.mfaInfo = [phone, app]
    return user
  }

  @Test func `is redeemed by its user, and not again`() throws {
    let project = try TestProject([])
    let context = project.context()
    var user = user()
    let code = Totp.code(
      secret: Totp.bytes(base32: Self.secret), step: Totp.step(at: context.now))
    let proof = TotpProof(JSONObject(["verificationCode": .string(code)]))
    let factor = try project.inProject { project throws(APIError) in
      try user.redeemTotp(proof, enrollmentId: "app", in: project, context: context)
    }
    #expect(factor.mfaEnrollmentId == "app")
    #expect(user.mfaInfo?.last?.totpUsedStep == Totp.step(at: context.now))
    let again = project.refusal { project throws(APIError) in
      _ = try user.redeemTotp(proof, enrollmentId: "app", in: project, context: context)
    }
    #expect(again == .invalidCode)
  }

  @Test(
    arguments: [
      (nil, "123456", .missingMfaEnrollmentId), ("", "123456", .missingMfaEnrollmentId),
      ("app", nil, .missingCode), ("app", "", .missingCode), ("app", "12345", .invalidCode),
      ("phone", "123456", .mfaEnrollmentNotFound), ("nobody", "123456", .mfaEnrollmentNotFound),
    ] as [(String?, String?, ErrorCode)])
  func `is refused`(enrollment: String?, code: String?, refusal: ErrorCode) throws {
    let project = try TestProject([])
    let context = project.context()
    var user = user()
    let proof = TotpProof(JSONObject(["verificationCode": code.json]))
    let found = project.refusal { project throws(APIError) in
      _ = try user.redeemTotp(
        proof, enrollmentId: enrollment, in: project, context: context)
    }
    #expect(found == refusal)
  }
}

@Suite struct `Second factors` {
  private func numbers(_ factors: [MfaEnrollment]) -> [String?] { factors.map(\.phoneInfo?.text) }

  private let app: MfaEnrollment = {
    var app = MfaEnrollment(
      mfaEnrollmentId: "app", phoneInfo: nil, displayName: "old", enrolledAt: "then")
    app.totpSecret = "GEZDGNBV"
    return app
  }()

  @Test func `of a new account have new ids, and each number once`() throws {
    let context = try TestProject([]).context()
    let factors = try MfaEnrollment.enrolling(
      [["phoneInfo": "+1"], ["phoneInfo": "+2", "displayName": "b"], ["phoneInfo": "+1"]]
        .map(MfaEnrollment.New.init), context: context)
    #expect(numbers(factors) == ["+1", "+2"])
    #expect(Set(factors.map(\.mfaEnrollmentId)).count == 2)
    #expect(factors.map(\.displayName) == [nil, "b"])
    #expect(factors.map(\.enrolledAt) == [context.now.iso8601, context.now.iso8601])
  }

  @Test(arguments: [[:], ["phoneInfo": "1"], ["phoneInfo": ""]] as [JSON])
  func `of a new account need a number`(factor: JSON) throws {
    let context = try TestProject([]).context()
    #expect(throws: APIError(.invalidMfaPhoneNumber)) {
      try MfaEnrollment.enrolling([.init(factor)], context: context)
    }
  }

  @Test func `are replaced but for secrets, which stay`() throws {
    let factors = try MfaEnrollment.replacing(
      [app],
      with: [
        ["mfaEnrollmentId": "a", "phoneInfo": "+1", "enrolledAt": "now"],
        ["mfaEnrollmentId": "b", "phoneInfo": "+1"],
        ["mfaEnrollmentId": "app", "displayName": "new", "phoneInfo": "+3"],
        ["mfaEnrollmentId": "app", "displayName": "new"],
      ].map(MfaEnrollment.Replacement.init))
    #expect(factors.map(\.mfaEnrollmentId) == ["a", "app"])
    #expect(numbers(factors) == ["+1", nil])
    #expect(factors.last?.totpSecret == "GEZDGNBV" && factors.last?.displayName == "new")
    #expect(factors.last?.enrolledAt == "then")
  }

  @Test(
    arguments: [
      ([["phoneInfo": "+1"]], .invalidMfaEnrollmentId),
      ([["mfaEnrollmentId": "", "phoneInfo": "+1"]], .invalidMfaEnrollmentId),
      ([["mfaEnrollmentId": "a"]], .invalidMfaPhoneNumber),
      (
        [
          ["mfaEnrollmentId": "a", "phoneInfo": "+1"], ["mfaEnrollmentId": "a", "phoneInfo": "+2"],
        ],
        .duplicateMfaEnrollmentId
      ),
    ] as [([JSON], ErrorCode)])
  func `are refused`(factors: [JSON], refusal: ErrorCode) {
    #expect(throws: APIError(refusal)) {
      try MfaEnrollment.replacing([], with: factors.map(MfaEnrollment.Replacement.init))
    }
  }

  @Test func `show no secret, and to a stranger no number`() {
    let phone = MfaEnrollment(
      mfaEnrollmentId: "p", phoneInfo: PhoneNumber("+15555550100"), displayName: nil,
      enrolledAt: nil)
    #expect(phone.json["unobfuscatedPhoneInfo"] == "+15555550100")
    #expect(phone.obfuscatedJSON["phoneInfo"] == "+*******0100")
    #expect(!phone.obfuscatedJSON.text.contains("5555550100"))
    for json in [app.json, app.obfuscatedJSON] {
      #expect(json["totpInfo"] == [:] && !json.text.contains("GEZDGNBV"))
    }
    #expect(MfaEnrollment(app.record) == app)
  }
}

import Foundation
import HearthTesting
import Testing

@testable import HearthClient

@Suite(.hearth(on: .local)) struct `What tests call` {
  let hearth = HearthClient.current

  @Test func `signs in in every way`() async throws {
    let anonymous = try await hearth.signInAnonymously()
    #expect(try await hearth.lookup(anonymous).email == nil)
    let google = try await hearth.signIn(
      provider: "google.com", subject: "g-1", email: "ann+1@example.com", displayName: "Ann")
    #expect(try await hearth.lookup(google).email == "ann+1@example.com")
    #expect(try await hearth.lookup(google).displayName == "Ann")
    let link = try await hearth.signInWithLink(email: "link@example.com")
    #expect(try await hearth.lookup(link).emailVerified == true)
    let phone = try await hearth.signIn(phoneNumber: "+15555550100")
    #expect(phone.claims["phone_number"] == "+15555550100")
    let token = try await hearth.customToken(for: "eve", claims: ["level": 3])
    let custom = try await hearth.signIn(customToken: token)
    #expect(custom.localId == "eve" && custom.claims["level"] == 3)
    let other = try await hearth.signIn(as: "eve", claims: ["admin": true])
    #expect(other.localId == "eve" && other.claims["admin"] == true)
    #expect(try await hearth.refresh(other).localId == "eve")
  }

  @Test func `signs in with a second factor`() async throws {
    try await hearth.createUser(
      email: "ann@example.com", password: "old secret", emailVerified: true)
    let session = try await hearth.signIn(email: "ann@example.com", password: "old secret")
    try await hearth.enrollPhone("+15555550100", of: session, name: "My phone")
    let second = try await hearth.signIn(
      email: "ann@example.com", password: "old secret", phoneNumber: "+15555550100")
    #expect(second.localId == session.localId)
    let alone = await refusal {
      try await hearth.signIn(email: "ann@example.com", password: "old secret")
    }
    #expect(alone != nil)
  }

  @Test func `signs in with an authenticator app`() async throws {
    try await hearth.freezeClock(true)
    try await hearth.createUser(
      email: "ann@example.com", password: "old secret", emailVerified: true)
    let session = try await hearth.signIn(email: "ann@example.com", password: "old secret")
    let (secret, enrolled) = try await hearth.enrollTotp(of: session, name: "My app")
    #expect(enrolled.localId == session.localId)
    // Each code counts once.
    for _ in 0..<2 {
      let second = try await hearth.signIn(
        email: "ann@example.com", password: "old secret", totpSecret: secret)
      #expect(second.localId == session.localId)
    }
    try await hearth.advanceClock(by: .seconds(60))
    let code = try await hearth.totpCode(for: secret)
    let next = try await hearth.totpCode(for: secret, periods: 1)
    #expect(code.utf8.count == 6 && code != next)
    let later = try await hearth.signIn(
      email: "ann@example.com", password: "old secret", totpSecret: secret)
    #expect(later.localId == session.localId)
    let other = await refusal {
      try await hearth.signIn(
        email: "ann@example.com", password: "old secret", totpSecret: "ABCDEFGH")
    }
    #expect(other?.code == "INVALID_CODE")
  }

  @Test func `says which second factor a sign-in asks for`() async throws {
    try await hearth.freezeClock(true)
    try await hearth.createUser(
      email: "ann@example.com", password: "old secret", emailVerified: true)
    let session = try await hearth.signIn(email: "ann@example.com", password: "old secret")
    let none = await refusal {
      try await hearth.signIn(email: "ann@example.com", password: "old secret", totpSecret: "A")
    }
    #expect(none?.code == "NO_SECOND_FACTOR")
    try await hearth.enrollPhone("+15555550100", of: session, name: "My phone")
    let required = await #expect(throws: SecondFactorRequired.self) {
      try await hearth.signIn(email: "ann@example.com", password: "old secret")
    }
    let asked = try #require(required)
    #expect(asked.factors.map(\.displayName) == ["My phone"])
    #expect(asked.factors.first?.isAuthenticatorApp == false)
    #expect(asked.description.contains("signIn(email:password:phoneNumber:)"))
    let second = try await hearth.signInWithSecondFactor(asked, phoneNumber: "+15555550100")
    #expect(second.localId == session.localId)
    let other = await refusal {
      try await hearth.signInWithSecondFactor(asked, totpSecret: "GEZDGNBVGY3TQOJQ")
    }
    #expect(other?.code == "NO_SECOND_FACTOR")
  }

  @Test func `tries the code of a period again when half a minute has ended`() async throws {
    try await hearth.freezeClock(true)
    let secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
    let (first, next) = (
      try await hearth.totpCode(for: secret), try await hearth.totpCode(for: secret, periods: 1)
    )
    var tried: [String] = []
    let session = try await hearth.redeemTotp(secret, periods: 0...1) { code in
      tried.append(code)
      guard code != first else {
        try await hearth.advanceClock(by: .seconds(30))
        throw HearthError(code: "INVALID_CODE", message: "", httpStatus: 400)
      }
      return try await hearth.signInAnonymously()
    }
    #expect(tried == [first, next])
    try await hearth.resetClock()
    #expect(try await hearth.lookup(session).localId == session.localId)
  }

  @Test func `gives up after the codes of all periods`() async throws {
    try await hearth.freezeClock(true)
    let secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
    var tried: [String] = []
    let error = await refusal {
      try await hearth.redeemTotp(secret, periods: -1...0) { code in
        tried.append(code)
        throw HearthError(code: "INVALID_CODE", message: "", httpStatus: 400)
      }
    }
    #expect(error?.code == "INVALID_CODE")
    #expect(
      tried == [
        try await hearth.totpCode(for: secret, periods: -1), try await hearth.totpCode(for: secret),
      ])
  }

  /// Appendix B of RFC 6238, of which apps show the last six digits.
  @Test(arguments: [
    (1, "287082"), (37_037_036, "081804"), (37_037_037, "050471"), (41_152_263, "005924"),
    (66_666_666, "279037"), (666_666_666, "353130"),
  ])
  func `computes the codes of RFC 6238`(_ step: UInt64, _ code: String) {
    #expect(
      OneTimeCode.code(secret: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", step: step) == code)
  }

  @Test func `sets claims`() async throws {
    let id = try await hearth.createUser(email: "ann@example.com", password: "old secret")
    try await hearth.setClaims(["role": "admin", "levels": [1, 2.5], "none": nil], of: id)
    let session = try await hearth.signIn(email: "ann@example.com", password: "old secret")
    #expect(session.claims["role"] == "admin" && session.claims["levels"] == [1, 2.5])
    #expect(try await hearth.lookup(session).claims["role"] == "admin")
  }

  @Test func `moves the clock`() async throws {
    let start = try #require(try? Date("2027-01-31T09:30:00Z", strategy: .iso8601))
    try await hearth.setClock(to: start, frozen: true)
    #expect(try await hearth.clock() == ProjectClock.standing(at: start))
    try await hearth.createUser(email: "ann@example.com", password: "old secret")
    try await hearth.sendPasswordReset(to: "ann@example.com")
    let code = try await hearth.waitForCode(to: "ann@example.com")
    try await hearth.advanceClock(by: .seconds(3601))
    let error = await refusal {
      try await hearth.resetPassword(code: code, newPassword: "new secret")
    }
    #expect(error?.code == "EXPIRED_OOB_CODE")
    #expect(try await hearth.advanceClock(by: .milliseconds(-3_601_000)).now == start)
    #expect(try await hearth.freezeClock(false).isFrozen == false)
    try await hearth.resetClock()
  }

  @Test func `makes faults, and looks at requests`() async throws {
    try await hearth.addFault(Fault("*.signUp", .error("UNAVAILABLE"), times: 1))
    let error = await refusal { try await hearth.signInAnonymously() }
    #expect(error?.code == "UNAVAILABLE")
    _ = try await hearth.signInAnonymously()
    let requests = try await hearth.expectRequests("*.signUp", count: 2)
    #expect(requests.map(\.status) == [503, 200])
    let failed = try await hearth.waitForRequest("*.signUp", status: "failed")
    #expect(failed.error == "UNAVAILABLE")
    try await hearth.setFaults([
      Fault("*.signUp", .latency(.milliseconds(1))), Fault("*.token", .dropBefore, times: 1),
      Fault("*.token", .latencyBetween(.zero, .milliseconds(1)), share: 0.5, seed: 1),
      Fault("*.token", .slowBody(bytesPerSecond: 100_000)), Fault("*", .contention(0.1)),
    ])
    _ = try await hearth.signInAnonymously()
    try await hearth.clearFaults()
    try await hearth.clearRequests()
    #expect(try await hearth.requests().isEmpty)
    let unknown = await refusal { try await hearth.addFault(Fault("*.nothing", .status(500))) }
    #expect(unknown?.httpStatus == 400)
  }

  @Test func `writes documents of every type`() async throws {
    let fields: [String: FirestoreValue] = [
      "null": nil, "bool": true, "int": 7, "double": 0.5, "nan": .double(.infinity), "text": "x",
      "time": .timestamp(Date(timeIntervalSince1970: 1.25)), "bytes": .bytes(Data([0, 1])),
      "place": .geoPoint(latitude: 51.5, longitude: -0.25), "list": [1, ["a": nil]], "empty": [],
      "map": ["deep": ["er": "x"]],
      "reference": .reference("projects/\(hearth.project)/databases/(default)/documents/a/b"),
    ]
    try await hearth.setDocument("all/types", fields)
    #expect(try await hearth.document("all/types") == fields)
    try await hearth.setDocuments(["a/1": ["n": 1], "a/2": ["n": 2], "a/2/b/1": [:]])
    let found = try await hearth.documents(in: "a")
    #expect(found.map(\.id) == ["1", "2"] && found.last?.fields == ["n": 2])
    try await hearth.deleteDocument("a/1")
    #expect(try await hearth.documents(in: "a").map(\.path) == ["a/2"])
    try await hearth.deleteAllDocuments()
    #expect(try await hearth.document("all/types") == nil)
  }
}

/// Messages of failures: what was there instead.
@Suite(.hearth(on: .local)) struct `Waiting in vain` {
  let hearth = HearthClient.current

  @Test func `tells which mails there are`() async throws {
    try await hearth.createUser(email: "bob@example.com")
    try await hearth.sendPasswordReset(to: "bob@example.com")
    let error = await refusal {
      try await hearth.waitForCode(
        to: "ann@example.com", type: .passwordReset, within: .milliseconds(20))
    }
    let message = error?.message ?? ""
    #expect(error?.code == "NO_SUCH_MAIL")
    #expect(message.contains("no mail with a code to ann@example.com (PASSWORD_RESET)"))
    #expect(message.contains("the mailbox has PASSWORD_RESET to bob@example.com"), "\(message)")
  }

  @Test func `tells what the app has asked for`() async throws {
    _ = await refusal { try await hearth.sendPasswordReset(to: "ann@example.com") }
    let error = await refusal {
      try await hearth.waitForLink(to: "ann@example.com", within: .milliseconds(20))
    }
    let message = error?.message ?? ""
    #expect(message.contains("the mailbox of \(hearth.project) is empty"), "\(message)")
    #expect(message.contains("accounts.sendOobCode 400 EMAIL_NOT_FOUND"), "\(message)")
  }

  @Test func `for requests tells which there were`() async throws {
    _ = try await hearth.signInAnonymously()
    for error in [
      await refusal { try await hearth.expectRequests("*.signUp", count: 2) },
      await refusal { try await hearth.waitForRequest("*.token", within: .milliseconds(1)) },
    ] {
      #expect(error?.message.contains("accounts.signUp 200") == true, "\(error?.message ?? "")")
    }
    try await hearth.clearRequests()
    let none = await refusal { try await hearth.expectRequests("*.signUp") }
    #expect(none?.message.contains("has made no requests") == true)
  }
}

extension ProjectClock {
  fileprivate static func standing(at time: Date) throws -> ProjectClock {
    let json = #"{"now": "\#(time.formatted(.iso8601).dropLast()).000Z", "frozen": true}"#
    return try JSONDecoder().decode(ProjectClock.self, from: Data(json.utf8))
  }
}

import HearthCrypto
import HearthServer
import HearthTestSupport
import HearthTime
import HearthWire
import Testing

@Suite struct `Phone numbers` {
  private func session(_ server: TestServer, number: String) async throws -> (
    info: JSON, code: JSON
  ) {
    let sent = try await server.accounts(
      "sendVerificationCode", body: ["phoneNumber": .string(number)])
    let codes = try await server.emulator("GET", path: "verificationCodes")["verificationCodes"]?
      .array
    return (sent["sessionInfo"] ?? "", codes?.last?["code"] ?? "")
  }

  @Test func `sign in with a code that came as a message`() async throws {
    try await TestServer.open { server in
      let (info, code) = try await session(server, number: "+15555550100")
      let sms = try await server.emulator("GET", path: "messages/latest?type=SMS")
      #expect(sms["oobCode"] == code && sms["to"] == "+15555550100")
      let line = "To verify the phone number +15555550100, use the code \(code.string ?? "")."
      #expect(server.log.lines.contains(line))
      let body: JSON = ["sessionInfo": info, "code": code]
      let user = try await server.accounts("signInWithPhoneNumber", body: body)
      #expect(user["isNewUser"] == true)
      let token = claims(user["idToken"])
      #expect(token["phone_number"] == "+15555550100")
      #expect(
        token["firebase"]
          == ["identities": ["phone": ["+15555550100"]], "sign_in_provider": "phone"])
      let again = try await server.accounts("signInWithPhoneNumber", body: body)
      #expect(again.message == "INVALID_SESSION_INFO")
    }
  }

  @Test(
    arguments: [
      (["temporaryProof": "x"], "MISSING_PHONE_NUMBER"),
      (["temporaryProof": "x", "phoneNumber": "+1"], "INVALID_TEMPORARY_PROOF"),
      ([:], "MISSING_SESSION_INFO"), (["sessionInfo": "x"], "MISSING_CODE"),
      (["sessionInfo": "x", "code": "1"], "INVALID_SESSION_INFO"),
      (["tenantId": "t"], "UNSUPPORTED_TENANT_OPERATION"),
    ] as [(JSON, String)])
  func `are refused in the right order`(body: JSON, message: String) async throws {
    try await TestServer.open { server in
      let reply = try await server.accounts("signInWithPhoneNumber", body: body)
      #expect(reply.message == message)
      let sent = try await server.accounts("sendVerificationCode", body: ["phoneNumber": "555"])
      #expect(sent.message == "INVALID_PHONE_NUMBER : Invalid format.")
    }
  }

  @Test func `of somebody else give a proof instead of tokens`() async throws {
    try await TestServer.open { server in
      let first = try await session(server, number: "+1555")
      _ = try await server.accounts(
        "signInWithPhoneNumber", body: ["sessionInfo": first.info, "code": first.code])
      let other = try await server.signUp("a@b.c")
      let second = try await session(server, number: "+1555")
      let conflict = try await server.accounts(
        "signInWithPhoneNumber",
        body: [
          "sessionInfo": second.info, "code": second.code, "idToken": other["idToken"] ?? "",
        ])
      #expect(conflict["idToken"] == nil && conflict["temporaryProofExpiresIn"] == "3600")
      let proof: JSON = [
        "phoneNumber": "+1555", "temporaryProof": conflict["temporaryProof"] ?? "",
      ]
      let signedIn = try await server.accounts("signInWithPhoneNumber", body: proof)
      #expect(signedIn["isNewUser"] == false)
    }
  }

  @Test func `for tests have a fixed code and get no message`() async throws {
    try await TestServer.open { server in
      _ = try await server.adminV2(
        "PATCH", path: "/config?updateMask=signIn.phoneNumber.testPhoneNumbers",
        body: ["signIn": ["phoneNumber": ["testPhoneNumbers": ["+1555": "123456"]]]])
      let (info, _) = try await session(server, number: "+1555")
      let user = try await server.accounts(
        "signInWithPhoneNumber", body: ["sessionInfo": info, "code": "123456"])
      #expect(user["idToken"] != nil)
      #expect(
        try await server.emulator("GET", path: "messages").json == ["messages": [], "total": 0])
    }
  }

  @Test func `expire with their code`() async throws {
    try await TestServer.open { server in
      let (info, code) = try await session(server, number: "+1555")
      server.clock.advance(by: .seconds(600))
      let late = try await server.accounts(
        "signInWithPhoneNumber", body: ["sessionInfo": info, "code": code])
      #expect(late.message == "SESSION_EXPIRED")
    }
  }
}

@Suite struct `Second factors` {
  private func verified(_ server: TestServer) async throws -> JSON {
    _ = try await server.admin(
      "/accounts", body: ["email": "a@b.c", "password": "secret1", "emailVerified": true])
    return try await server.signIn("a@b.c").json
  }

  @Test func `by message are enrolled, asked for and withdrawn`() async throws {
    try await TestServer.open { server in
      let user = try await verified(server)
      let token = user["idToken"] ?? ""
      let start = try await server.v2(
        "accounts/mfaEnrollment:start",
        body: ["idToken": token, "phoneEnrollmentInfo": ["phoneNumber": "+15555550100"]])
      let info = start["phoneSessionInfo"]?["sessionInfo"] ?? ""
      func code() async throws -> JSON {
        try await server.emulator("GET", path: "verificationCodes")["verificationCodes"]?.array?
          .last?[
            "code"] ?? ""
      }
      let enrolled = try await server.v2(
        "accounts/mfaEnrollment:finalize",
        body: [
          "idToken": token, "displayName": "phone",
          "phoneVerificationInfo": ["sessionInfo": info, "code": try await code()],
        ])
      #expect(claims(enrolled["idToken"])["firebase"]?["sign_in_second_factor"] == "phone")

      let pending = try await server.signIn("a@b.c")
      #expect(pending["idToken"] == nil)
      let factor = pending["mfaInfo"]?.array?.first
      #expect(factor?["phoneInfo"] == "+*******0100")
      let credential = pending["mfaPendingCredential"] ?? ""
      let asked = try await server.v2(
        "accounts/mfaSignIn:start",
        body: [
          "mfaPendingCredential": credential,
          "mfaEnrollmentId": factor?["mfaEnrollmentId"] ?? "",
        ])
      let signedIn = try await server.v2(
        "accounts/mfaSignIn:finalize",
        body: [
          "mfaPendingCredential": credential,
          "phoneVerificationInfo": [
            "sessionInfo": asked["phoneResponseInfo"]?["sessionInfo"] ?? "",
            "code": try await code(),
          ],
        ])
      #expect(signedIn.json.object?.keys == ["idToken", "refreshToken"])
      let withdrawn = try await server.v2(
        "accounts/mfaEnrollment:withdraw",
        body: [
          "idToken": signedIn["idToken"] ?? "",
          "mfaEnrollmentId": factor?["mfaEnrollmentId"] ?? "",
        ])
      #expect(withdrawn["expiresIn"] == "3600")
      #expect(try await server.signIn("a@b.c")["idToken"] != nil)
    }
  }

  @Test func `of an authenticator app cannot be guessed for long`() async throws {
    try await TestServer.open { server in
      let user = try await verified(server)
      let start = try await server.v2(
        "accounts/mfaEnrollment:start",
        body: ["idToken": user["idToken"] ?? "", "totpEnrollmentInfo": [:]])
      let info = start["totpSessionInfo"]
      let secret = info?["sharedSecretKey"]?.string ?? ""
      func code() -> JSON {
        .string(RFC6238.code(base32: secret, seconds: server.clock.now.seconds))
      }
      _ = try await server.v2(
        "accounts/mfaEnrollment:finalize",
        body: [
          "idToken": user["idToken"] ?? "", "displayName": "app",
          "totpVerificationInfo": [
            "sessionInfo": info?["sessionInfo"] ?? "", "verificationCode": code(),
          ],
        ])
      try await server.setSwitches(
        ["rateLimits": true, "wrongPasswordLimit": 3, "rateLimitWindow": 60])
      let pending = try await server.signIn("a@b.c")
      func finish(_ code: JSON) async throws -> TestServer.Reply {
        try await server.v2(
          "accounts/mfaSignIn:finalize",
          body: [
            "mfaPendingCredential": pending["mfaPendingCredential"] ?? "",
            "mfaEnrollmentId": pending["mfaInfo"]?.array?.first?["mfaEnrollmentId"] ?? "",
            "totpVerificationInfo": ["verificationCode": code],
          ])
      }
      for _ in 0..<3 { #expect(try await finish("000000").message == "INVALID_CODE") }
      let refusal = try await finish(code()).message
      #expect(refusal == "TOO_MANY_ATTEMPTS_TRY_LATER : Too many wrong codes. Try again later.")
      server.clock.advance(by: .seconds(60))
      #expect(try await finish(code())["idToken"] != nil)
    }
  }

  @Test func `of an authenticator app work once each`() async throws {
    try await TestServer.open { server in
      let user = try await verified(server)
      let start = try await server.v2(
        "accounts/mfaEnrollment:start",
        body: ["idToken": user["idToken"] ?? "", "totpEnrollmentInfo": [:]])
      let info = start["totpSessionInfo"]
      let secret = info?["sharedSecretKey"]?.string ?? ""
      #expect(info?["periodSec"] == 30 && info?["hashingAlgorithm"] == "SHA1")
      func code(_ shift: Int64 = 0) -> JSON {
        .string(RFC6238.code(base32: secret, seconds: server.clock.now.seconds + shift))
      }
      let wrong = try await server.v2(
        "accounts/mfaEnrollment:finalize",
        body: [
          "idToken": user["idToken"] ?? "",
          "totpVerificationInfo": [
            "sessionInfo": info?["sessionInfo"] ?? "", "verificationCode": "x",
          ],
        ])
      #expect(wrong.message == "INVALID_CODE")
      let enrolled = try await server.v2(
        "accounts/mfaEnrollment:finalize",
        body: [
          "idToken": user["idToken"] ?? "", "displayName": "app",
          "totpVerificationInfo": [
            "sessionInfo": info?["sessionInfo"] ?? "", "verificationCode": code(),
          ],
        ])
      #expect(claims(enrolled["idToken"])["firebase"]?["sign_in_second_factor"] == "totp")

      func finish(_ code: JSON) async throws -> TestServer.Reply {
        let pending = try await server.signIn("a@b.c")
        let factor = pending["mfaInfo"]?.array?.first
        #expect(factor?["totpInfo"] == [:])
        return try await server.v2(
          "accounts/mfaSignIn:finalize",
          body: [
            "mfaPendingCredential": pending["mfaPendingCredential"] ?? "",
            "mfaEnrollmentId": factor?["mfaEnrollmentId"] ?? "",
            "totpVerificationInfo": ["verificationCode": code],
          ])
      }
      // The code that enrolled it is used up; the next one is good, once.
      #expect(try await finish(code()).message == "INVALID_CODE")
      #expect(try await finish(code(30))["idToken"] != nil)
      #expect(try await finish(code(30)).message == "INVALID_CODE")
      server.clock.advance(by: .seconds(120))
      #expect(try await finish(code(-60)).message == "INVALID_CODE")
      #expect(try await finish(code(-30))["idToken"] != nil)
      let all = try await server.admin("/accounts:query")
      #expect(!all.text.contains(secret))
    }
  }

  @Test(
    arguments: [
      ([:], "MISSING_ID_TOKEN"), (["idToken": "x"], "INVALID_ID_TOKEN"),
    ] as [(JSON, String)])
  func `are refused in the right order`(body: JSON, message: String) async throws {
    try await TestServer.open { server in
      for verb in ["start", "finalize", "withdraw"] {
        let reply = try await server.v2("accounts/mfaEnrollment:\(verb)", body: body)
        #expect(reply.message == message)
      }
      let start = try await server.v2("accounts/mfaSignIn:start")
      #expect(
        start.message
          == "MISSING_MFA_PENDING_CREDENTIAL : Request does not have MFA pending credential.")
      let finalize = try await server.v2("accounts/mfaSignIn:finalize")
      #expect(
        finalize.message == "MISSING_CREDENTIAL : Please set MFA Pending Credential.")
      let unverified = try await server.signUp("u@b.c")
      let enroll = try await server.v2(
        "accounts/mfaEnrollment:start", body: ["idToken": unverified["idToken"] ?? ""])
      #expect(enroll.message?.hasPrefix("UNVERIFIED_EMAIL : ") == true)
    }
  }
}

/// The published algorithm, written a second time so that the first one has something to agree with.
enum RFC6238 {
  static func code(base32: String, seconds: Int64) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
    let bits = base32.compactMap { alphabet.firstIndex(of: $0) }.flatMap { value in
      (0..<5).reversed().map { value >> $0 & 1 }
    }
    let key = stride(from: 0, to: bits.count - 7, by: 8).map { start in
      UInt8(bits[start..<start + 8].reduce(0) { $0 * 2 + $1 })
    }
    let counter = withUnsafeBytes(of: (seconds / 30).bigEndian) { Array($0) }
    let mac = Digest.sha1.hmac(counter, key: key)
    let offset = Int(mac[19] % 16)
    let number = mac[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
    let text = String(number % 1_000_000)
    return String(repeating: "0", count: 6 - text.count) + text
  }
}

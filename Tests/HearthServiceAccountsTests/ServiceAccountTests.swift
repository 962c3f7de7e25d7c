import Foundation
import HearthCrypto
import HearthServiceAccounts
import HearthTestSupport
import HearthTime
import HearthTokens
import HearthWire
import Testing

@Suite struct `Service accounts` {
  private static let now = Timestamp(seconds: 1_800_000_000)

  /// One for all tests: making a key takes longer than the tests.
  private static let shared = Result { try ServiceAccount.generate(project: "demo-a", now: now) }

  @Test func `a file has Google's fields, is private, and is read again`() throws {
    let account = try Self.shared.get()
    try withTemporaryFolder { folder in
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let path = folder + "/key.json"
      let json = try ServiceAccountFile(account).json()
      try ServiceAccountFile.write(json, to: path)
      #expect(
        json.object?.keys == [
          "type", "project_id", "private_key_id", "private_key", "client_email", "client_id",
          "auth_uri", "token_uri", "auth_provider_x509_cert_url", "client_x509_cert_url",
          "universe_domain",
        ])
      #expect(json["client_email"] == "hearth-admin@demo-a.iam.gserviceaccount.com")
      #expect(json["private_key_id"]?.string?.count == 40)
      #expect(json["private_key"]?.string?.hasPrefix("-----BEGIN PRIVATE KEY-----\n") == true)
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
      #expect(mode as? Int == 0o600)
      let read = try ServiceAccountFile(reading: path, now: Self.now)
      #expect(read.account.keyID == account.keyID && read.account.email == account.email)
      #expect(read.tokenURI == ServiceAccountFile.googleTokenURI)
      #expect(try read.account.refreshToken() == account.refreshToken())
      #expect(throws: ServiceAccountError.self) { try ServiceAccountFile.write(json, to: path) }
    }
  }

  @Test(arguments: [
    "", "{}", #"{"type":"authorized_user"}"#, #"{"type":"service_account"}"#,
    #"{"type":"service_account","project_id":"p","client_email":"e","private_key_id":"k","private_key":"x"}"#,
  ])
  func `a file of another form is refused`(_ text: String) throws {
    try withTemporaryFolder { folder in
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let path = folder + "/key.json"
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      #expect(throws: ServiceAccountError.self) {
        try ServiceAccountFile(reading: path, now: Self.now)
      }
    }
  }

  // MARK: Assertions

  private static func claims(_ account: ServiceAccount) -> JSONObject {
    JSONObject([
      "iss": .string(account.email), "sub": .string(account.email), "aud": "https://a.example/",
      "iat": .int(now.seconds), "exp": .int(now.seconds + 3600),
    ])
  }

  private func refusal(
    _ text: String, acceptsAny: Bool = false, at times: [Timestamp] = [now]
  ) throws -> Assertion.Refusal? {
    let account = try Self.shared.get()
    do throws(Assertion.Refusal) {
      _ = try Assertion(text, by: account, acceptsAny: acceptsAny, at: times)
      return nil
    } catch {
      return error
    }
  }

  @Test func `an assertion is verified`() throws {
    let account = try Self.shared.get()
    let claims = Self.claims(account)
    let token = try account.sign(claims)
    #expect(try refusal(token) == nil)
    #expect(try refusal(String(token.dropLast(4)) + "AAAA") == .signature)
    #expect(try refusal(JWT.unsigned(claims)) == .algorithm)
    let foreign = try ServiceAccount.generate(project: "demo-a", now: Self.now)
    #expect(try refusal(foreign.sign(claims)) == .foreignKey)
    #expect(try refusal(foreign.sign(claims), acceptsAny: true) == nil)
    // Another key under our key's id.
    let disguised = try JWT.signed(claims, by: foreign.key, keyID: account.keyID)
    #expect(try refusal(disguised, acceptsAny: true) == .signature)
    var other = claims
    other["iss"] = "somebody@else.iam.gserviceaccount.com"
    #expect(try refusal(account.sign(other)) == .issuer)
    other["iss"] = "https://securetoken.google.com/demo-a"
    for acceptsAny in [false, true] {
      #expect(try refusal(foreign.sign(other), acceptsAny: acceptsAny) == .userToken)
    }
  }

  @Test(arguments: [
    (-3600, 0, Assertion.Refusal.expired), (-7200, -3600, .expired), (301, 3901, .notYetValid),
    (0, 3601, .longLived), (0, 0, .longLived), (10, 5, .longLived),
  ])
  func `times are checked`(_ issued: Int, _ expiry: Int, _ expected: Assertion.Refusal) throws {
    let account = try Self.shared.get()
    var claims = Self.claims(account)
    claims["iat"] = .int(Self.now.seconds + Int64(issued))
    claims["exp"] = .int(Self.now.seconds + Int64(expiry))
    #expect(try refusal(account.sign(claims)) == expected)
  }

  @Test func `one of several times is enough`() throws {
    let account = try Self.shared.get()
    let later = Timestamp(seconds: Self.now.seconds + 86400)
    let token = try account.sign(Self.claims(account))
    #expect(try refusal(token, at: [later]) == .expired)
    #expect(try refusal(token, at: [later, Self.now]) == nil)
  }

  /// Whatever it is, it is refused, and nothing breaks.
  @Test func `damaged assertions are refused`() throws {
    let account = try Self.shared.get()
    let token = try account.sign(Self.claims(account))
    var random = SplitMix(seed: 19)
    for _ in 0..<2000 {
      var bytes = Array(token.utf8)
      for _ in 0..<random.number(1...4) {
        let place = random.number(0...bytes.count - 1)
        switch random.number(0...3) {
        case 0: bytes[place] = UInt8(random.number(0...127))
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(UInt8(random.number(0...127)), at: place)
        default: bytes.removeLast(min(bytes.count - 1, random.number(1...200)))
        }
      }
      let damaged = String(decoding: bytes, as: UTF8.self)
      let isSame = JWT(damaged).map { $0.signingInput == JWT(token)?.signingInput } ?? false
      if !isSame { #expect(try refusal(damaged) != nil, "\(damaged)") }
    }
    for text in ["", ".", "..", "...", "a.b.c", "e30.e30.", "e30.e30.e30", "\u{0}.\u{0}.\u{0}"] {
      #expect(try refusal(text, acceptsAny: true) != nil)
    }
  }

  // MARK: Access tokens

  @Test func `access tokens are remembered until they expire or are revoked`() {
    let tokens = AccessTokens()
    let expires = Timestamp(seconds: Self.now.seconds + 10)
    let token = tokens.issue(to: "a@b", scope: "s", expires: expires)
    #expect(tokens.token(token, at: Self.now)?.scope == "s")
    #expect(tokens.token(token, at: expires) == nil)
    #expect(tokens.token("ya29.other", at: Self.now) == nil)
    #expect(tokens.revoke(token) && !tokens.revoke(token))
    #expect(tokens.token(token, at: Self.now) == nil)
  }

  @Test func `access tokens keep a bounded part of long texts`() {
    let tokens = AccessTokens()
    let long = "a" + String(repeating: "\u{301}", count: 100_000)
    let expires = Timestamp(seconds: Self.now.seconds + 10)
    let token = tokens.issue(to: long, scope: long, expires: expires)
    let kept = tokens.token(token, at: Self.now)
    #expect((kept?.scope.utf8.count ?? 0) < 1000 && (kept?.email.utf8.count ?? 0) < 1000)
  }

  @Test func `of too many access tokens the oldest are forgotten`() {
    let tokens = AccessTokens()
    let expires = Timestamp(seconds: Self.now.seconds + 10)
    let first = tokens.issue(to: "a@b", scope: "", expires: expires)
    var last = first
    for _ in 0..<10_000 { last = tokens.issue(to: "a@b", scope: "", expires: expires) }
    #expect(tokens.token(first, at: Self.now) == nil)
    #expect(tokens.token(last, at: Self.now) != nil)
  }
}

import HearthCrypto
import HearthErrors
import HearthOperations
import HearthWire
import Testing

@testable import HearthIdentityToolkit

@Suite struct `A hash of a password` {
  private func imported(
    _ hash: String, salt: String? = nil, foreign: ForeignHash? = nil
  ) -> PasswordHash {
    PasswordHash(importing: hash, salt: salt, foreign: foreign, random: Randomness())
  }

  @Test func `fits its password only, and is never the same`() {
    let hash = PasswordHash(hashing: "secret1", Randomness())
    #expect(hash.matches("secret1") && !hash.matches("secret2") && !hash.matches(""))
    #expect(hash != PasswordHash(hashing: "secret1", Randomness()))
    // Not normalised.
    #expect(!PasswordHash(hashing: "\u{E9}", Randomness()).matches("e\u{301}"))
  }

  /// What the official emulator exports has the password in it.
  @Test(arguments: [
    ("fakeHash:salt=s:password=secret1", "s", true),
    ("fakeHash:salt=s:password=secret1", "other", false),
    ("fakeHash:salt=s:password=secret1", nil, false),
    ("fakeHash:salt=:password=secret1", "", false), ("fakeHash:salt=", "s", false),
  ])
  func `in clear text is hashed`(hash: String, salt: String?, matches: Bool) {
    let imported = imported(hash, salt: salt)
    #expect(imported.matches("secret1") == matches)
    #expect(!imported.hash.contains("secret1") && imported.foreign == nil)
  }

  @Test func `in clear text may begin with a mark that joins the equals sign`() {
    #expect(imported("fakeHash:salt=s:password=\u{301}abc", salt: "s").matches("\u{301}abc"))
  }

  @Test func `of ours stays ours, whatever the import says`() throws {
    let ours = PasswordHash(hashing: "secret1", Randomness())
    let foreign = try ForeignHash(JSONObject(["hashAlgorithm": "MD5"]))
    let again = imported(ours.hash, salt: ours.salt, foreign: foreign)
    #expect(again == ours && again.matches("secret1"))
  }

  @Test(arguments: ["", "not base64!", "aGFzaA=="])
  func `that is not a hash matches nothing`(hash: String) {
    #expect(!PasswordHash(hash: hash, salt: "c2FsdA==").matches(""))
    #expect(!PasswordHash(hash: hash, salt: "c2FsdA==").matches("hash"))
  }
}

@Suite struct `A hash from elsewhere` {
  private struct Sample: Sendable, CustomTestStringConvertible {
    let algorithm: String
    var parameters: JSON = [:]
    var salt = "c2FsdA=="
    let hash: String
    var password = "secret1"

    var testDescription: String { "\(algorithm) \(parameters.text)" }
  }

  private static let keyed: JSON = ["signerKey": "a2V5"]

  /// Made with Python's hashlib; the salt is `salt`, the key `key`.
  private static let samples = [
    Sample(algorithm: "MD5", hash: "j+xfphtze310JBKTDRJJ5A=="),
    Sample(algorithm: "MD5", hash: "OGZlYzVmYTYxYjczN2I3ZDc0MjQxMjkzMGQxMjQ5ZTQ="),
    Sample(algorithm: "sha1", hash: "74akD3yHfGjJtgL+SN8ucCs1klQ="),
    Sample(
      algorithm: "SHA512",
      hash:
        "RX2q+UnUWtyp2cacNpEyQRZ7r+4puQWB8ehEpKs/l73Yb9rwuTe0e+Cc4jaJqY4H30lTKkAn4NWsy5mZnIT02g=="
    ),
    Sample(
      algorithm: "SHA256", parameters: ["saltSeparator": "LQ=="],
      hash: "IWJgV58DiQyA9P7US7Vf9JEDlqKYxsbwOvP4PJGy1hk="),
    Sample(
      algorithm: "SHA256",
      parameters: [
        "saltSeparator": "LQ==", "rounds": 3, "passwordHashOrder": "PASSWORD_AND_SALT",
      ], hash: "hoj8HP9sLZfkpwulRMRGunkSXhJ5/a9c2zsii2ZV4yg="),
    Sample(algorithm: "HMAC_MD5", parameters: keyed, hash: "I3hOLaUORajLekF4AZmrwQ=="),
    Sample(algorithm: "HMAC_SHA1", parameters: keyed, hash: "EhGPJdgfimbMG+RLEF07uiP5AWA="),
    Sample(
      algorithm: "HMAC_SHA256", parameters: keyed,
      hash: "A6ppsaWzkZ0TBY9Dlj1DLWPfg4DOZkEa0mOmsso0i0s="),
    Sample(
      algorithm: "HMAC_SHA512", parameters: keyed,
      hash:
        "sAv6YnMi6u3JORIM1BmGLd5T7F7obr4zw3HLaBkai5P4uLPkZGs+DxtW947D5X9LJWPMOmN2/xAAfHfdzKf2TQ=="
    ),
    Sample(
      algorithm: "PBKDF_SHA1", parameters: ["rounds": 1000], hash: "rTcNWoGg6h1yauaCWWkBuXKJqDg="),
    Sample(
      algorithm: "PBKDF2_SHA256", parameters: ["rounds": 1000],
      hash: "82spwlSfju7O8KUYynUyLhs1ZpDtYZbgyDHnol9kMTs="),
    // RFC 7914, the second of its examples.
    Sample(
      algorithm: "STANDARD_SCRYPT",
      parameters: ["cpuMemCost": 1024, "blockSize": 8, "parallelization": 16, "dkLen": 64],
      salt: "TmFDbA==",
      hash:
        "/bq+HJ00cgB4VucZDQHp/nxq18vII3gw53N2Y0s3MWIurzDZLiKjiG/xCSedmDDaxyevuUqD7m2DYMvfoswGQA==",
      password: "password"),
  ]

  @Test(arguments: samples)
  private func `is verified`(sample: Sample) throws {
    var request = sample.parameters.object ?? JSONObject()
    request.append("hashAlgorithm", value: .string(sample.algorithm))
    let foreign = try #require(try ForeignHash(request))
    #expect(foreign.matches(sample.password, hash: sample.hash, salt: sample.salt))
    #expect(!foreign.matches(sample.password + "x", hash: sample.hash, salt: sample.salt))
    #expect(!foreign.matches(sample.password, hash: sample.hash, salt: "cGVwcGVy"))
    // As it is stored with a user.
    let stored = try #require(ForeignHash(stored: .object(foreign.parameters)))
    #expect(stored == foreign)
  }

  @Test(arguments: [
    ("SALT_AND_PASSWORD", false), ("PASSWORD_AND_SALT", true), ("UNSPECIFIED_ORDER", true),
  ])
  func `has an order of password and salt`(order: String, matches: Bool) throws {
    let foreign = try #require(
      try ForeignHash(
        JSONObject([
          "hashAlgorithm": "SHA256", "saltSeparator": "LQ==", "passwordHashOrder": .string(order),
        ])))
    let hash = "IWJgV58DiQyA9P7US7Vf9JEDlqKYxsbwOvP4PJGy1hk="
    #expect(foreign.matches("secret1", hash: hash, salt: "c2FsdA==") == matches)
  }

  @Test(
    arguments: [
      (["hashAlgorithm": "ROT13"], .invalidHashAlgorithm),
      (["hashAlgorithm": "ARGON2"], .invalidHashParameter),
      (["hashAlgorithm": "HMAC_MD5"], .missingSignerKey),
      (["hashAlgorithm": "SCRYPT"], .missingSignerKey),
      (["hashAlgorithm": "SCRYPT", "signerKey": "a2V5", "rounds": 9], .invalidHashParameter),
      (["hashAlgorithm": "SCRYPT", "signerKey": "a2V5", "memoryCost": 15], .invalidHashParameter),
      (["hashAlgorithm": "MD5", "rounds": 8193], .invalidHashParameter),
      (["hashAlgorithm": "MD5", "rounds": -1], .invalidHashParameter),
      (["hashAlgorithm": "PBKDF_SHA1", "rounds": 120_001], .invalidHashParameter),
      (["hashAlgorithm": "STANDARD_SCRYPT", "cpuMemCost": 1000], .invalidHashParameter),
      (["hashAlgorithm": "STANDARD_SCRYPT", "dkLen": 1025], .invalidHashParameter),
    ] as [(JSON, ErrorCode)])
  func `has parameters within bounds`(request: JSON, code: ErrorCode) {
    var found: ErrorCode?
    do throws(APIError) { _ = try ForeignHash(request.object ?? JSONObject()) } catch {
      found = error.code
    }
    #expect(found == code)
  }

  @Test(arguments: [[:], ["hashAlgorithm": ""], ["rounds": 1]] as [JSON])
  func `needs an algorithm`(request: JSON) throws {
    #expect(try ForeignHash(request.object ?? JSONObject()) == nil)
  }

  @Test func `without its key matches nothing`() throws {
    let foreign = try #require(
      try ForeignHash(JSONObject(["hashAlgorithm": "HMAC_MD5"]), needsKey: false))
    #expect(foreign.lacksKey)
    #expect(!foreign.matches("secret1", hash: "I3hOLaUORajLekF4AZmrwQ==", salt: "c2FsdA=="))
  }
}

/// What a dialect does with an imported account: an attempt, a check beside the store, an attempt.
@Suite struct `Slow checks of passwords` {
  private let pool = WorkPool("test", threads: 1, places: 8)

  private func stored() throws -> PasswordHash {
    PasswordHash(
      hash: "74akD3yHfGjJtgL+SN8ucCs1klQ=", salt: "c2FsdA==",
      foreign: try ForeignHash(JSONObject(["hashAlgorithm": "SHA1"])))
  }

  @Test(arguments: [("secret1", true), ("secret2", false)])
  func `are made between two attempts`(password: String, isRight: Bool) async throws {
    let (checks, stored) = (SlowPasswordChecks(), try stored())
    #expect(throws: APIError.self) { try checks.isRight(password, stored: stored) }
    #expect(try await checks.makeWanted(on: pool))
    #expect(try checks.isRight(password, stored: stored) == isRight)
    // It is not made twice.
    #expect(try await !checks.makeWanted(on: pool))
  }

  @Test func `are of one password and one hash`() async throws {
    let (checks, stored) = (SlowPasswordChecks(), try stored())
    #expect(throws: APIError.self) { try checks.isRight("\u{E9}", stored: stored) }
    #expect(try await checks.makeWanted(on: pool))
    #expect(throws: APIError.self) { try checks.isRight("e\u{301}", stored: stored) }
    let other = PasswordHash(hash: "AAAA", salt: stored.salt, foreign: stored.foreign)
    #expect(throws: APIError.self) { try checks.isRight("\u{E9}", stored: other) }
  }
}

import HearthErrors
import HearthWire
import Testing

@testable import HearthIdentityToolkit

@Suite struct `A password policy` {
  private static func config(_ options: JSON) -> JSON {
    ["passwordPolicyVersions": [["customStrengthOptions": options]]]
  }

  private static let characters = "Password must contain "

  @Test(
    arguments: [
      ([:], "secret", []), ([:], "short", ["Password must contain at least 6 characters"]),
      // Lengths count UTF-16 units.
      ([:], "😀😀😀", []),
      (["minPasswordLength": 8], "1234567", ["Password must contain at least 8 characters"]),
      (["maxPasswordLength": 6], "1234567", ["Password may contain at most 6 characters"]),
      (["containsLowercaseCharacter": true], "SECRET1", [characters + "a lower case character"]),
      (["containsLowercaseCharacter": false], "SECRET1", []),
      (["containsLowercaseCharacter": true], "É1234é", []),
      (["containsUppercaseCharacter": true], "secret1", [characters + "an upper case character"]),
      (["containsNumericCharacter": true], "secret", [characters + "a numeric character"]),
      (["containsNumericCharacter": true], "secret１½", [characters + "a numeric character"]),
      (
        ["containsNonAlphanumericCharacter": true], "secret§",
        [characters + "a non-alphanumeric character"]
      ),
      (["containsNonAlphanumericCharacter": true], "secret ", []),
      (
        [
          "containsNumericCharacter": true, "containsUppercaseCharacter": true,
          "minPasswordLength": 10,
        ], "secret",
        [
          "Password must contain at least 10 characters", characters + "an upper case character",
          characters + "a numeric character",
        ]
      ),
    ] as [(JSON, String, [String])])
  func `names all that a password lacks`(options: JSON, password: String, missing: [String]) {
    #expect(PasswordPolicy(Self.config(options)).missing(in: password) == missing)
  }

  @Test func `is not enforced until it says so`() {
    #expect(!PasswordPolicy(nil).isEnforced)
    #expect(!PasswordPolicy(["passwordPolicyEnforcementState": "OFF"]).isEnforced)
    let policy = PasswordPolicy([
      "passwordPolicyEnforcementState": "ENFORCE", "forceUpgradeOnSignin": true,
    ])
    #expect(policy.isEnforced && policy.forcesUpgradeOnSignIn)
    #expect(policy.json["enforcementState"] == "ENFORCE")
    #expect(
      policy.json["customStrengthOptions"]?.object?.keys == [
        "minPasswordLength", "maxPasswordLength",
      ])
  }

  @Test(
    arguments: [
      ([:], nil), (["minPasswordLength": 6], nil), (["minPasswordLength": 30], nil),
      (["minPasswordLength": 5], "Minimum password length must be between 6 and 30"),
      (["minPasswordLength": 31], "Minimum password length must be between 6 and 30"),
      (["maxPasswordLength": 4096], nil),
      (
        ["maxPasswordLength": 4097], "Maximum password length must be less than or equal to 4096"
      ),
      (
        ["maxPasswordLength": 5],
        "Maximum password length must be greater than or equal to the minimum password length"
      ),
      (
        ["minPasswordLength": 12, "maxPasswordLength": 11],
        "Maximum password length must be greater than or equal to the minimum password length"
      ),
    ] as [(JSON, String?)])
  func `is checked before it is stored`(options: JSON, refusal: String?) {
    var found: APIError?
    do throws(APIError) { try PasswordPolicy.check(Self.config(options)) } catch { found = error }
    #expect(found == refusal.map { APIError(.invalidConfig, detail: $0) })
  }
}

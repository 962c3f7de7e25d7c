import HearthWire
import Testing

@testable import HearthIdentityToolkit

@Suite struct `Production's second factors` {
  @Test(
    arguments: [
      ("+1 650-555-0104", "+16505550104"), ("+1650555ABCD", "+16505552223"),
      ("+1 (650) 555.0104", "+16505550104"), ("16505550104", nil), ("+0123456789", nil),
      ("+123456", nil), ("+1234567890123456", nil), ("not-a-number", nil), ("+", nil), ("", nil),
      ("+1650555é123", nil),
    ] as [(String, String?)])
  func `have numbers in one form`(given: String, number: String?) {
    #expect(PhoneNumber(normalizing: given)?.text == number)
  }

  @Test func `are on where a project says nothing`() {
    let factors = ProjectFactors(JSONObject())
    #expect(factors.isOn && factors.allowsSMS && factors.allowsTotp)
    #expect(factors.adjacentIntervals == 5)
  }

  @Test(
    arguments: [
      (["state": "DISABLED", "enabledProviders": ["PHONE_SMS"]], false, false, false),
      (["state": "ENABLED"], true, false, false),
      (["state": "MANDATORY", "enabledProviders": ["PHONE_SMS"]], true, true, false),
      (
        [
          "state": "ENABLED",
          "providerConfigs": [["state": "ENABLED", "totpProviderConfig": [:]]],
        ], true, false, true
      ),
      (
        [
          "state": "ENABLED",
          "providerConfigs": [["state": "DISABLED", "totpProviderConfig": [:]]],
        ], true, false, false
      ),
    ] as [(JSON, Bool, Bool, Bool)])
  func `are those that a project lists`(config: JSON, isOn: Bool, sms: Bool, totp: Bool) {
    let factors = ProjectFactors(JSONObject(["mfa": config]))
    #expect(factors.isOn == isOn)
    #expect(factors.allowsSMS == sms)
    #expect(factors.allowsTotp == totp)
  }
}

@Suite struct `Production's configurations` {
  @Test func `leave out what is off or empty, and keep messages`() {
    let stored: JSON = [
      "on": true, "off": false, "zero": 0, "text": "", "list": [], "message": [:],
      "inner": ["off": false, "on": 1], "nothing": .null,
    ]
    #expect(stored.withoutDefaults == ["on": true, "message": [:], "inner": ["on": 1]])
  }

  @Test func `are changed and cleared by a mask`() {
    let stored = JSONObject(["a": ["b": 1, "c": 2], "d": 3])
    let update = JSONObject(["a": ["b": 5, "c": 6], "e": 7])
    let mask = FieldMask("a.b,d,e")
    #expect(mask.replace(in: stored, from: update) == JSONObject(["a": ["b": 5, "c": 2], "e": 7]))
    let cleared = mask.replace(in: stored, from: update, cleared: .null)
    #expect(cleared["d"] == .null)
  }
}

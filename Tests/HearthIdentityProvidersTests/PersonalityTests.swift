import HearthCrypto
import HearthErrors
import HearthIdentityProviders
import HearthTestSupport
import HearthWire
import Testing

@Suite struct `Personalities` {
  @Test(arguments: Personality.all.map(\.name))
  func `have a name of their own`(name: String) {
    #expect(Personality.all.filter { $0.name == name }.count == 1)
    #expect(Personality.named(name)?.name == name)
  }

  @Test(arguments: [
    ("accounts.google.com", "/o/oauth2/v2/auth", "/idp/google/authorize"),
    ("oauth2.googleapis.com", "/token", "/idp/google/token"),
    ("accounts.google.com", "/o/oauth2/token", "/idp/google/token"),
    ("www.googleapis.com", "/oauth2/v4/token", "/idp/google/token"),
    ("appleid.apple.com", "/auth/keys", "/idp/apple/jwks"),
    (
      "login.microsoftonline.com", "/common/v2.0/.well-known/openid-configuration",
      "/idp/microsoft/common/v2.0/.well-known/openid-configuration"
    ),
    (
      "login.microsoftonline.com", "/a/discovery/v2.0/keys",
      "/idp/microsoft/a/discovery/v2.0/keys"
    ),
    ("api.github.com", "/user/emails", "/idp/github/emails"),
    ("api.github.com", "/repos/a/b", nil), ("github.com", "/a/b.git/info/refs", nil),
    ("example.com", "/token", nil),
  ])
  func `answer at their own hosts, for their own paths`(host: String, path: String, own: String?) {
    #expect(ProviderHosts.path(of: host, path) == own)
  }

  @Test(arguments: [
    ("/token", "grant_type=authorization_code&code=1", true),
    ("/token", "grant_type=refresh_token&refresh_token=1//0hearth-a", true),
    ("/token", "grant_type=refresh_token&refresh_token=1//hearth-a", false),
    ("/token", "grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer", false),
    ("/tokeninfo", "id_token=a", true), ("/tokeninfo", "access_token=ya29.hearth-a", false),
    ("/revoke", "token=ya29.a0hearth-a", true), ("/oauth2/v3/certs", "", false),
  ])
  func `leave service accounts what is theirs`(path: String, form: String, isPerson: Bool) {
    let fields = FormFields(parsing: form)
    #expect(ProviderHosts.isAboutPerson(path, fields: fields) == isPerson)
  }

  @Test func `have addresses of the port or of the host`() throws {
    let google = try #require(Personality.named("google"))
    let here = ProviderAddresses(
      google, base: "http://127.0.0.1:9099", project: nil, tenant: nil)
    #expect(here.issuer == "http://127.0.0.1:9099/idp/google")
    #expect(here[.token] == "http://127.0.0.1:9099/idp/google/token")
    let there = ProviderAddresses(
      google, base: "https://accounts.google.com", project: nil, tenant: nil)
    #expect(there.issuer == "https://accounts.google.com")
    #expect(there[.token] == "https://oauth2.googleapis.com/token")
  }
}

@Suite struct `Personas` {
  @Test(
    arguments: [
      (["email": 1], "/email must be a string"), (["denies": "x"], "/denies must be a boolean"),
      (["groups": ["a", 1]], "/groups must be a list of strings"),
      (["claims": []], "/claims must be an object"),
    ] as [(JSON, String)])
  func `are refused with the member that is wrong`(record: JSON, words: String) {
    let object = record.object ?? JSONObject()
    let error = #expect(throws: APIError.self) { try Persona("ada", record: object) }
    #expect(error?.message.contains(words) == true)
  }

  @Test func `come back as they were put`() throws {
    let record = JSONObject([
      "email": "a@b.c", "emailVerified": false, "displayName": "Ada", "groups": ["x"],
      "claims": .members(["a": 1]), "denies": true,
    ])
    #expect(try Persona("ada", record: record).record == record)
  }

  /// Whatever is put, it is either refused or read again as it was.
  @Test func `survive any record`() throws {
    var random = SplitMix(seed: 32)
    let names = ["email", "emailVerified", "groups", "claims", "denies", "subject", "nobody"]
    let values: [JSON] = [
      "", "x", true, false, 1, .null, [], ["a"], [1], [:], ["a": ["b": .null]],
    ]
    for _ in 0..<2000 {
      var record = JSONObject()
      for _ in 0..<Int(random.next() % 4) {
        record[names[Int(random.next() % UInt64(names.count))]] =
          values[Int(random.next() % UInt64(values.count))]
      }
      guard let persona = try? Persona("ada", record: record) else { continue }
      #expect(try Persona("ada", record: persona.record) == persona)
    }
  }
}

@Suite struct `Settings of providers` {
  @Test func `survive any record`() throws {
    var random = SplitMix(seed: 33)
    let names = ["clients", "asksConsent", "fault", "nobody"]
    let values: [JSON] = [
      "", "expired", "none", true, 1, .null, [], [[:]], [["clientId": "a"]],
      [["clientId": "a", "redirectUris": [1]]],
    ]
    for _ in 0..<2000 {
      var record = JSONObject()
      for _ in 0..<Int(random.next() % 4) {
        record[names[Int(random.next() % UInt64(names.count))]] =
          values[Int(random.next() % UInt64(values.count))]
      }
      guard let settings = try? ProviderSettings(record) else { continue }
      #expect(try ProviderSettings(settings.record) == settings)
    }
  }
}

import HearthTestSupport
import HearthTime
import HearthWire
import Testing

@Suite struct `Identity providers` {
  private func signIn(
    _ server: TestServer, provider: String, idToken: JSON, extra: JSON = [:]
  ) async throws -> TestServer.Reply {
    let post = FormFields([
      .init(name: "providerId", value: provider), .init(name: "id_token", value: idToken.text),
    ])
    var body = JSONObject(["requestUri": "http://localhost", "postBody": .string(post.text)])
    body.merge(extra.object ?? JSONObject())
    return try await server.accounts("signInWithIdp", body: .object(body))
  }

  @Test(
    arguments: [
      ([:], "MISSING_REQUEST_URI"), (["requestUri": "nope"], "INVALID_REQUEST_URI"),
      (
        ["requestUri": "http://localhost"],
        "INVALID_CREDENTIAL_OR_PROVIDER_ID : Invalid IdP response/credential: http://localhost/"
      ),
      (["requestUri": "http://localhost?providerId=google.com"], nil),
      (
        ["requestUri": "http://localhost?providerId=google.com&id_token={}"],
        """
        INVALID_IDP_RESPONSE : Invalid Idp Response: id_token missing required fields. ((Missing \
        "sub" field. This field is required and must be a unique identifier.))
        """
      ),
      (
        ["requestUri": "http://localhost?providerId=a&id_token={\"sub\":1}"],
        "INVALID_IDP_RESPONSE : ((The \"sub\" field must be a string.))"
      ),
      (
        [
          "requestUri":
            "http://localhost?providerId=saml.a&id_token={\"sub\":\"1\"}&SAMLResponse={}"
        ],
        "INVALID_IDP_RESPONSE ((Missing assertion in SAMLResponse.))"
      ),
    ] as [(JSON, String?)])
  func `are refused in the right order`(body: JSON, message: String?) async throws {
    try await TestServer.open { server in
      let reply = try await server.accounts("signInWithIdp", body: body)
      if let message { #expect(reply.message == message) } else { #expect(reply.status == 501) }
    }
  }

  @Test func `make accounts, and know them again`() async throws {
    try await TestServer.open { server in
      let claimed: JSON = [
        "sub": "g1", "email": "Ann@Example.com", "email_verified": true, "name": "Ann",
        "given_name": "A",
      ]
      let first = try await signIn(server, provider: "google.com", idToken: claimed)
      #expect(first["isNewUser"] == true)
      #expect(first["federatedId"] == "https://accounts.google.com/g1")
      #expect(first["email"] == "ann@example.com" && first["firstName"] == "A")
      #expect(first["oauthAccessToken"] == "FirebaseAuthEmulatorFakeAccessToken_google.com")
      #expect(claims(first["idToken"])["firebase"]?["sign_in_provider"] == "google.com")
      #expect(
        claims(first["idToken"])["firebase"]?["identities"]
          == ["email": ["ann@example.com"], "google.com": ["g1"]])
      let second = try await signIn(server, provider: "GOOGLE.com", idToken: claimed)
      #expect(second["localId"] == first["localId"] && second["isNewUser"] == nil)
    }
  }

  @Test func `merge by a verified address, and push out who did not prove it`() async throws {
    try await TestServer.open { server in
      let owner = try await server.signUp("a@b.c")
      server.clock.advance(by: .seconds(5))
      let merged = try await signIn(
        server, provider: "google.com",
        idToken: ["sub": "g1", "email": "a@b.c", "email_verified": true])
      #expect(merged["localId"] == owner["localId"])
      #expect(try await server.signIn("a@b.c").message == "INVALID_PASSWORD")
      let old = try await server.accounts("lookup", body: ["idToken": owner["idToken"] ?? ""])
      #expect(old.message == "TOKEN_EXPIRED")
    }
  }

  @Test func `need confirmation where the address is not verified`() async throws {
    try await TestServer.open { server in
      let owner = try await server.signUp("a@b.c")
      let reply = try await signIn(
        server, provider: "facebook.com", idToken: ["sub": "f1", "email": "a@b.c"])
      #expect(reply["needConfirmation"] == true && reply["idToken"] == nil)
      #expect(reply["localId"] == owner["localId"] && reply["verifiedProvider"] == [])
    }
  }

  @Test func `are linked to an account, and to one only`() async throws {
    try await TestServer.open { server in
      let user = try await server.signUp("a@b.c")
      let link: JSON = ["idToken": user["idToken"] ?? ""]
      let linked = try await signIn(
        server, provider: "github.com", idToken: ["sub": "h1"], extra: link)
      #expect(linked["localId"] == user["localId"] && linked["isNewUser"] == nil)
      let again = try await signIn(
        server, provider: "github.com", idToken: ["sub": "h1"], extra: link)
      #expect(again.message == "FEDERATED_USER_ID_ALREADY_LINKED")
      var soft = link.object ?? JSONObject()
      soft.append("returnIdpCredential", value: true)
      let softened = try await signIn(
        server, provider: "github.com", idToken: ["sub": "h1"], extra: .object(soft))
      #expect(softened.status == 200)
      #expect(softened["errorMessage"] == "FEDERATED_USER_ID_ALREADY_LINKED")
      #expect(softened["localId"] == nil)
    }
  }
}

@Suite struct `Tenants and settings` {
  @Test func `are made, listed, changed and deleted`() async throws {
    try await TestServer.open { server in
      let made = try await server.adminV2("POST", path: "/tenants", body: ["displayName": "one"])
      #expect(made["allowPasswordSignup"] == false)
      #expect(made["mfaConfig"] == ["state": "DISABLED", "enabledProviders": []])
      let id = made["tenantId"]?.string ?? ""
      #expect(made["name"] == .string("projects/demo-hearth/tenants/\(id)"))
      let refused = try await server.accounts(
        "signUp", body: ["email": "a@b.c", "password": "secret1", "tenantId": .string(id)])
      #expect(refused.message == "OPERATION_NOT_ALLOWED")
      let changed = try await server.adminV2(
        "PATCH", path: "/tenants/\(id)?updateMask=allowPasswordSignup",
        body: ["allowPasswordSignup": true])
      #expect(changed["displayName"] == "one" && changed["allowPasswordSignup"] == true)
      let user = try await server.accounts(
        "signUp", body: ["email": "a@b.c", "password": "secret1", "tenantId": .string(id)])
      #expect(claims(user["idToken"])["firebase"]?["tenant"] == .string(id))
      let lookup = try await server.accounts("lookup", body: ["idToken": user["idToken"] ?? ""])
      #expect(lookup["users"]?.array?.first?["tenantId"] == .string(id))
      let wrong = try await server.accounts(
        "lookup", body: ["idToken": user["idToken"] ?? "", "tenantId": "other"])
      #expect(wrong.message == "TENANT_ID_MISMATCH")
      #expect(try await server.signIn("a@b.c").message == "EMAIL_NOT_FOUND")
      let list = try await server.adminV2("GET", path: "/tenants?pageSize=2")
      #expect(list["tenants"]?.array?.count == 1 && list["nextPageToken"] == nil)
      #expect(try await server.adminV2("DELETE", path: "/tenants/\(id)").text == "{}")
    }
  }

  @Test func `are settings with masks and defaults`() async throws {
    try await TestServer.open { server in
      let fresh: JSON = [
        "name": "projects/demo-hearth/config",
        "signIn": ["allowDuplicateEmails": false], "blockingFunctions": [:],
        "emailPrivacyConfig": ["enableImprovedEmailPrivacy": false],
      ]
      #expect(try await server.adminV2("GET", path: "/config").json == fresh)
      _ = try await server.adminV2(
        "PATCH", path: "/config?updateMask=emailPrivacyConfig,x.y",
        body: ["emailPrivacyConfig": ["enableImprovedEmailPrivacy": true], "x": ["y": 1]])
      let emulator = try await server.emulator("GET", path: "config")
      #expect(emulator["emailPrivacyConfig"]?["enableImprovedEmailPrivacy"] == true)
      #expect(try await server.emulator("PATCH", path: "config", body: [:]).json == emulator.json)
      #expect(
        try await server.emulator("GET", path: "switches")["emailEnumerationProtection"] == true)
      let reset = try await server.adminV2("PATCH", path: "/config", body: [:])
      #expect(reset["emailPrivacyConfig"]?["enableImprovedEmailPrivacy"] == false)
      let bad = try await server.adminV2(
        "PATCH", path: "/config",
        body: ["blockingFunctions": ["triggers": ["x": ["functionUri": "http://a"]]]])
      #expect(bad.message == "INVALID_BLOCKING_FUNCTION : ((Event type is invalid.))")
    }
  }

  @Test func `may ask for strong passwords`() async throws {
    try await TestServer.open { server in
      let policy: JSON = [
        "passwordPolicyConfig": [
          "passwordPolicyEnforcementState": "ENFORCE",
          "passwordPolicyVersions": [
            ["customStrengthOptions": ["minPasswordLength": 8, "containsNumericCharacter": true]]
          ],
        ]
      ]
      _ = try await server.adminV2(
        "PATCH", path: "/config?updateMask=passwordPolicyConfig", body: policy)
      let shown = try await server.send(
        "GET", path: "/identitytoolkit.googleapis.com/v2/passwordPolicy?key=a")
      #expect(shown["enforcementState"] == "ENFORCE" && shown["schemaVersion"] == 1)
      let weak = try await server.accounts(
        "signUp", body: ["email": "a@b.c", "password": "letters"])
      #expect(
        weak.message
          == "PASSWORD_DOES_NOT_MEET_REQUIREMENTS : Missing password requirements: [Password must "
          + "contain at least 8 characters, Password must contain a numeric character]")
    }
  }

  @Test func `take imports one by one`() async throws {
    try await TestServer.open { server in
      let reply = try await server.admin(
        "/accounts:batchCreate",
        body: [
          "users": [
            [
              "localId": "a", "email": "A@b.c", "passwordHash": "fakeHash:salt=s:password=secret1",
              "salt": "s",
            ],
            ["email": "x@b.c"], ["localId": "b", "email": "nope"],
            ["localId": "c", "email": "a@b.c"], ["localId": "d", "phoneNumber": "1"],
          ]
        ])
      let messages = reply["error"]?.array?.compactMap { $0["message"]?.string }
      #expect(
        messages == [
          "localId is missing", "email is invalid",
          "((Auth Emulator does not support importing duplicate email: a@b.c))",
          "phone number format is invalid",
        ])
      #expect(try await server.signIn("a@b.c").status == 200)
      let all = try await server.send(
        "GET",
        path:
          "/identitytoolkit.googleapis.com/v1/projects/demo-hearth/accounts:batchGet?maxResults=-1",
        headers: [("Authorization", "Bearer owner")])
      #expect(all["users"]?.array?.count == 1 && !all.text.contains("secret1"))
      let gone = try await server.admin("/accounts:batchDelete", body: ["localIds": ["a"]])
      #expect(gone["errors"]?.array?.count == 1)
      #expect(
        try await server.admin("/accounts:batchDelete", body: ["localIds": ["a"], "force": true])
          .text
          == "{}")
      let none = try await server.admin("/accounts:batchDelete", body: ["localIds": []])
      #expect(none.message == "LOCAL_ID_LIST_EXCEEDS_LIMIT")
    }
  }

  @Test func `take many, and answer others beside it`() async throws {
    try await TestServer.open { server in
      let ids = (0..<2000).map { "u\($0)" }
      async let imported = server.admin(
        "/accounts:batchCreate",
        body: ["users": .array(ids.map { ["localId": .string($0)] } + [["email": "nobody"]])])
      // Answered beside it, however far the import is.
      #expect(
        try await server.admin("/accounts:lookup", body: ["localId": ["nobody"]]).status == 200)
      #expect(
        try await imported["error"] == [["index": 2000, "message": "localId is missing"]])
      let found = try await server.admin(
        "/accounts:lookup", body: ["localId": .strings(ids + ["u0"])])
      #expect(found["users"]?.array?.map { $0["localId"]?.string } == ids)
      let some = Array(ids.prefix(1000))
      let kept = try await server.admin("/accounts:batchDelete", body: ["localIds": .strings(some)])
      #expect(kept["errors"]?.array?.map { $0["index"] } == (0..<1000).map { .int($0) })
      _ = try await server.admin(
        "/accounts:batchDelete", body: ["localIds": .strings(some), "force": true])
      let left = try await server.admin("/accounts:lookup", body: ["localId": .strings(ids)])
      #expect(left["users"]?.array?.count == 1000)
    }
  }

  @Test func `know the published hash of the scrypt utility`() async throws {
    try await TestServer.open { server in
      let key =
        "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA=="
      _ = try await server.admin(
        "/accounts:batchCreate",
        body: [
          "hashAlgorithm": "SCRYPT", "signerKey": .string(key), "saltSeparator": "Bw==",
          "rounds": 8, "memoryCost": 14,
          "users": [
            [
              "localId": "a", "email": "a@b.c", "salt": "42xEC+ixf3L2lw==",
              "passwordHash":
                "lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==",
            ]
          ],
        ])
      #expect(
        try await server.signIn("a@b.c", password: "user1passwore").message == "INVALID_PASSWORD")
      #expect(try await server.signIn("a@b.c", password: "user1password").status == 200)
      #expect(try await server.signIn("a@b.c", password: "user1password").status == 200)
    }
  }
}

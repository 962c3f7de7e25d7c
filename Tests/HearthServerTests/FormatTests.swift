import HearthTestSupport
import HearthWire
import Testing

@Suite struct `Formats of requests` {
  @Test(
    arguments: [
      (
        "/accounts:update", ["localId": "u", "validSince": .double(1_795_323_170.4)], "/validSince"
      ),
      ("/accounts:update", ["localId": "u", "createdAt": .double(0.5)], "/createdAt"),
      (
        "/accounts:batchCreate", ["users": [["localId": "u", "lastLoginAt": .double(1.5)]]],
        "/users/0/lastLoginAt"
      ),
      (
        ":createSessionCookie", ["idToken": "x", "validDuration": .double(300.4)], "/validDuration"
      ),
    ] as [(String, JSON, String)])
  func `that want whole numbers refuse fractions`(
    path: String, body: JSON, pointer: String
  ) async throws {
    try await TestServer.open { server in
      let reply = try await server.admin(path, body: body)
      #expect(reply.status == 400)
      #expect(
        reply.message
          == #"Invalid JSON payload received. \#(pointer) must match format "int64""#)
    }
  }

  @Test func `that want whole numbers take them as text and as numbers`() async throws {
    try await TestServer.open { server in
      _ = try await server.admin("/accounts", body: ["localId": "u"])
      let reply = try await server.admin(
        "/accounts:update",
        body: ["localId": "u", "validSince": .double(1e9), "createdAt": 5, "lastLoginAt": "6"])
      #expect(reply.status == 200)
      let found = try await server.admin("/accounts:lookup", body: ["localId": ["u"]])
      let user = found["users"]?.array?.first
      #expect(user?["validSince"] == "1000000000")
      #expect(user?["createdAt"] == "5" && user?["lastLoginAt"] == "6")
    }
  }

  @Test(arguments: [true, .null, [], [:]] as [JSON])
  func `that want one of several names say what else is wrong`(value: JSON) async throws {
    try await TestServer.open { server in
      let reply = try await server.accounts("sendOobCode", body: ["requestType": value])
      #expect(reply.message == "Invalid JSON payload received. /requestType must be string")
    }
  }

  @Test(arguments: ["a%0Ab", "a%00", "..", "a%2Fb", "%22", String(repeating: "x", count: 129)])
  func `refuse ids that no project has`(id: String) async throws {
    try await TestServer.open { server in
      for path in [
        "/identitytoolkit.googleapis.com/v1/projects/\(id)/accounts",
        "/emulator/v1/projects/\(id)/clock",
      ] {
        let method = path.hasSuffix("clock") ? "GET" : "POST"
        let reply = try await server.send(
          method, path: path, body: method == "GET" ? nil : "{}",
          headers: [("Authorization", "Bearer owner"), ("Content-Type", "application/json")])
        #expect(reply.status == 400, "\(path): \(reply.text)")
        #expect(reply.message?.hasPrefix("INVALID_ARGUMENT : a project id ") == true)
      }
    }
  }

  @Test(arguments: ["demo-x", "Project_1", "a:b", "(default)", "é", "example.com:app"])
  func `take odd ids`(id: String) async throws {
    try await TestServer.open { server in
      let reply = try await server.post(
        "/identitytoolkit.googleapis.com/v1/projects/\(PercentCoding.encodeComponent(id))/accounts",
        body: [:], headers: [("Authorization", "Bearer owner")])
      #expect(reply.status == 200, "\(reply.text)")
    }
  }

  @Test func `of an import want numbers of phones without letters`() async throws {
    try await TestServer.open { server in
      let reply = try await server.admin(
        "/accounts:batchCreate",
        body: [
          "users": [
            ["localId": "a", "phoneNumber": "+1error"],
            ["localId": "b", "phoneNumber": "+1 555-555-0100"],
          ]
        ])
      #expect(reply["error"] == [["index": 0, "message": "phone number format is invalid"]])
    }
  }

  @Test(arguments: ["http+unix://%2Ftmp%2Fx/", "file:///etc/passwd", "ftp://a/b", "mailto:a"])
  func `want functions at web addresses`(uri: String) async throws {
    try await TestServer.open { server in
      let reply = try await server.adminV2(
        "PATCH", path: "/config",
        body: ["blockingFunctions": ["triggers": ["beforeCreate": ["functionUri": .string(uri)]]]])
      #expect(reply.message?.hasPrefix("INVALID_BLOCKING_FUNCTION : ") == true)
    }
  }
}

@Suite struct `Answers as production gives them` {
  @Test func `name the configuration`() async throws {
    try await TestServer.open { server in
      let name: JSON = "projects/demo-hearth/config"
      #expect(try await server.adminV2("GET", path: "/config")["name"] == name)
      let changed = try await server.adminV2(
        "PATCH", path: "/config?updateMask=name,mfa",
        body: ["name": "x", "mfa": ["state": "ENABLED"]])
      #expect(changed["name"] == name && changed["mfa"]?["state"] == "ENABLED")
    }
  }

  @Test func `keep the e-mail privacy of a tenant, and leave out what is off`() async throws {
    try await TestServer.open { server in
      for (isOn, expected) in [
        (true, ["enableImprovedEmailPrivacy": true]), (false, [:]),
      ] as [(Bool, JSON)] {
        let body: JSON = ["emailPrivacyConfig": ["enableImprovedEmailPrivacy": .bool(isOn)]]
        let tenant = try await server.adminV2("POST", path: "/tenants", body: body)
        #expect(tenant["emailPrivacyConfig"] == expected)
        let id = tenant["tenantId"]?.string ?? ""
        let changed = try await server.adminV2(
          "PATCH", path: "/tenants/\(id)?updateMask=emailPrivacyConfig", body: body)
        #expect(changed["emailPrivacyConfig"] == expected)
      }
    }
  }

  @Test func `leave out response types that are off`() async throws {
    try await TestServer.open { server in
      let reply = try await server.adminV2(
        "POST", path: "/oauthIdpConfigs?oauthIdpConfigId=oidc.a",
        body: [
          "clientId": "c", "issuer": "https://a.b", "clientSecret": "s",
          "responseType": ["code": true, "idToken": false],
        ])
      #expect(reply["responseType"] == ["code": true])
    }
  }
}

@Suite struct `Codes of text messages` {
  @Test func `cannot be guessed without end where attempts are limited`() async throws {
    try await TestServer.open { server in
      try await server.setSwitches(["rateLimits": true, "wrongPasswordLimit": 3])
      let sent = try await server.accounts(
        "sendVerificationCode", body: ["phoneNumber": "+15555550100"])
      let session = sent["sessionInfo"] ?? ""
      for _ in 0..<3 {
        let reply = try await server.accounts(
          "signInWithPhoneNumber", body: ["sessionInfo": session, "code": "x"])
        #expect(reply.message == "INVALID_CODE")
      }
      let known = try await server.emulator("GET", path: "verificationCodes")
      let code = known["verificationCodes"]?.array?.first?["code"] ?? ""
      let right: JSON = ["sessionInfo": session, "code": code]
      let refused = try await server.accounts("signInWithPhoneNumber", body: right)
      #expect(refused.message?.hasPrefix("TOO_MANY_ATTEMPTS_TRY_LATER : ") == true)
      try await server.setSwitches(["rateLimits": false])
      #expect(try await server.accounts("signInWithPhoneNumber", body: right).status == 200)
    }
  }
}

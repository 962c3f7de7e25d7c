import HearthServer
import HearthTestSupport
import HearthTransport
import HearthWire
import NIOHTTP1
import Testing

/// Operations that the official emulator answers with 501.
@Suite struct `Beyond the official emulator` {
  private static let player: JSON = [
    "playerId": "G:1", "publicKeyUrl": "https://static.gc.apple.com/public-key/gc-prod-6.cer",
    "signature": "c2ln", "salt": "c2FsdA==", "timestamp": "1700000000000",
    "displayName": "Ann", "gamePlayerId": "A:1", "teamPlayerId": "T:1",
  ]

  @Test func `a player of Game Center signs in, and is known again`() async throws {
    try await TestServer.open { server in
      let first = try await server.accounts("signInWithGameCenter", body: Self.player)
      #expect(first["isNewUser"] == true && first["playerId"] == "G:1")
      #expect(first["teamPlayerId"] == "T:1" && first["gamePlayerId"] == "A:1")
      #expect(first["expiresIn"] == "3600" && first["refreshToken"]?.string != nil)
      let second = try await server.accounts("signInWithGameCenter", body: Self.player)
      #expect(second["isNewUser"] == nil && second["localId"] == first["localId"])
      let linking = try await server.signUp("ann@example.com")
      var body = Self.player.object ?? JSONObject()
      body["idToken"] = linking["idToken"]
      let taken = try await server.accounts("signInWithGameCenter", body: .object(body))
      #expect(taken.message == "FEDERATED_USER_ID_ALREADY_LINKED")
      body["gamePlayerId"] = "A:2"
      let linked = try await server.accounts("signInWithGameCenter", body: .object(body))
      #expect(linked["localId"] == linking["localId"])
      for field in ["playerId", "publicKeyUrl", "signature", "salt", "timestamp"] {
        var body = Self.player.object ?? JSONObject()
        body[field] = nil
        if field == "playerId" { body["gamePlayerId"] = nil }
        let reply = try await server.accounts("signInWithGameCenter", body: .object(body))
        #expect(reply.message == "INVALID_IDP_RESPONSE : \(field) is missing")
      }
    }
  }

  @Test func `an iOS app gets a receipt`() async throws {
    try await TestServer.open { server in
      let reply = try await server.accounts(
        "verifyIosClient", body: ["appToken": "t", "isSandbox": true])
      #expect(reply["receipt"]?.string?.isEmpty == false && reply["suggestedTimeout"] == "1")
      let missing = try await server.accounts("verifyIosClient", body: [:])
      #expect(missing.message == "MISSING_IOS_APP_TOKEN")
    }
  }

  @Test func `a provider's token is taken for revocation`() async throws {
    try await TestServer.open { server in
      let session = try await server.accounts(
        "signInWithIdp",
        body: ["requestUri": "http://localhost?providerId=apple.com&id_token={\"sub\":\"1\"}"])
      func revoke(_ body: JSON) async throws -> TestServer.Reply {
        var object = body.object ?? JSONObject()
        object["idToken"] = session["idToken"]
        return try await server.v2("accounts:revokeToken", body: .object(object))
      }
      let good: JSON = ["providerId": "apple.com", "tokenType": "CODE", "token": "c"]
      let done = try await revoke(good)
      #expect(done.status == 200 && done.json == [:])
      let byNumber = try await revoke(["providerId": "apple.com", "tokenType": 3, "token": "c"])
      #expect(byNumber.status == 200)
      let noProvider = try await revoke(["tokenType": "CODE", "token": "c"])
      #expect(noProvider.message == "MISSING_PROVIDER_ID")
      let noToken = try await revoke(["providerId": "apple.com", "tokenType": "CODE"])
      #expect(noToken.message == "MISSING_TOKEN")
      let noType = try await revoke(["providerId": "apple.com", "token": "c"])
      #expect(
        noType.message
          == "INVALID_ARGUMENT : tokenType must be REFRESH_TOKEN, ACCESS_TOKEN or CODE")
      let other = try await revoke(["providerId": "google.com", "tokenType": "CODE", "token": "c"])
      #expect(other.message == "NO_SUCH_PROVIDER")
      let nobody = try await server.v2("accounts:revokeToken", body: good)
      #expect(nobody.message == "MISSING_ID_TOKEN")
    }
  }

  @Test func `a SAML response is issued for a relying party`() async throws {
    try await TestServer.open { server in
      let session = try await server.signUp("ann@example.com")
      let made = try await server.adminV2(
        "POST", path: "/inboundSamlConfigs?inboundSamlConfigId=saml.shop",
        body: [
          "idpConfig": ["idpEntityId": "idp", "ssoUrl": "https://idp.example.com"],
          "spConfig": ["spEntityId": "shop", "callbackUri": "https://shop.example.com/acs"],
        ])
      #expect(made.status == 200, "\(made.text)")
      let reply = try await server.accounts(
        "issueSamlResponse", body: ["idToken": session["idToken"] ?? .null, "rpId": "shop"])
      #expect(reply["acsEndpoint"] == "https://shop.example.com/acs", "\(reply.text)")
      let assertion = try JSON.parse(reply["samlResponse"]?.string ?? "")["assertion"]
      #expect(assertion?["subject"]?["nameId"] == "ann@example.com")
      let unknown = try await server.accounts(
        "issueSamlResponse", body: ["idToken": session["idToken"] ?? .null, "rpId": "nobody"])
      #expect(unknown.status == 404 && unknown.message == "CONFIGURATION_NOT_FOUND")
    }
  }

  @Test func `a project is initialised as often as one likes`() async throws {
    try await TestServer.open { server in
      for _ in 1...2 {
        let reply = try await server.adminV2(
          "POST", path: "/identityPlatform:initializeAuth", body: [:])
        #expect(reply.status == 200 && reply.json == [:])
      }
    }
  }

  @Test func `a tenant has a policy that is read, changed and defended`() async throws {
    try await TestServer.open { server in
      let empty = try await server.adminV2("POST", path: "/tenants/t1:getIamPolicy", body: [:])
      #expect(empty["version"] == 1 && empty["bindings"] == nil, "\(empty.text)")
      let bindings: JSON = [["role": "roles/viewer", "members": ["user:ann@example.com"]]]
      let set = try await server.adminV2(
        "POST", path: "/tenants/t1:setIamPolicy",
        body: ["policy": ["bindings": bindings, "etag": empty["etag"] ?? .null]])
      #expect(set["bindings"] == bindings, "\(set.text)")
      let stale = try await server.adminV2(
        "POST", path: "/tenants/t1:setIamPolicy", body: ["policy": ["etag": empty["etag"] ?? .null]]
      )
      #expect(stale.status == 409)
      let read = try await server.adminV2("POST", path: "/tenants/t1:getIamPolicy", body: [:])
      #expect(read["bindings"] == bindings && read["etag"] == set["etag"])
      let tested = try await server.adminV2(
        "POST", path: "/tenants/t1:testIamPermissions",
        body: ["permissions": ["firebaseauth.users.get"]])
      #expect(tested["permissions"] == ["firebaseauth.users.get"])
    }
  }

  @Test func `a provider's address leads back with what signInWithIdp wants`() async throws {
    try await TestServer.open { server in
      let reply = try await server.accounts(
        "createAuthUri",
        body: ["providerId": "google.com", "continueUri": "http://localhost/done", "context": "c"])
      let address = reply["authUri"]?.string ?? ""
      #expect(
        address.contains("/emulator/auth/handler?apiKey=any&providerId=google.com&continueUri="))
      #expect(reply["providerId"] == "google.com" && reply["sessionId"]?.string != nil)
      let path = address.replacing("http://127.0.0.1:\(server.addresses.authPort)", with: "")
      let page = try await server.send("GET", path: path)
      #expect(page.status == 200 && page.text.contains("Google.com"))
    }
  }

  @Test func `a provider's page has the name that is configured`() async throws {
    try await TestServer.open { server in
      let page = "/emulator/auth/handler?apiKey=any&providerId=oidc.my-corp"
      #expect(try await server.send("GET", path: page).text.contains("Oidc.my-corp"))
      _ = try await server.adminV2(
        "POST", path: "/oauthIdpConfigs?oauthIdpConfigId=oidc.my-corp",
        body: ["clientId": "c", "issuer": "https://corp.example", "displayName": "My Corp"])
      let text = try await server.send("GET", path: page).text
      #expect(text.contains(">My Corp</bdi>") && !text.contains("Oidc.my-corp"))
    }
  }

  @Test func `a SAML conflict leaves a token to come back with`() async throws {
    try await TestServer.open { server in
      let owner = try await server.signUp("ann@example.com")
      // Somebody else already has this SAML account.
      let identity =
        "?providerId=saml.a&id_token={\"sub\":\"1\"}"
        + "&SAMLResponse={\"assertion\":{\"subject\":{\"nameId\":\"bob@example.com\"}}}"
      _ = try await server.accounts(
        "signInWithIdp", body: ["requestUri": .string("http://localhost" + identity)])
      let conflict = try await server.accounts(
        "signInWithIdp",
        body: [
          "requestUri": .string("http://localhost" + identity), "returnIdpCredential": true,
          "idToken": owner["idToken"] ?? .null,
        ])
      #expect(conflict["errorMessage"] == "FEDERATED_USER_ID_ALREADY_LINKED")
      let token = try #require(conflict["pendingToken"]?.string)
      let again = try await server.accounts(
        "signInWithIdp", body: ["requestUri": "http://localhost", "pendingToken": .string(token)])
      #expect(again["email"] == "bob@example.com" && again["isNewUser"] == nil, "\(again.text)")
      let bad = try await server.accounts(
        "signInWithIdp", body: ["requestUri": "http://localhost", "pendingToken": "x"])
      #expect(bad.message?.hasPrefix("INVALID_CREDENTIAL_OR_PROVIDER_ID") == true)
    }
  }

  @Test func `strict providers must be configured`() async throws {
    try await TestServer.open { server in
      try await server.setSwitches(["strictProviders": true])
      let body: JSON = [
        "requestUri": "http://localhost?providerId=oidc.a&id_token={\"sub\":\"1\"}"
      ]
      let refused = try await server.accounts("signInWithIdp", body: body)
      #expect(
        refused.message
          == "OPERATION_NOT_ALLOWED : The identity provider configuration is not found.")
      _ = try await server.adminV2(
        "POST", path: "/oauthIdpConfigs?oauthIdpConfigId=oidc.a",
        body: ["clientId": "c", "issuer": "https://idp.example.com"])
      let taken = try await server.accounts("signInWithIdp", body: body)
      #expect(taken.status == 200, "\(taken.text)")
    }
  }

  @Test func `the provider page lists accounts, escaped`() async throws {
    try await TestServer.open { server in
      let claims: JSON = ["sub": "1", "email": "a@b.c", "name": "<script>alert(1)</script>"]
      let post = FormFields([
        .init(name: "providerId", value: "google.com"), .init(name: "id_token", value: claims.text),
      ])
      _ = try await server.accounts(
        "signInWithIdp", body: ["requestUri": "http://localhost", "postBody": .string(post.text)])
      let page = try await server.send(
        "GET", path: "/emulator/auth/handler?apiKey=a&providerId=google.com&appName=x")
      #expect(page.headers["content-type"].first == "text/html; charset=utf-8")
      #expect(page.text.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
      #expect(!page.text.contains("<script>alert(1)"))
      #expect(page.text.contains("data-id-token=\"%7B%22sub%22%3A%221%22"))
      let bad = try await server.send("GET", path: "/emulator/auth/handler?apiKey=a")
      #expect(bad.status == 400)
      #expect(
        bad.json
          == ["authEmulator": ["error": "missing apiKey or providerId query parameters"]])
    }
  }
}

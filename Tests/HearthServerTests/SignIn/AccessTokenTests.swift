import HearthOperations
import HearthServer
import HearthTestSupport
import HearthWire
import Testing

/// `signInWithIdp` with an access token, where no ID token is there.
@Suite struct `An access token of a provider` {
  private func signIn(
    _ server: TestServer, provider: String, token: String, secret: String? = nil,
    more: KeyValuePairs<String, JSON?> = [:]
  ) async throws -> TestServer.Reply {
    var fields = [FormFields.Pair(name: "access_token", value: token)]
    if let secret { fields.append(FormFields.Pair(name: "oauth_token_secret", value: secret)) }
    fields.append(FormFields.Pair(name: "providerId", value: provider))
    var body = JSONObject([
      "requestUri": "http://localhost", "returnSecureToken": true,
      "postBody": .string(FormFields(fields).text),
    ])
    body.merge(JSONObject(more))
    return try await server.accounts("signInWithIdp", body: .object(body))
  }

  private func raw(_ reply: TestServer.Reply) throws -> JSON {
    try JSON.parse(reply["rawUserInfo"]?.string ?? "")
  }

  @Test(arguments: [
    "google.com", "facebook.com", "github.com", "microsoft.com", "yahoo.com", "linkedin.com",
  ])
  func `is one person, and another one is another`(provider: String) async throws {
    try await TestServer.open { server in
      let first = try await signIn(server, provider: provider, token: "a token")
      #expect(first.status == 200 && first["isNewUser"] == true, "\(first.text)")
      #expect(first["providerId"]?.string == provider && first["oauthAccessToken"] == "a token")
      #expect(first["displayName"]?.string?.isEmpty == false)
      #expect(first["email"]?.string?.hasSuffix("@example.com") == true)
      #expect(first["emailVerified"]?.bool == (provider == "google.com"))
      #expect(first["oauthIdToken"] == nil && first["idToken"]?.string != nil)
      #expect(claims(first["idToken"])["firebase"]?["sign_in_provider"]?.string == provider)
      let again = try await signIn(server, provider: provider, token: "a token")
      #expect(again["localId"] == first["localId"] && again["isNewUser"] == nil)
      let other = try await signIn(server, provider: provider, token: "another token")
      #expect(other["isNewUser"] == true && other["federatedId"] != first["federatedId"])
    }
  }

  @Test func `has a profile in Google's words`() async throws {
    try await TestServer.open { server in
      let reply = try await signIn(server, provider: "google.com", token: "ya29.token")
      let raw = try raw(reply)
      let id = raw["id"]?.string ?? ""
      #expect(id.count == 15 && reply["federatedId"]?.string == "https://accounts.google.com/\(id)")
      #expect(raw["verified_email"] == true && raw["email"] == reply["email"])
      #expect(raw["given_name"] == reply["firstName"] && raw["family_name"] == reply["lastName"])
      #expect(raw["granted_scopes"]?.string?.contains("userinfo.email") == true)
      #expect(reply["context"] == "")
    }
  }

  @Test func `has a profile in Facebook's words`() async throws {
    try await TestServer.open { server in
      let reply = try await signIn(server, provider: "facebook.com", token: "EAAtoken")
      let raw = try raw(reply)
      let id = raw["id"]?.string ?? ""
      #expect(reply["federatedId"]?.string == "http://facebook.com/\(id)")
      #expect(reply["photoUrl"]?.string == "https://graph.facebook.com/\(id)/picture")
      #expect(raw["picture"]?["data"]?["is_silhouette"] == false)
      #expect(raw["granted_scopes"] == ["email", "public_profile"])
      #expect(reply["oauthExpireIn"] == 5_183_999)
    }
  }

  @Test func `has a profile in GitHub's words`() async throws {
    try await TestServer.open { server in
      let reply = try await signIn(server, provider: "github.com", token: "gho_token")
      let raw = try raw(reply)
      #expect(raw["login"] == reply["screenName"] && raw["login"]?.string != nil)
      #expect(raw["avatar_url"] == reply["photoUrl"] && raw["type"] == "User")
      let id = raw["id"]?.integer ?? 0
      #expect(reply["federatedId"]?.string == "http://github.com/\(id)")
    }
  }

  @Test func `has a profile in X's words, and a secret`() async throws {
    try await TestServer.open { server in
      let reply = try await signIn(server, provider: "twitter.com", token: "token", secret: "s3")
      let raw = try raw(reply)
      #expect(raw["screen_name"] == reply["screenName"] && raw["id_str"]?.string?.count == 15)
      #expect(reply["oauthTokenSecret"] == "s3" && reply["oauthAccessToken"] == "token")
      #expect(reply["email"] == nil && claims(reply["idToken"])["email"] == nil)
      #expect(reply["photoUrl"]?.string?.hasSuffix("_normal.jpg") == true)
      let without = try await signIn(server, provider: "twitter.com", token: "token")
      #expect(
        without.message
          == "INVALID_CREDENTIAL_OR_PROVIDER_ID : Invalid IdP response/credential: "
          + "http://localhost?access_token=token&providerId=twitter.com")
    }
  }

  @Test func `has a profile in Microsoft's words`() async throws {
    try await TestServer.open { server in
      let reply = try await signIn(server, provider: "microsoft.com", token: "token")
      let raw = try raw(reply)
      #expect(raw["displayName"] == reply["displayName"] && raw["mail"] == reply["email"])
      #expect(raw["userPrincipalName"]?.string != nil && reply["photoUrl"] == nil)
      #expect(reply["emailVerified"] == false)
    }
  }

  @Test func `may say itself whose it is`() async throws {
    try await TestServer.open { server in
      let text = #"{"sub":"t1","email":"Ann@Example.com","screen_name":"ann"}"#
      // X asks for no secret beside claims.
      for provider in ["google.com", "twitter.com", "apple.com"] {
        let reply = try await signIn(server, provider: provider, token: text)
        #expect(reply.status == 200 && reply["email"] == "ann@example.com", "\(reply.text)")
        #expect(reply["oauthAccessToken"]?.string == text)
      }
      let lacking = try await signIn(server, provider: "facebook.com", token: #"{"email":"a@b.c"}"#)
      #expect(lacking.message?.hasPrefix("INVALID_IDP_RESPONSE : Invalid Idp Response") == true)
      let broken = try await signIn(server, provider: "facebook.com", token: "{sub: 1}")
      #expect(broken.message?.hasPrefix("INVALID_IDP_RESPONSE : Unable to parse") == true)
    }
  }

  @Test func `asks for confirmation where its address is somebody's`() async throws {
    try await TestServer.open { server in
      let first = try await signIn(server, provider: "facebook.com", token: "token")
      let email = first["email"]?.string ?? ""
      _ = try await server.accounts("delete", body: ["idToken": first["idToken"] ?? .null])
      let owner = try await server.signUp(email)
      let reply = try await signIn(server, provider: "facebook.com", token: "token")
      #expect(reply["needConfirmation"] == true && reply["idToken"] == nil)
      #expect(reply["localId"] == owner["localId"] && reply["oauthAccessToken"] == "token")
      let linked = try await signIn(
        server, provider: "facebook.com", token: "token", more: ["idToken": owner["idToken"]])
      #expect(linked["localId"] == owner["localId"] && linked["idToken"]?.string != nil)
    }
  }

  @Test(
    arguments: [
      (
        "google.com",
        "Failed to fetch resource from https://www.googleapis.com/oauth2/v1/userinfo, "
          + "http status: 401, http response: {\"error\":{\"code\":401,"
      ),
      ("facebook.com", "Bad access token: {\"code\":190,"),
      ("github.com", "Failed to fetch resource from https://api.github.com/user, http status: 401"),
      ("twitter.com", "Failed to fetch resource from https://api.twitter.com/1.1/account/"),
      ("microsoft.com", "Failed to fetch resource from https://graph.microsoft.com/v1.0/me, "),
      ("yahoo.com", "Failed to fetch the profile: "),
    ])
  func `is refused by strict providers`(provider: String, refusal: String) async throws {
    try await TestServer.open { server in
      try await server.setSwitches(["strictProviders": true])
      let unknown = try await signIn(server, provider: provider, token: "token", secret: "s")
      #expect(unknown.message?.hasPrefix("OPERATION_NOT_ALLOWED") == true)
      _ = try await server.adminV2(
        "POST", path: "/defaultSupportedIdpConfigs?idpId=\(provider)",
        body: ["enabled": true, "clientId": "c", "clientSecret": "s"])
      for token in ["token", #"{"sub":"1"}"#] {
        let reply = try await signIn(server, provider: provider, token: token, secret: "s")
        #expect(reply.status == 400)
        #expect(
          reply.message?.hasPrefix("INVALID_IDP_RESPONSE : \(refusal)") == true, "\(reply.text)")
      }
      #expect(try await server.admin("/accounts:query")["recordsCount"] == "0")
    }
  }

  @Test func `says nothing of SAML and of Apple`() async throws {
    try await TestServer.open { server in
      for provider in ["saml.a", "apple.com"] {
        let reply = try await signIn(server, provider: provider, token: "token")
        #expect(reply.status == 501)
      }
    }
  }
}

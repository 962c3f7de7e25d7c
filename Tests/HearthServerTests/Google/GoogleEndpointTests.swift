import HearthServer
import HearthServiceAccounts
import HearthSettings
import HearthTestSupport
import HearthTime
import HearthTokens
import HearthTransport
import HearthWire
import NIOHTTP1
import Testing

@Suite struct `Google's other hosts` {
  // MARK: IAM Credentials

  private func iam(
    _ google: GoogleServer, verb: String, body: JSON, token: String? = nil,
    account: String? = nil
  ) async throws -> TestServer.Reply {
    let name = account ?? google.account.email
    let path = "/iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/\(name):\(verb)"
    let bearer: String
    if let token { bearer = token } else { bearer = try await google.accessToken() }
    return try await google.server.auth.post(
      path, body: body, headers: [("Authorization", "Bearer \(bearer)")])
  }

  @Test func `signBlob and signJwt sign with the account's key`() async throws {
    try await GoogleServer.open { google in
      let blob = try await iam(
        google, verb: "signBlob", body: ["payload": .string(Base64.encode(Array("text".utf8)))])
      #expect(blob["keyId"]?.string == google.account.keyID, "\(blob.text)")
      let signature = try #require(blob["signedBlob"]?.string.flatMap { Base64.decode($0) })
      #expect(google.account.key.verify(signature, of: Array("text".utf8)))
      let signed = try await iam(google, verb: "signJwt", body: ["payload": #"{"sub":"x"}"#])
      let jwt = try #require(signed["signedJwt"]?.string.flatMap { JWT($0) })
      #expect(jwt.claims["sub"] == "x" && jwt.keyID == google.account.keyID)
      #expect(google.account.key.verify(jwt.signature, of: jwt.signingInput))
    }
  }

  @Test func `generateAccessToken and generateIdToken`() async throws {
    try await GoogleServer.open { google in
      let access = try await iam(
        google, verb: "generateAccessToken", body: ["scope": ["s"], "lifetime": "60s"])
      let token = try #require(access["accessToken"]?.string)
      #expect(access["expireTime"] == "2027-01-15T08:01:00Z", "\(access.text)")
      #expect(try await google.accounts(token).status == 200)
      google.server.clock.advance(by: .seconds(60))
      #expect(try await google.accounts(token).status == 401)
      let identity = try await iam(
        google, verb: "generateIdToken", body: ["audience": "https://a.example"])
      let jwt = try #require(identity["token"]?.string.flatMap { JWT($0) })
      #expect(jwt.claims["aud"] == "https://a.example")
      let locations = try await google.server.auth.get(
        "/iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/"
          + "\(google.account.email)/allowedLocations",
        headers: [("Authorization", "Bearer \(try await google.accessToken())")])
      #expect(locations.status == 200 && locations["encodedLocations"] == "0x0")
    }
  }

  @Test func `what cannot be signed is refused`() async throws {
    try await GoogleServer.open { google in
      #expect(try await iam(google, verb: "signBlob", body: ["payload": "*"]).status == 400)
      #expect(try await iam(google, verb: "signJwt", body: ["payload": "[]"]).status == 400)
      #expect(try await iam(google, verb: "generateAccessToken", body: [:]).status == 400)
      let long = try await iam(
        google, verb: "generateAccessToken", body: ["scope": ["s"], "lifetime": "43201s"])
      #expect(long.status == 400)
      #expect(try await iam(google, verb: "generateIdToken", body: [:]).status == 400)
      #expect(try await iam(google, verb: "signBlob", body: [:], account: "x@y.z").status == 404)
      for token in ["owner", "ya29.unknown", "x"] {
        #expect(try await iam(google, verb: "signBlob", body: [:], token: token).status == 401)
      }
      let key = try await google.server.auth.post(
        "/iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/a:signBlob?key=any", body: [:]
      )
      #expect(key.status == 401)
    }
  }

  // MARK: Metadata

  private static let metadata = "/metadata.google.internal/computeMetadata/v1"
  private static let flavor = [("Metadata-Flavor", "Google")]

  @Test(arguments: [
    ("/project/project-id", "demo-hearth"), ("/universe/universe-domain", "googleapis.com"),
    (
      "/instance/service-accounts/default/email",
      "hearth-admin@demo-hearth.iam.gserviceaccount.com"
    ),
    ("/instance/service-accounts/default/aliases", "default\n"),
    ("/universe/", "universe-domain\n"),
    ("/universe/universe-domain?alt=json", "\"googleapis.com\""),
    ("/universe/?recursive=true", #"{"universeDomain":"googleapis.com"}"#),
    ("/universe/?recursive=true&alt=text", "universe-domain googleapis.com\n"),
  ])
  func `metadata is text or JSON`(_ path: String, _ expected: String) async throws {
    try await GoogleServer.open { google in
      let reply = try await google.server.auth.get(Self.metadata + path, headers: Self.flavor)
      #expect(reply.status == 200 && reply.text == expected, "\(reply.text)")
      #expect(reply.headers["metadata-flavor"].first == "Google")
    }
  }

  @Test func `metadata has tokens`() async throws {
    try await GoogleServer.open { google in
      let account = Self.metadata + "/instance/service-accounts/default/"
      let facts = try await google.server.auth.get(
        account + "?recursive=true", headers: Self.flavor)
      #expect(facts["email"]?.string == google.account.email)
      #expect(facts["aliases"] == ["default"] && facts["scopes"]?.array?.isEmpty == false)
      let token = try await google.server.auth.get(
        account + "token?scopes=a,b", headers: Self.flavor)
      #expect(try await google.accounts(token["access_token"]?.string ?? "").status == 200)
      let identity = try await google.server.auth.get(
        account + "identity?audience=https://a.example&format=full", headers: Self.flavor)
      #expect(JWT(identity.text)?.claims["aud"] == "https://a.example")
      let none = try await google.server.auth.get(account + "identity", headers: Self.flavor)
      #expect(none.status == 400)
      // Where no port has it for itself.
      let short = try await google.server.auth.get(
        "/computeMetadata/v1/project/project-id", headers: Self.flavor)
      #expect(short.text == "demo-hearth")
    }
  }

  private static let requests: [([(String, String)], Int)] = [
    ([], 403), ([("Metadata-Flavor", "other")], 403),
    (flavor + [("Origin", "http://localhost:3000")], 403),
    (flavor + [("X-Forwarded-For", "10.0.0.1")], 403), (flavor + [("Host", "evil.example")], 403),
    (flavor + [("Host", "metadata.google.internal")], 200),
    (flavor + [("Host", "169.254.169.254:80")], 200),
  ]

  @Test(arguments: requests)
  func `metadata is for programs that ask for it`(
    _ headers: [(String, String)], _ status: Int
  ) async throws {
    try await GoogleServer.open { google in
      let reply = try await google.server.auth.get(
        Self.metadata + "/instance/service-accounts/default/token", headers: headers)
      #expect(reply.status == status, "\(reply.text)")
      #expect(reply.headers["metadata-flavor"].first == "Google")
    }
  }

  @Test func `the metadata server answers a ping, and knows what it lacks`() async throws {
    try await GoogleServer.open { google in
      let ping = try await google.server.auth.get("/metadata.google.internal/")
      #expect(ping.status == 200 && ping.headers["metadata-flavor"].first == "Google")
      let missing = try await google.server.auth.get(
        Self.metadata + "/instance/nothing", headers: Self.flavor)
      #expect(missing.status == 404)
    }
  }

  // MARK: Keys

  @Test func `keys are where Google has them`() async throws {
    try await GoogleServer.open { google in
      let auth = google.server.auth
      let signer = "securetoken@system.gserviceaccount.com"
      let jwks = try await auth.get("/www.googleapis.com/service_accounts/v1/jwk/\(signer)")
      let alias = try await auth.get("/robot/v1/metadata/jwk/\(signer)")
      #expect(alias.text == jwks.text && alias.status == 200)
      for path in ["/robot/v1/metadata/x509/\(google.account.email)", "/oauth2/v1/certs"] {
        let reply = try await auth.get("/www.googleapis.com" + path)
        // Those of Google as an identity provider are there too.
        let isOfProvider = path.hasPrefix("/oauth2/")
        #expect(reply.members.contains(google.account.keyID), "\(reply.text)")
        #expect(reply.members.count == (isOfProvider ? 2 : 1), "\(reply.text)")
        #expect(reply[google.account.keyID]?.string?.hasPrefix("-----BEGIN CERT") == true)
      }
      #expect(try await auth.get("/www.googleapis.com/robot/v1/metadata/x509/x@y.z").status == 404)
      let cookies = "/identitytoolkit.googleapis.com/v1/sessionCookiePublicKeys?key=any"
      #expect(try await auth.get(cookies)["keys"]?.array?.isEmpty == false)
    }
  }

  @Test func `the discovery document of Google's host names Google's keys`() async throws {
    try await GoogleServer.open { google in
      let path = "/securetoken.google.com/demo-hearth/.well-known/openid-configuration"
      let reply = try await google.server.auth.get(
        path, headers: [("Host", "securetoken.google.com")])
      #expect(reply["issuer"] == "https://securetoken.google.com/demo-hearth")
      #expect(
        reply["jwks_uri"]
          == """
          https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com
          """)
    }
  }

  // MARK: Pages

  @Test func `apps for iOS find the domains of their sign-in pages`() async throws {
    try await GoogleServer.open { google in
      let path = "/www.googleapis.com/identitytoolkit/v3/relyingparty/getProjectConfig?key=any"
      let project = try await google.server.auth.get(path)
      #expect(
        project["authorizedDomains"] == [
          "localhost", "demo-hearth.firebaseapp.com", "demo-hearth.web.app",
        ], "\(project.text)")
    }
  }

  @Test(arguments: ["/emulator", "/__"])
  func `a page takes the place of reCAPTCHA in an app for iOS`(_ base: String) async throws {
    try await GoogleServer.open { google in
      let auth = google.server.auth
      let page = try await auth.get(
        base + "/auth/handler?apiKey=a&authType=verifyApp&ibi=com.example.app&eventId=EVENT&v=i"
          + "&appId=1:2:ios:3&hl=de")
      #expect(page.status == 200 && page.text.contains("<html lang=\"de\">"), "\(page.text)")
      #expect(page.text.contains("recaptchaToken") && page.text.contains("deep_link_id"))
      #expect(page.headers["content-security-policy"].first?.contains("default-src 'none'") == true)
      let bare = try await auth.get(base + "/auth/handler?authType=verifyApp")
      #expect(bare.status == 400)
      // What the app does with the token.
      let parts = page.text.split(separator: "data-token=\"")
      let token = String(parts.last?.prefix { $0 != "\"" } ?? "")
      #expect(token.hasPrefix("hearth-fake-recaptcha-token-"))
      let sent = try await auth.post(
        "/www.googleapis.com/identitytoolkit/v3/relyingparty/sendVerificationCode?key=a",
        body: [
          "phoneNumber": "+15555550100", "recaptchaToken": .string(token),
          "clientType": "CLIENT_TYPE_IOS",
        ])
      #expect(sent.status == 200 && sent["sessionInfo"]?.string?.isEmpty == false)
    }
  }

  @Test func `pages of the auth domain`() async throws {
    try await GoogleServer.open { google in
      let auth = google.server.auth
      let handler = try await auth.get("/__/auth/handler?apiKey=a&providerId=google.com")
      #expect(handler.status == 200 && handler.text.contains("accounts-list"))
      let frame = try await auth.get("/__/auth/iframe?apiKey=a&appName=b")
      #expect(frame.text.contains("https://apis.google.com/js/api.js"))
      let library = try await auth.get("/apis.google.com/js/api.js?onload=x")
      #expect(library.headers["content-type"].first == "text/javascript; charset=utf-8")
      #expect(library.text.contains("getParentIframe"))
      let settings = try await auth.get(
        "/__/firebase/init.json", headers: [("Host", "demo-b.firebaseapp.com")])
      #expect(settings["projectId"] == "demo-b" && settings["apiKey"] == "demo-b")
      #expect(settings["authDomain"] == "demo-b.firebaseapp.com")
      let script = try await auth.get("/__/firebase/init.js")
      #expect(script.text.contains(#""projectId":"demo-hearth""#))
    }
  }

  @Test(arguments: [
    ("https%3A%2F%2Fdemo-hearth.firebaseapp.com%2F__%2Fauth%2Faction%3Fmode%3DsignIn", 302),
    ("https%3A%2F%2Fevil.example%2F__%2Fauth%2Faction%3Fmode%3DsignIn", 400),
    ("https%3A%2F%2Fdemo-hearth.firebaseapp.com.evil.example%2F__%2Fauth%2Faction%3Fa", 400),
    ("", 400),
  ])
  func `links of mobile apps lead to the action page only`(
    _ link: String, _ status: Int
  ) async throws {
    try await GoogleServer.open { google in
      let reply = try await google.server.auth.get("/__/auth/links?link=\(link)")
      #expect(reply.status == status, "\(reply.text)")
      if status == 302 {
        #expect(reply.headers["location"].first == "/__/auth/action?mode=signIn")
      }
    }
  }

  @Test func `installations get tokens`() async throws {
    try await GoogleServer.open { google in
      let path = "/firebaseinstallations.googleapis.com/v1/projects/demo-hearth/installations"
      let made = try await google.server.auth.post(
        path + "?key=any",
        body: ["fid": "cd0123456789ABCDEFGHIJ", "appId": "1:1:web:1", "authVersion": "FIS_v2"])
      #expect(made["fid"] == "cd0123456789ABCDEFGHIJ", "\(made.text)")
      #expect(made["authToken"]?["expiresIn"] == "604800s")
      let token = try await google.server.auth.post(
        path + "/cd0123456789ABCDEFGHIJ/authTokens:generate?key=any", body: [:],
        headers: [("Authorization", "FIS_v2 \(made["refreshToken"]?.string ?? "")")])
      #expect(token["token"]?.string?.isEmpty == false)
    }
  }

  // MARK: Links

  @Test func `links are Google's, and people open ours`() async throws {
    try await GoogleServer.open { google in
      let auth = google.server.auth
      let user: JSON = ["email": "ann@example.com", "password": "secret1"]
      _ = try await google.server.accounts("signUp", body: user)
      let token = try await google.accessToken()
      let sent = try await auth.post(
        "/identitytoolkit.googleapis.com/v1/projects/demo-hearth/accounts:sendOobCode",
        body: [
          "requestType": "PASSWORD_RESET", "email": "ann@example.com", "returnOobLink": true,
          "continueUrl": "https://app.example/done",
        ], headers: [("Authorization", "Bearer \(token)")])
      let link = try #require(sent["oobLink"]?.string, "\(sent.text)")
      let start = "https://demo-hearth.firebaseapp.com/__/auth/action?mode=resetPassword&oobCode="
      #expect(link.hasPrefix(start), "\(link)")
      #expect(link.hasSuffix("&lang=en") && link.contains("&continueUrl=https"))
      _ = try await google.server.accounts(
        "sendOobCode", body: ["requestType": "PASSWORD_RESET", "email": "ann@example.com"])
      let own = "http://127.0.0.1:\(google.server.addresses.authPort)/emulator/action?"
      let codes = try await google.server.emulator("GET", path: "oobCodes")
      let code = try #require(codes["oobCodes"]?.array?.last)
      #expect(code["oobLink"]?.string?.hasPrefix(start) == true)
      let open = try #require(code["openLink"]?.string)
      #expect(open.hasPrefix(own))
      let list = try await google.server.emulator("GET", path: "messages")
      let message = try #require(list["messages"]?.array?.last)
      #expect(
        message["openLink"]?.string == open && message["text"]?.string?.contains(open) == true)
      #expect(message["oobLink"]?.string == code["oobLink"]?.string)
      #expect(message["text"]?.string?.contains(start) == false)
      // Both lead to the page.
      let page = try await auth.get(
        String(open.dropFirst(own.count - "/emulator/action?".count)),
        headers: [("Accept", "text/html")])
      #expect(page.status == 200 && page.text.contains("<form"), "\(page.text)")
      let second = try await auth.get(
        String(
          code["oobLink"]?.string?.dropFirst("https://demo-hearth.firebaseapp.com".count) ?? ""),
        headers: [("Accept", "text/html")])
      #expect(second.status == 200 && second.text.contains("<form"))
    }
  }

  @Test func `people open the public URL where one is set`() async throws {
    try await GoogleServer.open {
      $0.publicURL = "https://hearth.example"
    } body: { google in
      _ = try await google.server.accounts(
        "signUp", body: ["email": "ann@example.com", "password": "secret1"])
      _ = try await google.server.accounts(
        "sendOobCode", body: ["requestType": "PASSWORD_RESET", "email": "ann@example.com"])
      let list = try await google.server.emulator("GET", path: "messages")
      let open = list["messages"]?.array?.last?["openLink"]?.string
      #expect(open?.hasPrefix("https://hearth.example/emulator/action?mode=") == true)
    }
  }

  @Test func `outside of the mode links are as they were`() async throws {
    try await TestServer.open { server in
      _ = try await server.accounts(
        "signUp", body: ["email": "ann@example.com", "password": "secret1"])
      _ = try await server.accounts(
        "sendOobCode", body: ["requestType": "PASSWORD_RESET", "email": "ann@example.com"])
      let list = try await server.emulator("GET", path: "messages")
      let message = try #require(list["messages"]?.array?.last)
      #expect(message["openLink"] == nil)
      #expect(
        message["oobLink"]?.string?.hasPrefix(
          "http://127.0.0.1:\(server.addresses.authPort)/emulator/action?mode=resetPassword&lang=en"
        )
          == true)
    }
  }
}

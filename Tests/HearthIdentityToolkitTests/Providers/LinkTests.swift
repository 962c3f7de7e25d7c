import HearthErrors
import HearthMailbox
import HearthOperations
import HearthTestSupport
import HearthTime
import HearthTokens
import HearthWire
import Logging
import Testing

@testable import HearthIdentityToolkit

/// The cases of `signInWithIdp` with a token: they link a provider to its account.
@Suite struct `A provider that is linked` {
  private struct Rig {
    let project: TestProject

    init(
      allowingDuplicates: Bool = false, _ change: (inout User) -> Void = { _ in }
    ) throws {
      project = try TestProject(AccountsSchema.migrations + Message.migrations)
      try project.inProject { transaction throws(APIError) in
        var settings = try transaction.settings()
        settings.config["signIn"] = ["allowDuplicateEmails": .bool(allowingDuplicates)]
        try transaction.save(settings)
        var user = User(localId: "ada", tenantId: nil)
        user.email = Email("ada@example.com")
        change(&user)
        try Accounts(in: transaction).save(&user)
        var other = User(localId: "bob", tenantId: nil)
        other.email = Email("bob@example.com")
        try Accounts(in: transaction).save(&other)
      }
    }

    /// Links to the account of `ada`, with a token of hers.
    func link(
      sub: String = "1", email: String? = nil, isVerified: Bool = false,
      _ more: KeyValuePairs<String, JSON?> = [:]
    ) async throws -> JSONObject {
      let claims = JSON.members([
        "sub": .string(sub), "email": email.json, "email_verified": .bool(isVerified),
        "name": "Ada L.",
      ])
      var body = JSONObject([
        "requestUri": "http://localhost", "idToken": "x",
        "postBody": .string(
          "providerId=google.com&id_token=\(PercentCoding.encodeForm(claims.text))"),
      ])
      body.merge(JSONObject(more))
      let now = project.clock.now.seconds
      let token = PresentedToken(
        claims: JSONObject([
          "aud": "demo", "sub": "ada", "user_id": "ada", "iat": .int(now), "auth_time": .int(now),
          "exp": .int(now + 3600), "firebase": ["sign_in_provider": "password"],
        ]), signature: .ours)
      let context = Context(
        now: project.clock.now, caller: .user, baseURL: "http://127.0.0.1:9099",
        presentedToken: token, logger: Logger(label: "test"))
      let outcome = try project.inProject { transaction throws(APIError) in
        try SignInWithIdp.run(reading: WireRequest(body: body), in: transaction, context)
      }
      return try await project.finish(outcome).json
    }

    func ada() throws -> User {
      try #require(
        try project.inProject { transaction throws(APIError) in
          try Accounts(in: transaction).user(localId: "ada")
        })
    }
  }

  @Test func `is the account's from then on, and the account keeps what it has`() async throws {
    let rig = try Rig { $0.displayName = "Ada" }
    let answer = try await rig.link(email: "other@example.com")
    #expect(answer["localId"] == "ada" && answer["isNewUser"] == nil)
    #expect(answer["federatedId"] == "https://accounts.google.com/1")
    let user = try rig.ada()
    #expect(user.provider("google.com")?.rawId == "1" && user.displayName == "Ada")
    #expect(user.email == Email("ada@example.com") && user.emailVerified != .yes)
  }

  @Test(arguments: [true, false])
  func `gives its address to an account without one`(isVerified: Bool) async throws {
    let rig = try Rig { $0.email = nil }
    _ = try await rig.link(email: "New@Example.com", isVerified: isVerified)
    let user = try rig.ada()
    #expect(user.email == Email("new@example.com"))
    #expect(user.emailVerified == (isVerified ? .yes : .no))
  }

  @Test(arguments: [true, false])
  func `proves the address that both have, if the provider does`(isVerified: Bool) async throws {
    let rig = try Rig { $0.emailVerified = .no }
    _ = try await rig.link(email: "ada@example.com", isVerified: isVerified)
    #expect(try rig.ada().emailVerified == (isVerified ? .yes : .no))
  }

  @Test func `replaces an older account at the same provider`() async throws {
    let rig = try Rig()
    _ = try await rig.link(sub: "1")
    _ = try await rig.link(sub: "2")
    #expect(try rig.ada().providerUserInfo?.map(\.rawId) == ["2"])
  }

  @Test func `is refused where it is linked already, which may be an answer`() async throws {
    let rig = try Rig()
    _ = try await rig.link()
    await #expect(throws: APIError(.federatedUserIdAlreadyLinked)) { try await rig.link() }
    let answer = try await rig.link(["returnIdpCredential": true])
    #expect(answer["errorMessage"] == "FEDERATED_USER_ID_ALREADY_LINKED")
    #expect(answer["localId"] == nil && answer["idToken"] == nil)
  }

  @Test(arguments: [true, false])
  func `is refused with another user's address, unless addresses are shared`(
    allowingDuplicates: Bool
  ) async throws {
    let rig = try Rig(allowingDuplicates: allowingDuplicates)
    guard !allowingDuplicates else {
      _ = try await rig.link(email: "bob@example.com", isVerified: true)
      #expect(try rig.ada().email == Email("ada@example.com"))
      return
    }
    await #expect(throws: APIError(.emailExists)) {
      try await rig.link(email: "bob@example.com", isVerified: true)
    }
    #expect(try rig.ada().provider("google.com") == nil)
  }
}

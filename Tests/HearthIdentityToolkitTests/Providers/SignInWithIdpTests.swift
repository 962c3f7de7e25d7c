import HearthCrypto
import HearthErrors
import HearthMailbox
import HearthOperations
import HearthTestSupport
import HearthTokens
import HearthWire
import Testing

@testable import HearthIdentityToolkit

/// The cases of `signInWithIdp` without a token; `LinkTests` has those with one.
@Suite struct `A sign-in with a provider` {
  private func project(
    allowingDuplicates: Bool = false, _ owner: (inout User) -> Void = { _ in }
  ) throws -> TestProject {
    let project = try TestProject(AccountsSchema.migrations + Message.migrations)
    try project.inProject { transaction throws(APIError) in
      var settings = try transaction.settings()
      settings.config["signIn"] = ["allowDuplicateEmails": .bool(allowingDuplicates)]
      try transaction.save(settings)
      var user = User(localId: "owner", tenantId: nil)
      user.email = Email("ada@example.com")
      user.password = PasswordHash(hashing: "secret1", Randomness())
      user.phoneNumber = PhoneNumber("+1")
      owner(&user)
      try Accounts(in: transaction).save(&user)
    }
    return project
  }

  private func signIn(
    _ project: TestProject, sub: String = "1", email: String? = "Ada@Example.com",
    isVerified: Bool = false, provider: String = "google.com"
  ) async throws -> JSONObject {
    let claims = JSON.members([
      "sub": .string(sub), "email": email.json, "email_verified": .bool(isVerified),
      "name": "Ada L.",
    ])
    return try await project.perform(
      SignInWithIdp.self,
      request: WireRequest(
        body: JSONObject([
          "requestUri": "http://localhost",
          "postBody": .string(
            "providerId=\(provider)&id_token=\(PercentCoding.encodeForm(claims.text))"),
        ]))
    ).json
  }

  private func owner(in project: TestProject) throws -> User {
    try #require(
      try project.inProject { transaction throws(APIError) in
        try Accounts(in: transaction).user(localId: "owner")
      })
  }

  @Test func `knows the account again, also by another address`() async throws {
    let project = try project()
    let first = try await signIn(project, email: "new@example.com")
    #expect(first["isNewUser"] == true && first["localId"] != "owner")
    let again = try await signIn(project, email: "other@example.com", isVerified: true)
    #expect(again["localId"] == first["localId"] && again["isNewUser"] == nil)
    #expect(try await signIn(project, sub: "2", email: nil)["localId"] != first["localId"])
  }

  /// The provider vouches for the address.
  @Test(arguments: [AccountFlag.yes, .no, .unset])
  func `merges by a verified address`(wasVerified: AccountFlag) async throws {
    let project = try project { $0.emailVerified = wasVerified }
    let answer = try await signIn(project, isVerified: true)
    #expect(answer["localId"] == "owner" && answer["needConfirmation"] == nil)
    #expect(answer["emailRecycled"] == nil && answer["isNewUser"] == nil)
    let user = try owner(in: project)
    #expect(user.emailVerified == .yes && user.displayName == "Ada L.")
    // Who did not prove the address is pushed out.
    let stays = wasVerified == .yes
    #expect((user.password != nil) == stays && (user.phoneNumber != nil) == stays)
    #expect((user.strandedSalt != nil) == !stays && (user.validSince != nil) == !stays)
  }

  @Test func `says so where it replaces an account at the provider`() async throws {
    let project = try project {
      var known = ProviderUserInfo(providerId: "google.com")
      known.rawId = "old"
      $0.link(known)
    }
    #expect(try await signIn(project, isVerified: true)["emailRecycled"] == true)
    #expect(try owner(in: project).provider("google.com")?.rawId == "1")
  }

  @Test func `asks for confirmation where the address is not verified`() async throws {
    let project = try project {
      $0.emailVerified = .yes
      $0.link(ProviderUserInfo(providerId: "apple.com"))
    }
    let before = try owner(in: project)
    let answer = try await signIn(project)
    #expect(answer["needConfirmation"] == true && answer["localId"] == "owner")
    #expect(answer["verifiedProvider"] == ["apple.com"] && answer["refreshToken"] == nil)
    #expect(try owner(in: project) == before)
  }

  @Test func `makes a second account where addresses may be shared`() async throws {
    let project = try project(allowingDuplicates: true)
    let answer = try await signIn(project, isVerified: true)
    #expect(answer["isNewUser"] == true && answer["localId"] != "owner")
    let id = answer["localId"]?.string ?? ""
    let user = try project.inProject { transaction throws(APIError) in
      try Accounts(in: transaction).user(localId: id)
    }
    #expect(user?.email == nil && user?.provider("google.com")?.email == "ada@example.com")
  }

  @Test func `of a disabled user keeps what the provider says, and is refused`() async throws {
    let project = try project { $0.disabled = .yes }
    await #expect(throws: APIError(.userDisabled).keepingWrites) {
      try await signIn(project, isVerified: true)
    }
  }
}

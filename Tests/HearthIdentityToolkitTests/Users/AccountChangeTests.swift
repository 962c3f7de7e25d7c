import HearthErrors
import HearthMailbox
import HearthOperations
import HearthTestSupport
import HearthTime
import HearthWire
import Testing

@testable import HearthIdentityToolkit

/// The steps of `accounts:update`, one by one.
@Suite struct `A change of an account` {
  private func project() throws -> TestProject {
    let project = try TestProject(AccountsSchema.migrations + Message.migrations)
    try project.inProject { transaction throws(APIError) in
      var bob = User(localId: "bob", tenantId: nil)
      bob.email = Email("bob@example.com")
      bob.phoneNumber = PhoneNumber("+491701111111")
      try Accounts(in: transaction).save(&bob)
    }
    return project
  }

  private func change(
    provider: String? = "password", _ change: (inout User) -> Void = { _ in }
  ) -> AccountChange {
    var user = User(localId: "ada", tenantId: nil)
    user.email = Email("ada@example.com")
    user.emailVerified = .yes
    change(&user)
    return AccountChange(user: user, signInProvider: provider)
  }

  private func request(_ members: KeyValuePairs<String, JSON?>) -> Update.Request {
    Update.Request(WireRequest(body: JSONObject(members)))
  }

  // MARK: Secrets

  @Test(arguments: ["password", "anonymous"])
  func `of the address remembers the first one, but for guests`(provider: String) throws {
    let project = try project()
    var change = change(provider: provider)
    try project.inProject { transaction throws(APIError) in
      try change.setEmail(request(["email": "New@Example.com"]), project: transaction)
      try change.setEmail(request(["email": "newer@example.com"]), project: transaction)
    }
    #expect(change.changesSecrets && change.newEmail == Email("newer@example.com"))
    #expect(change.user.email == Email("newer@example.com") && change.user.emailVerified == .no)
    let first = provider == "anonymous" ? nil : Email("ada@example.com")
    #expect(change.user.initialEmail == first)
  }

  @Test func `of the address to the same one changes nothing`() throws {
    let project = try project()
    var change = change()
    try project.inProject { transaction throws(APIError) in
      try change.setEmail(request(["email": "ADA@example.com"]), project: transaction)
      try change.setEmail(request(["email": ""]), project: transaction)
    }
    #expect(!change.changesSecrets && change.user.emailVerified == .yes)
  }

  @Test(
    arguments: [("bob@example.com", .emailExists), ("nobody", .invalidEmail)]
      as [(String, ErrorCode)])
  func `of the address is refused`(email: String, code: ErrorCode) throws {
    let project = try project()
    let refusal = project.refusal { transaction throws(APIError) in
      var change = change()
      try change.setEmail(request(["email": .string(email)]), project: transaction)
    }
    #expect(refusal == code)
  }

  @Test func `of the password makes it the way of signing in`() throws {
    let project = try project()
    var change = change(provider: nil)
    try project.inProject { transaction throws(APIError) in
      try change.setPassword(
        request(["password": "secret1"]), project: transaction, context: project.context())
    }
    #expect(change.changesSecrets && change.signInProvider == "password")
    #expect(change.user.password != nil)
    let refusal = project.refusal { transaction throws(APIError) in
      try change.setPassword(
        request(["password": "short"]), project: transaction, context: project.context())
    }
    #expect(refusal == .weakPassword)
  }

  // MARK: What administrators change

  @Test(
    arguments: [
      ("+491702222222", nil), ("+491701111111", .phoneNumberExists), ("12", .invalidPhoneNumber),
    ] as [(String, ErrorCode?)])
  func `of the number needs one that is free`(number: String, code: ErrorCode?) throws {
    let project = try project()
    var change = change()
    let refusal = project.refusal { transaction throws(APIError) in
      try change.setAdminFields(
        request(["phoneNumber": .string(number), "disableUser": true]), project: transaction)
    }
    #expect(refusal == code && change.user.isDisabled)
    #expect(change.user.phoneNumber == (code == nil ? PhoneNumber(number) : nil))
  }

  @Test func `of stored values takes them as they come`() {
    var change = change()
    change.setVerbatimFields(
      request([
        "emailVerified": false, "customAttributes": #"{"a":1}"#, "createdAt": "1",
        "lastLoginAt": "2", "validSince": "3",
      ]))
    #expect(change.user.emailVerified == .no && change.user.customAttributes == #"{"a":1}"#)
    #expect(change.user.createdAt?.number == 1 && change.user.lastLoginAt?.number == 2)
    #expect(change.user.validSince?.number == 3)
  }

  // MARK: Deletions

  @Test(
    arguments: [
      ["deleteProvider": ["password"]], ["deleteAttribute": ["EMAIL", "PASSWORD"]],
    ] as [JSON])
  func `takes address and password away`(body: JSON) throws {
    let project = try project()
    var change = change()
    try project.inProject { transaction throws(APIError) in
      try change.setPassword(
        request(["password": "secret1"]), project: transaction, context: project.context())
    }
    let deletion = Update.Request(WireRequest(body: body.object ?? JSONObject()))
    change.deleteAttributes(deletion)
    change.deleteProviders(deletion)
    #expect(change.user.email == nil && change.user.password == nil)
    #expect(change.user.emailVerified == .unset)
  }

  @Test func `takes names, numbers and providers away`() {
    var change = change {
      $0.displayName = "Ada"
      $0.photoUrl = "http://a/b"
      $0.phoneNumber = PhoneNumber("+491703333333")
      $0.link(ProviderUserInfo(providerId: "google.com"))
    }
    let deletion = request([
      "deleteAttribute": ["DISPLAY_NAME", "PHOTO_URL"], "deleteProvider": ["phone", "google.com"],
    ])
    change.deleteAttributes(deletion)
    change.deleteProviders(deletion)
    #expect(change.user.displayName == nil && change.user.photoUrl == nil)
    #expect(change.user.phoneNumber == nil && change.user.provider("google.com") == nil)
    #expect(change.user.email == Email("ada@example.com"))
  }

  // MARK: Codes

  @Test func `by a code to recover gives the first address back, once`() throws {
    let project = try project()
    let code = try project.inProject { transaction throws(APIError) in
      var ada = User(localId: "ada", tenantId: nil)
      ada.email = Email("new@example.com")
      ada.initialEmail = Email("ada@example.com")
      try Accounts(in: transaction).save(&ada)
      return try OobCodes(in: transaction).make(
        .recoverEmail, email: Email(canonical: "ada@example.com"), context: project.context()
      ).code
    }
    let change = try project.inProject { transaction throws(APIError) in
      try AccountChange.redeeming(code, in: transaction, context: project.context())
    }
    #expect(change.user.email == Email("ada@example.com") && change.user.emailVerified == .yes)
    let again = project.refusal { transaction throws(APIError) in
      _ = try AccountChange.redeeming(code, in: transaction, context: project.context())
    }
    #expect(again == .invalidOobCode)
  }

  @Test func `by a code to reset a password is not made here`() throws {
    let project = try project()
    let refusal = project.refusal { transaction throws(APIError) in
      let code = try OobCodes(in: transaction).make(
        .passwordReset, email: Email(canonical: "bob@example.com"), context: project.context())
      _ = try AccountChange.redeeming(code.code, in: transaction, context: project.context())
    }
    #expect(refusal == APIError.notImplemented("").code)
  }
}

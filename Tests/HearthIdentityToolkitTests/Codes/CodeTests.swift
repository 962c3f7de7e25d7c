import HearthErrors
import HearthMailbox
import HearthOperations
import HearthTestSupport
import HearthTime
import HearthWire
import Testing

@testable import HearthIdentityToolkit

extension TestProject {
  /// With accounts, codes and mails, and switches that a test changes.
  init(_ change: (inout Switches) -> Void) throws {
    try self.init(AccountsSchema.migrations + Message.migrations)
    try inProject { project throws(APIError) in
      var settings = try project.settings()
      change(&settings.switches)
      try project.save(settings)
    }
  }

  /// The code of the refusal; nil when there is none.
  func refusal(
    in projectId: String = "demo", tenant: String? = nil,
    _ body: (ProjectTransaction) throws(APIError) -> Void
  ) -> ErrorCode? {
    do throws(APIError) {
      try inProject(projectId, tenant: tenant, body: body)
      return nil
    } catch {
      return error.code
    }
  }
}

@Suite struct `A mailed code` {
  private static let ada = Email(canonical: "ada@example.com")

  private func code(
    _ type: OobCode.RequestType = .passwordReset, in project: TestProject
  ) throws -> OobCode {
    try project.inProject { transaction throws(APIError) in
      try OobCodes(in: transaction).make(
        type, email: Self.ada, newEmail: Email("new@example.com"), context: project.context())
    }
  }

  private func refusal(
    of code: String, _ project: TestProject, in projectId: String = "demo", tenant: String? = nil
  ) -> ErrorCode? {
    project.refusal(in: projectId, tenant: tenant) { transaction throws(APIError) in
      _ = try OobCodes(in: transaction).pending(code, context: project.context())
    }
  }

  @Test func `is known where it was made, letter by letter`() throws {
    let project = try TestProject { _ in }
    let code = try code(in: project).code
    #expect(refusal(of: code, project) == nil)
    #expect(refusal(of: code, project, in: "demo-other") == .invalidOobCode)
    #expect(refusal(of: code, project, tenant: "t") == .invalidOobCode)
    #expect(refusal(of: String(code.dropLast()), project) == .invalidOobCode)
    #expect(refusal(of: code.lowercased() + "x", project) == .invalidOobCode)
    #expect(refusal(of: "", project) == .invalidOobCode)
  }

  @Test func `is used once`() throws {
    let project = try TestProject { _ in }
    let (one, other) = (try code(in: project), try code(in: project))
    try project.inProject { transaction throws(APIError) in
      try OobCodes(in: transaction).consume(one, context: project.context())
    }
    #expect(refusal(of: one.code, project) == .invalidOobCode)
    #expect(refusal(of: other.code, project) == nil)
    let pending = try project.inProject { transaction throws(APIError) in
      try OobCodes(in: transaction).allPending(project.context())
    }
    #expect(pending == [other])
  }

  @Test(
    arguments: [
      (.passwordReset, 100), (.emailSignin, 200), (.verifyEmail, 300),
      (.verifyAndChangeEmail, 300), (.recoverEmail, 300),
    ] as [(OobCode.RequestType, Int64)])
  func `lives as long as its type`(type: OobCode.RequestType, seconds: Int64) throws {
    for expires in [true, false] {
      let project = try TestProject {
        $0.passwordResetCodeLifetime = 100
        $0.emailLinkCodeLifetime = 200
        $0.verificationCodeLifetime = 300
        $0.codeExpiry = expires
      }
      let code = try code(type, in: project).code
      project.clock.advance(by: .seconds(seconds) - .milliseconds(1))
      #expect(refusal(of: code, project) == nil)
      project.clock.advance(by: .milliseconds(1))
      #expect(refusal(of: code, project) == (expires ? .expiredOobCode : nil))
      let pending = try project.inProject { transaction throws(APIError) in
        try OobCodes(in: transaction).allPending(project.context()).count
      }
      #expect(pending == (expires ? 0 : 1))
    }
  }

  @Test(arguments: OobCode.RequestType.allCases)
  func `goes to the address that it proves`(type: OobCode.RequestType) throws {
    let project = try TestProject { _ in }
    let code = try code(type, in: project)
    let expected = type == .verifyAndChangeEmail ? "new@example.com" : "ada@example.com"
    #expect(code.recipient.text == expected)
    let lines = try project.inProject { transaction throws(APIError) in
      try OobCodes(in: transaction).mail(code, to: nil, context: project.context())
      return transaction.outbox.lines
    }
    #expect(lines.count == 1 && lines.first?.contains(code.link) == true)
  }

  @Test(
    arguments: [
      (
        nil, nil,
        "http://127.0.0.1:9099/emulator/action?mode=verifyEmail&lang=en&oobCode=CODE&apiKey=KEY"
      ),
      (
        "https://a.example/?x=1&y", nil,
        "http://127.0.0.1:9099/emulator/action?mode=verifyEmail&lang=en&oobCode=CODE&apiKey=KEY"
          + "&continueUrl=https%3A%2F%2Fa.example%2F%3Fx%3D1%26y"
      ),
      (
        nil, "https://page.example/?a=b",
        "https://page.example/?a=b&mode=verifyEmail&lang=en&oobCode=CODE&apiKey=KEY"
      ),
    ] as [(String?, String?, String)])
  func `has a link`(continueURL: String?, page: String?, link: String) throws {
    for (projectId, key) in [("demo", "fake-api-key"), ("demo-other", "demo-other")] {
      let project = try TestProject { _ in }
      let code = try project.inProject(projectId) { transaction throws(APIError) in
        var settings = try transaction.settings()
        settings.config["notification"] = page.map { ["sendEmail": ["callbackUri": .string($0)]] }
        try transaction.save(settings)
        return try OobCodes(in: transaction).make(
          .verifyEmail, email: Self.ada, continueURL: continueURL, context: project.context())
      }
      #expect(
        code.link.replacing(code.code, with: "CODE") == link.replacing("KEY", with: key))
    }
  }
}

@Suite struct `A code for a phone` {
  private static let phone = PhoneNumber(unchecked: "+15555550100")

  /// The session and its code.
  private func send(
    _ project: TestProject, tenant: String? = nil
  ) throws -> (session: String, code: String) {
    try project.inProject(tenant: tenant) { transaction throws(APIError) in
      let codes = VerificationCodes(in: transaction)
      let session = try codes.send(to: Self.phone, for: .signIn, context: project.context())
      return (session, try codes.allPending().last?.code ?? "")
    }
  }

  private func redeem(
    _ code: String, session: String, project: TestProject, tenant: String? = nil
  ) -> ErrorCode? {
    project.refusal(tenant: tenant) { transaction throws(APIError) in
      #expect(
        try VerificationCodes(in: transaction).redeem(
          code, session: session, context: project.context())
          == Self.phone)
    }
  }

  @Test func `is redeemed once, in its session`() throws {
    let project = try TestProject { _ in }
    let (one, other) = (try send(project), try send(project))
    #expect(
      redeem("x" + one.code.dropFirst(), session: one.session, project: project) == .invalidCode)
    #expect(redeem(one.code, session: "nowhere", project: project) == .invalidSessionInfo)
    #expect(
      redeem(one.code, session: one.session, project: project, tenant: "t") == .invalidSessionInfo)
    #expect(redeem(one.code, session: one.session, project: project) == nil)
    #expect(redeem(one.code, session: one.session, project: project) == .invalidSessionInfo)
    #expect(redeem(other.code, session: other.session, project: project) == nil)
  }

  @Test(arguments: [true, false]) func `expires`(isOn: Bool) throws {
    let project = try TestProject {
      $0.smsCodeLifetime = 60
      $0.codeExpiry = isOn
    }
    let sent = try send(project)
    project.clock.advance(by: .seconds(60))
    #expect(
      redeem(sent.code, session: sent.session, project: project) == (isOn ? .sessionExpired : nil))
  }

  @Test func `cannot be guessed for long`() throws {
    let project = try TestProject {
      $0.rateLimits = true
      $0.wrongPasswordLimit = 2
      $0.rateLimitWindow = 30
    }
    let sent = try send(project)
    for _ in 0..<2 {
      #expect(redeem("wrong", session: sent.session, project: project) == .invalidCode)
    }
    #expect(redeem(sent.code, session: sent.session, project: project) == .tooManyAttempts)
    project.clock.advance(by: .seconds(30))
    #expect(redeem(sent.code, session: sent.session, project: project) == nil)
  }

  @Test func `leaves a proof of the number, for an hour`() throws {
    let project = try TestProject { _ in }
    let proof = try project.inProject { transaction throws(APIError) in
      try VerificationCodes(in: transaction).makeTemporaryProof(of: Self.phone, project.context())
    }
    func refusal(_ proof: String, phone: PhoneNumber, in projectId: String = "demo") -> ErrorCode? {
      project.refusal(in: projectId) { transaction throws(APIError) in
        try VerificationCodes(in: transaction).checkTemporaryProof(
          proof, of: phone, context: project.context())
      }
    }
    #expect(refusal(proof, phone: Self.phone) == nil)
    #expect(refusal(proof, phone: PhoneNumber(unchecked: "+1")) == .invalidTemporaryProof)
    #expect(refusal("x", phone: Self.phone) == .invalidTemporaryProof)
    #expect(refusal(proof, phone: Self.phone, in: "demo-other") == .invalidTemporaryProof)
    project.clock.advance(by: .seconds(3600))
    #expect(refusal(proof, phone: Self.phone) == .invalidTemporaryProof)
  }
}

@Suite struct `Limits of attempts` {
  private func project(limit: Int64, isOn: Bool = true) throws -> TestProject {
    try TestProject {
      $0.rateLimits = isOn
      $0.wrongPasswordLimit = limit
      $0.rateLimitWindow = 100
    }
  }

  private func attempt(_ account: String, project: TestProject) -> ErrorCode? {
    project.refusal { transaction throws(APIError) in
      try Attempts(in: transaction).requireAttemptsLeft(
        .wrongPassword, account: account, context: project.context())
      try Attempts(in: transaction).countAttempt(
        .wrongPassword, account: account, context: project.context())
    }
  }

  @Test func `hold for one account, until the window is over`() throws {
    let project = try project(limit: 2)
    #expect((0..<3).map { _ in attempt("a", project: project) } == [nil, nil, .tooManyAttempts])
    #expect(attempt("b", project: project) == nil)
    project.clock.advance(by: .seconds(99))
    #expect(attempt("a", project: project) == .tooManyAttempts)
    project.clock.advance(by: .seconds(1))
    #expect((0..<3).map { _ in attempt("a", project: project) } == [nil, nil, .tooManyAttempts])
  }

  @Test func `are forgotten for the account, not for the address`() throws {
    let project = try project(limit: 1)
    for index in 0..<10 {
      #expect(attempt("a", project: project) == nil, "\(index)")
      try project.inProject { transaction throws(APIError) in
        try Attempts(in: transaction).forgetAttempts(.wrongPassword, account: "a")
      }
    }
    // Ten times as many from one address, over all accounts.
    #expect(attempt("a", project: project) == .tooManyAttempts)
    #expect(attempt("b", project: project) == .tooManyAttempts)
  }

  @Test func `are off unless they are switched on`() throws {
    let project = try project(limit: 1, isOn: false)
    #expect((0..<3).map { _ in attempt("a", project: project) } == [nil, nil, nil])
  }
}

import HearthErrors
import HearthOperations
import HearthTestSupport
import HearthTime
import HearthTokens
import HearthWire
import Testing

@Suite struct `A transaction on a project` {
  private let project: TestProject

  init() throws { project = try TestProject([]) }

  private func set(
    in projectId: String = "demo", _ change: (inout Switches) -> Void
  ) throws {
    try project.inProject(projectId) { project throws(APIError) in
      var settings = try project.settings()
      change(&settings.switches)
      try project.save(settings)
    }
  }

  @Test func `keeps the settings of its project only`() throws {
    try set { $0.answers = .production }
    #expect(
      try project.inProject { project throws(APIError) in try project.answers } == .production)
    let other = try project.inProject("other") { project throws(APIError) in try project.answers }
    #expect(other == .emulator)
  }

  @Test func `forgets settings with what it wrote`() throws {
    #expect(throws: APIError(.userNotFound)) {
      try project.inProject { project throws(APIError) in
        var settings = try project.settings()
        settings.switches.codeExpiry = false
        try project.save(settings)
        throw APIError(.userNotFound)
      }
    }
    let switches = try project.inProject { project throws(APIError) in try project.switches() }
    #expect(switches.codeExpiry)
  }

  @Test func `tells of switches that have changed, and of no others`() throws {
    for (isOn, count) in [(true, 0), (false, 1), (false, 0)] {
      let told = try project.inProject { project throws(APIError) in
        var settings = try project.settings()
        settings.switches.codeExpiry = isOn
        try project.save(settings)
        return project.outbox.changes.count
      }
      #expect(told == count)
    }
  }

  @Test func `makes a tenant that is named, and keeps it`() throws {
    let named = try project.inProject(tenant: "t") { project throws(APIError) in
      try project.tenant()?.tenantId
    }
    #expect(named == "t")
    try set { $0.strictTenants = true }
    let known = try project.inProject(tenant: "t") { project throws(APIError) in
      try project.tenant()?.tenantId
    }
    #expect(known == "t")
  }

  @Test(arguments: [
    (Switches.Program.emulator, ErrorCode.tenantNotFound), (.production, .invalidTenantId),
  ])
  func `refuses an unknown tenant where they are strict`(
    answers: Switches.Program, refusal: ErrorCode
  ) throws {
    try set {
      $0.strictTenants = true
      $0.answers = answers
    }
    #expect(throws: APIError(refusal)) {
      try project.inProject(tenant: "nobody") { project throws(APIError) in
        _ = try project.tenant()
      }
    }
  }

  @Test(
    arguments: [
      (.ours, "demo", true, true), (.ours, "other", true, false), (.foreign, "demo", true, false),
      (.none, "other", true, true), (.none, "demo", false, false),
    ] as [(PresentedToken.Signature, String, Bool, Bool)])
  func `takes tokens of its own`(
    signature: PresentedToken.Signature, audience: String, takesUnsigned: Bool, isTaken: Bool
  ) throws {
    try set { $0.acceptUnsignedTokens = takesUnsigned }
    let token = PresentedToken(
      claims: JSONObject(["aud": .string(audience)]), signature: signature)
    let found = try project.inProject { project throws(APIError) in
      try project.accepts(token, whereUnsignedAreIssued: false)
    }
    #expect(found == isTaken)
  }

  @Test(arguments: [(0, false), (60, true)] as [(Int64, Bool)])
  func `counts the end of signed tokens`(age: Int64, hasExpired: Bool) throws {
    let now = project.clock.now
    for signature in [PresentedToken.Signature.ours, .none] {
      let token = PresentedToken(
        claims: JSONObject(["exp": .int(now.seconds + 30 - age)]), signature: signature)
      let found = try project.inProject { project throws(APIError) in
        try project.hasExpired(token, at: now)
      }
      #expect(found == (hasExpired && signature == .ours))
    }
  }
}

import Foundation
import HearthClient
import HearthTesting
import Testing

@Suite(.hearth(on: .local)) struct `Each test has a project of its own` {
  let hearth = HearthClient.current

  /// The same address and the same document in all of them, at the same time.
  @Test(arguments: 0..<50) func `side by side with others`(number: Int) async throws {
    let session = try await hearth.signUp(email: "ann@example.com", password: "old secret")
    try await hearth.setDocument("users/ann", ["number": .int(number)])
    try await hearth.sendPasswordReset(to: "ann@example.com")
    let code = try await hearth.waitForCode(to: "ann@example.com", type: .passwordReset)
    try await hearth.resetPassword(code: code, newPassword: "new secret")
    let fresh = try await hearth.signIn(email: "ann@example.com", password: "new secret")
    #expect(fresh.localId == session.localId)
    #expect(try await hearth.document("users/ann") == ["number": .int(number)])
    #expect(try await hearth.mails().count == 1)
    try await hearth.expectRequests("*.signUp", count: 1)
  }

  @Test func `that SDKs find by its key and its addresses`() async throws {
    #expect(hearth.project.hasPrefix("demo-") && hearth.apiKey == hearth.project)
    #expect(hearth.authAddress != hearth.firestoreAddress)
    let reply = try await App(hearth: hearth).post(
      "/identitytoolkit.googleapis.com/v1/accounts:signUp?key=\(hearth.apiKey)",
      body: ["email": "ann@example.com", "password": "old secret"])
    #expect(reply.status == 200)
    #expect(try await hearth.lookup(email: "ann@example.com") != nil)
  }

  @Test func `and an inner trait wins`() async throws {
    let outer = hearth
    try await TestProject(server: .local, seed: .text("documents: {a/b: {c: 1}}")).run {
      #expect(HearthClient.current.project != outer.project)
      let fields = try await HearthClient.current.document("a/b")
      #expect(fields == ["c": 1])
    }
    #expect(HearthClient.current.project == outer.project)
    #expect(try await outer.document("a/b") == nil)
  }
}

@Suite struct `The project of a test` {
  private struct Failure: Error {}

  @Test(arguments: [false, true]) func `is cleared at its end`(fails: Bool) async throws {
    let used = try? await TestProject(server: .local).run {
      let client = HearthClient.current
      try await client.createUser(email: "ann@example.com")
      try await client.setDocument("users/ann", ["name": "Ann"])
      if fails { throw Failure() }
      return client
    }
    #expect((used == nil) == fails)
    guard let used else { return }
    #expect(try await used.lookup(email: "ann@example.com") == nil)
    #expect(try await used.document("users/ann") == nil)
  }

  @Test func `may be one for all tests`() async throws {
    let project = TestProject(server: .local, id: "demo-one-for-all")
    for _ in 0..<2 {
      try await project.run {
        let hearth = HearthClient.current
        #expect(hearth.project == "demo-one-for-all")
        try await hearth.createUser(email: "ann@example.com", localId: "ann")
      }
    }
  }

  @Test func `begins as a copy of a snapshot`() async throws {
    let standard = try await HearthServerSource.local.client()
    try await standard.setDocument("shops/one", ["open": true])
    try await standard.saveSnapshot("isolation", replacing: true)
    let project = TestProject(server: .local, snapshot: "isolation")
    try await project.run {
      #expect(try await HearthClient.current.document("shops/one") == ["open": true])
      try await HearthClient.current.deleteDocument("shops/one")
    }
    try await project.run {
      let fields = try await HearthClient.current.document("shops/one")
      #expect(fields != nil)
    }
  }

  @Test func `is missing elsewhere, and says so`() async throws {
    let error = await refusal { try await HearthClient.current.signInAnonymously() }
    #expect(error?.code == "NO_PROJECT")
    #expect(error?.message.contains(".hearth") == true)
  }
}

@Suite(
  .hearth(
    on: .local,
    seed: .text(
      """
      users:
        - {uid: ann, email: ann@example.com, password: old secret, claims: {role: admin}}
      documents:
        users/ann: {name: Ann, age: 36, born: !timestamp 1990-12-10T00:00:00.5Z}
      switches: {emailEnumerationProtection: true}
      """),
    rules: .text(
      """
      rules_version = '2';
      service cloud.firestore {
        match /databases/{d}/documents/users/{user} {
          allow read: if request.auth.uid == user;
          allow write: if request.auth.token.role == 'admin';
        }
      }
      """))
) struct `A seed and rules` {
  let hearth = HearthClient.current

  @Test func `are there in each test`() async throws {
    let ann = try await hearth.signIn(email: "ann@example.com", password: "old secret")
    #expect(ann.localId == "ann" && ann.claims["role"] == "admin")
    let fields = try await hearth.document("users/ann", as: .user(ann))
    let born = try #require(try? Date("1990-12-10T00:00:00Z", strategy: .iso8601))
    #expect(
      fields == [
        "name": "Ann", "age": 36, "born": .timestamp(born.addingTimeInterval(0.5)),
      ])
    for caller in [FirestoreCaller.nobody, .user(try await hearth.signInAnonymously())] {
      let error = await refusal { try await hearth.document("users/ann", as: caller) }
      #expect(error?.code == "PERMISSION_DENIED")
    }
    #expect(try await hearth.switches()[.emailEnumerationProtection] == true)
  }

  @Test func `tell which line is wrong`() async throws {
    let seed = await refusal { try await hearth.applySeed("users:\n  - {uid: x, emial: y}") }
    #expect(seed?.message.contains("seed:2: /users/0/emial") == true, "\(seed?.message ?? "")")
    let rules = await refusal { try await hearth.setRules("service cloud.firestore { nonsense }") }
    #expect(rules != nil)
    let file = await refusal { try await hearth.applySeed("rules: some.rules") }
    #expect(file?.message.contains("path of the seed") == true, "\(file?.message ?? "")")
  }
}

/// Counts how often something happened.
private actor Counter {
  static let preparations = Counter()
  private(set) var count = 0
  func add() { count += 1 }
}

@Suite(
  .hearth(on: .local) { hearth in
    await Counter.preparations.add()
    try await hearth.createUser(email: "ann@example.com", password: "old secret", localId: "ann")
    try await hearth.setDocument("users/ann", ["name": "Ann"])
  }
) struct `A preparation` {
  @Test(arguments: 0..<8) func `happens once, and each test has a copy`(number: Int) async throws {
    let hearth = HearthClient.current
    #expect(try await hearth.document("users/ann") == ["name": "Ann"])
    try await hearth.setDocument("users/ann", ["name": .string("\(number)")])
    let session = try await hearth.signIn(email: "ann@example.com", password: "old secret")
    #expect(session.localId == "ann")
    #expect(await Counter.preparations.count == 1)
  }
}

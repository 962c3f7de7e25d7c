import Foundation
import HearthClient
import HearthTesting
import Testing

/// Five ways from a forgotten password to a new one.
@Suite(.hearth(on: .local)) struct `Flows of Firebase apps` {
  private static let rules = """
    rules_version = '2';
    service cloud.firestore {
      match /databases/{database}/documents/users/{userId} {
        allow read: if request.auth != null && request.auth.uid == userId;
      }
    }
    """

  let hearth = HearthClient.current

  @Test func `A login reads the user's own document`() async throws {
    try await hearth.setRules(Self.rules)
    let ana = try await hearth.signUp(email: "ana@example.com", password: "old-password")
    let eve = try await hearth.signUp(email: "eve@example.com", password: "eves-own")
    try await hearth.setDocument("users/\(ana.localId)", ["displayName": "Ana", "photoURL": nil])
    let fields = try await hearth.document("users/\(ana.localId)", as: .user(ana))
    #expect(fields?["displayName"] == "Ana")
    let other = await refusal {
      try await hearth.document("users/\(ana.localId)", as: .user(eve))
    }
    #expect(other?.code == "PERMISSION_DENIED")
    let wrong = await refusal {
      try await hearth.signIn(email: "ana@example.com", password: "wrong-one")
    }
    #expect(wrong?.code == "INVALID_PASSWORD")
    try await hearth.addFault(Fault("*.signInWithPassword", .status(503), times: 1))
    let down = await refusal {
      try await hearth.signIn(email: "ana@example.com", password: "old-password")
    }
    #expect(down?.httpStatus == 503)
    try await hearth.advanceClock(by: .seconds(3600))
    #expect(await refusal { try await hearth.lookup(ana) }?.code == "TOKEN_EXPIRED")
    _ = try await hearth.lookup(try await hearth.refresh(ana))
  }

  @Test func `A reset ends old sessions`() async throws {
    try await hearth.createUser(email: "ana@example.com", password: "old-password")
    let old = try await hearth.signIn(email: "ana@example.com", password: "old-password")
    try await hearth.advanceClock(by: .seconds(2))
    try await hearth.sendPasswordReset(to: "ana@example.com")
    let link = try await hearth.waitForLink(to: "ana@example.com", type: .passwordReset)
    let code = try await hearth.waitForCode(to: "ana@example.com", type: .passwordReset)
    #expect(link.absoluteString.contains(code))
    try await hearth.resetPassword(code: code, newPassword: "new-password")
    try await expectReset(hearth, ending: old)
    let again = await refusal {
      try await hearth.resetPassword(code: code, newPassword: "third-one")
    }
    #expect(again?.code == "INVALID_OOB_CODE")
  }
}

/// Back ends with an API of their own, which have the accounts of the default project.
@Suite(
  .serialized, .hearth(on: .binary(Place.binary, arguments: Dialects.flags), project: "demo-hearth")
) struct `Flows of other back ends` {
  let hearth = HearthClient.current

  private func signedIn() async throws -> Session {
    try await hearth.createUser(email: "ana@example.com", password: "old-password")
    let session = try await hearth.signIn(email: "ana@example.com", password: "old-password")
    try await hearth.advanceClock(by: .seconds(2))
    return session
  }

  @Test func `A short code in a mail`() async throws {
    let app = App(hearth: hearth, prefix: "/api/v1/auth")
    let session = try await signedIn()
    #expect(
      try await app.post("/forgot-password", body: ["email": "ana@example.com"]).status == 200)
    let code = try await hearth.waitForCode(to: "ana@example.com")
    #expect(code.count == 8)
    let body = ["code": code.lowercased(), "new_password": "new-password"]
    #expect(try await app.post("/reset-password", body: body).status == 200)
    #expect(try await app.post("/reset-password", body: body).status == 400)
    try await expectReset(hearth, ending: session)
  }

  @Test func `A link with a token`() async throws {
    let app = App(hearth: hearth, prefix: "/api")
    let session = try await signedIn()
    let asked = try await app.post(
      "/reset_password/", body: ["email": "ana@example.com"],
      headers: ["User-Agent": "Jabrutouch/2.0"])
    #expect(asked.status == 200 && asked["success"] == true)
    let link = try await hearth.waitForLink(to: "ana@example.com")
    #expect(link.host == "jabrutouch.page.link")
    let token = try await hearth.waitForCode(to: "ana@example.com")
    let body = ["token": token, "new_password": "new-password"]
    #expect(try await app.post("/confirm_reset_password/", body: body).status == 200)
    #expect(try await app.post("/confirm_reset_password/", body: body).status == 400)
    try await expectReset(hearth, ending: session)
  }

  @Test func `A token that is verified first`() async throws {
    let app = App(hearth: hearth, prefix: "/v1/auth")
    let session = try await signedIn()
    #expect(
      try await app.post("/forgot-password", body: ["email": "ana@example.com"]).status == 200)
    let token = try await hearth.waitForCode(to: "ana@example.com")
    let verified = try await app.post("/verify-reset-token", body: ["token": token])
    #expect(verified["valid"] == true && verified["user_email"] == "ana@example.com")
    let weak = try await app.post(
      "/reset-password", body: ["token": token, "new_password": "weak"])
    #expect(weak.status == 400)
    let done = try await app.post(
      "/reset-password", body: ["token": token, "new_password": "New-passw0rd"])
    #expect(done.status == 200)
    try await expectReset(hearth, to: "New-passw0rd", ending: session)
  }
}

/// The new password works, and neither the old one nor the old session does.
private func expectReset(
  _ hearth: HearthClient, to password: String = "new-password", ending session: Session
) async throws {
  let fresh = try await hearth.signIn(email: "ana@example.com", password: password)
  #expect(fresh.localId == session.localId)
  let old = await refusal {
    try await hearth.signIn(email: "ana@example.com", password: "old-password")
  }
  #expect(old?.code == "INVALID_PASSWORD")
  #expect(await refusal { try await hearth.refresh(session) }?.code == "TOKEN_EXPIRED")
}

/// Copies of the definitions without ports of their own, which on this machine may be taken.
private enum Dialects {
  static let flags: [String] = ["swiftly-feedback", "jabrutouch", "artitec"].flatMap { name in
    ["--dialect", (try? copyWithoutPort(name)) ?? "no copy of \(name)"]
  }

  private static func copyWithoutPort(_ name: String) throws -> String {
    let fixture = Place.root.appending(path: "fixtures/dialects/\(name).json")
    var definition = try JSONDecoder().decode(
      [String: JSONValue].self, from: Data(contentsOf: fixture))
    if case .object(var place)? = definition["serve"] {
      place["port"] = nil
      definition["serve"] = .object(place)
    }
    let copy = FileManager.default.temporaryDirectory
      .appending(path: "hearth-testing-\(name)-\(ProcessInfo.processInfo.processIdentifier).json")
    try JSONEncoder().encode(definition).write(to: copy)
    return copy.path
  }
}

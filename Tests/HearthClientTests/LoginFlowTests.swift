import HearthClient
import HearthTestSupport
import HearthTime
import HearthWire
import Testing

/// An app with accounts at Firebase, and a document for each user in Firestore.
@Suite struct `A Firebase login` {
  private static let documents = "/v1/projects/demo-hearth/databases/(default)/documents"
  private static let rules = """
    rules_version = '2';
    service cloud.firestore {
      match /databases/{database}/documents {
        match /users/{userId} {
          allow read: if request.auth != null && request.auth.uid == userId;
        }
      }
    }
    """

  /// The project with the app's rules, and a user with a document.
  private func open(_ body: @escaping @Sendable (Flow, Session) async throws -> Void) async throws {
    try await Flow.open { flow in
      let session = try await flow.signedInUser("ana@example.com", password: "old-password")
      let loaded = try await flow.firestore.send(
        "PUT",
        path: "/emulator/v1/projects/demo-hearth:securityRules",
        body: ["rules": ["files": [["name": "firestore.rules", "content": .string(Self.rules)]]]])
      #expect(loaded.status == 200, "\(loaded.text)")
      let written = try await flow.firestore.send(
        "PATCH",
        path: "\(Self.documents)/users/\(session.localId)",
        body: [
          "fields": [
            "email": ["stringValue": "ana@example.com"], "displayName": ["stringValue": "Ana"],
            "createdAt": ["timestampValue": "2026-01-01T00:00:00Z"],
          ]
        ], headers: [("Authorization", "Bearer owner")])
      #expect(written.status == 200, "\(written.text)")
      try await body(flow, session)
    }
  }

  private func document(
    of user: String, as token: String?, _ flow: Flow
  ) async throws -> TestClient.Reply {
    try await flow.firestore.get(
      "\(Self.documents)/users/\(user)",
      headers: token.map { [("Authorization", "Bearer \($0)")] } ?? [])
  }

  @Test func `reads the user's own document, and nobody else's`() async throws {
    try await open { flow, session in
      let own = try await document(of: session.localId, as: session.idToken, flow)
      #expect(own["fields"]?["displayName"]?["stringValue"] == "Ana")
      #expect(own["fields"]?["createdAt"]?["timestampValue"] == "2026-01-01T00:00:00Z")
      let other = try await flow.hearth.signUp(email: "eve@example.com", password: "eves-own")
      for token in [other.idToken, nil] {
        let reply = try await document(of: session.localId, as: token, flow)
        #expect(reply.status == 403)
        #expect(reply["error"]?["status"] == "PERMISSION_DENIED")
      }
    }
  }

  @Test func `after a reset works with the new password only`() async throws {
    try await open { flow, session in
      try await flow.hearth.sendPasswordReset(to: "ana@example.com")
      let mail = try await flow.hearth.waitForMail(to: "ana@example.com", type: .passwordReset)
      try await flow.hearth.resetPassword(
        code: try #require(mail.code), newPassword: "new-password")
      try await flow.expectReset(
        of: "ana@example.com", to: "new-password", from: "old-password", ending: session)
      let fresh = try await flow.hearth.signIn(email: "ana@example.com", password: "new-password")
      #expect(try await document(of: session.localId, as: fresh.idToken, flow).status == 200)
    }
  }

  @Test func `is refused for wrong credentials, alike under enumeration protection`() async throws {
    try await open { flow, _ in
      func refusals() async -> [String?] {
        [
          await refusal {
            try await flow.hearth.signIn(email: "ana@example.com", password: "wrong-one")
          },
          await refusal {
            try await flow.hearth.signIn(email: "no@example.com", password: "wrong-one")
          },
        ]
      }
      #expect(await refusals() == ["INVALID_PASSWORD", "EMAIL_NOT_FOUND"])
      try await flow.hearth.setSwitches([.emailEnumerationProtection: true])
      #expect(await refusals() == ["INVALID_LOGIN_CREDENTIALS", "INVALID_LOGIN_CREDENTIALS"])
    }
  }

  @Test func `expires after an hour, and is refreshed`() async throws {
    try await open { flow, session in
      flow.clock.advance(by: .seconds(3600))
      #expect(await refusal { try await flow.hearth.lookup(session) } == "TOKEN_EXPIRED")
      let reply = try await document(of: session.localId, as: session.idToken, flow)
      #expect(reply.status == 401)
      #expect(reply["error"]?["status"] == "UNAUTHENTICATED")
      let fresh = try await flow.hearth.refresh(session)
      #expect(try await document(of: session.localId, as: fresh.idToken, flow).status == 200)
    }
  }

  @Test func `ends with the account`() async throws {
    try await open { flow, session in
      try await flow.hearth.deleteAllAccounts()
      #expect(await refusal { try await flow.hearth.lookup(session) } == "USER_NOT_FOUND")
      #expect(await refusal { try await flow.hearth.refresh(session) } != nil)
    }
  }

  @Test func `is refused to a disabled user`() async throws {
    try await Flow.open { flow in
      try await flow.hearth.createUser(
        email: "ana@example.com", password: "old-password", disabled: true)
      #expect(
        await refusal {
          try await flow.hearth.signIn(email: "ana@example.com", password: "old-password")
        } == "USER_DISABLED")
    }
  }
}

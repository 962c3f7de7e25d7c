import Foundation
import HearthClient
import HearthTestSupport
import Testing

@Suite struct `Snapshots of a test` {
  @Test func `bring back what it has changed`() async throws {
    try await Flow.open { flow in
      let hearth = flow.hearth.isolatedProject()
      try await hearth.createUser(email: "ann@example.com", password: "secret1")
      let saved = try await hearth.saveSnapshot("seeded")
      #expect(saved.name == "seeded" && saved.bytes > 0)
      #expect(try await hearth.snapshots() == [saved])
      await #expect(throws: HearthError.self) { try await hearth.saveSnapshot("seeded") }
      try await hearth.saveSnapshot("seeded", replacing: true)

      try await hearth.sendPasswordReset(to: "ann@example.com")
      let fork = try await hearth.forkSnapshot("seeded", to: hearth.project + "-fork")
      try await hearth.restoreSnapshot("seeded")
      #expect(try await hearth.mails().isEmpty)
      try await fork.sendPasswordReset(to: "ann@example.com")
      #expect(try await fork.mails().count == 1)
      #expect(try await hearth.mails().isEmpty)

      try await hearth.deleteSnapshot("seeded")
      #expect(try await hearth.snapshots().isEmpty)
    }
  }

  @Test func `are not needed to see what was`() async throws {
    try await Flow.open { flow in
      let hearth = flow.hearth.isolatedProject()
      try await hearth.setDocuments(["carts/ann": ["items": 1]])
      let first = try await hearth.waitForRequest("*ommit")
      flow.clock.advance(by: .seconds(1))
      try await hearth.setDocuments(["carts/ann": ["items": 2]])
      let then = try await hearth.rewind(after: first)
      #expect(then.client.project == hearth.project + "-rewind")
      #expect(then.notRebuilt.first?.contains("Users and mails") == true)
      #expect(try await then.client.document("carts/ann") == ["items": 1])
      #expect(try await hearth.document("carts/ann") == ["items": 2])
      let now = try await hearth.rewind(at: hearth.clock().now, to: hearth.project + "-now")
      #expect(now.client.project == hearth.project + "-now")
      #expect(try await now.client.document("carts/ann") == ["items": 2])
      #expect(
        await refusal { _ = try await hearth.rewind(at: .distantPast) } == "FAILED_PRECONDITION")
    }
  }
}

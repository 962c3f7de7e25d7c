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
}

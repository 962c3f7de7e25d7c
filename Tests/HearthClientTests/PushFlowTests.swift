import HearthClient
import Testing

/// What a test author does with devices and push messages.
@Suite struct `Push messages` {
  @Test func `reach a device that a test registered`() async throws {
    try await Flow.open { flow in
      let phone = try await flow.hearth.registerDevice(
        platform: .ios, topics: ["news"], name: "Ann")
      #expect((phone.platform, phone.state, phone.topics) == (.ios, .registered, ["news"]))
      let gone = try await flow.hearth.registerDevice(token: phone.token, state: .unregistered)
      #expect(gone.fid == phone.fid)
      #expect(gone.topics == ["news"])
      #expect(
        await refusal { try await flow.hearth.registerDevice(topics: ["a b"]) }
          == "INVALID_ARGUMENT")
    }
  }

  @Test func `are missed with a reason`() async throws {
    try await Flow.open { flow in
      #expect(
        await refusal {
          _ = try await flow.hearth.waitForPush(to: "nobody", within: .zero)
        } == "NOT_FOUND")
      #expect(
        await refusal {
          _ = try await flow.hearth.waitForSMS(to: "+491701234567", within: .zero)
        } == "NOT_FOUND")
    }
  }
}

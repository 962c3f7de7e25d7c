import HearthClient
import HearthTestSupport
import HearthWire
import Testing

/// What a test author does with devices and push messages.
@Suite struct `Push messages` {
  @Test func `reach a device that a test registered`() async throws {
    try await Flow.open { flow in
      let phone = try await flow.hearth.registerDevice(
        platform: .ios, topics: ["news"], name: "Ann")
      #expect((phone.platform, phone.state, phone.topics) == (.ios, .registered, ["news"]))
      let push = try await flow.send(to: "topic", value: "news")
      #expect(push.status == 200)
      let message = try await flow.hearth.waitForPush(to: "topic:news")
      #expect((message.kind, message.subject, message.code) == (.push, "Hi", "482913"))
      let gone = try await flow.hearth.registerDevice(token: phone.token, state: .unregistered)
      #expect(try await flow.send(to: "token", value: phone.token).status == 404)
      #expect(gone.fid == phone.fid)
      #expect(gone.topics == ["news"])
      #expect(gone.language == nil)
      #expect(try await flow.hearth.registerDevice(language: "de_AT").language == "de-AT")
      #expect(
        await refusal { try await flow.hearth.registerDevice(topics: ["a b"]) }
          == "INVALID_ARGUMENT")
    }
  }

  @Test func `are missed with what came instead`() async throws {
    try await Flow.open { flow in
      _ = try await flow.send(to: "topic", value: "news")
      do {
        _ = try await flow.hearth.waitForPush(to: "topic:other", within: .zero)
        Issue.record("there is a message")
      } catch let error as HearthError {
        #expect("\(error)".contains("PUSH to topic:news"), "\(error)")
      }
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

extension Flow {
  fileprivate func send(to kind: String, value: String) async throws -> TestClient.Reply {
    let notification: JSON = ["title": "Hi", "body": "Your code is 482913."]
    var message = JSONObject(["notification": notification])
    message[kind] = .string(value)
    return try await auth.post(
      "/v1/projects/\(hearth.project)/messages:send", body: .members(["message": .object(message)]),
      headers: [("Authorization", "Bearer owner")])
  }
}

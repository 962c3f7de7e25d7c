import HearthServer
import HearthSettings
import HearthTestSupport
import HearthTransport
import HearthTriggerEmail
import HearthWire
import Testing

@Suite struct `A snapshot with mails of an app` {
  private func withMail(_ body: @Sendable (SnapshotProject) async throws -> Void) async throws {
    try await TestServer.open {
      $0.triggerEmail = [TriggerEmailSettings(collection: "mail")]
    } body: { server in
      let project = SnapshotProject(server: server, id: "demo-mails")
      try await project.call(
        "PATCH", path: "/v1/projects/demo-mails/databases/(default)/documents/mail/a",
        body: [
          "fields": [
            "to": [
              "arrayValue": [
                "values": [["stringValue": "ada@b.c"], ["stringValue": "bob@b.c"]]
              ]
            ],
            "message": [
              "mapValue": [
                "fields": [
                  "subject": ["stringValue": "Hello"], "text": ["stringValue": "code 123456"],
                ]
              ]
            ],
          ]
        ], port: server.addresses.firestorePort)
      try await project.control("GET", rest: "messages/latest?to=bob@b.c&wait=10s")
      try await body(project)
    }
  }

  /// What is known of the mail, by its second recipient.
  private func mail(_ project: SnapshotProject) async throws -> String {
    let found = try await project.control("GET", rest: "messages/latest?to=bob@b.c")
    let id = found["id"]?.string ?? ""
    let raw = try await project.control("GET", rest: "messages/\(id)/raw")
    return "\(found["subject"]?.text ?? "") \(found["code"]?.text ?? "") "
      + (raw.text.contains("code 123456") ? "raw" : "no raw")
  }

  @Test func `brings all their parts back`() async throws {
    try await withMail { project in
      let before = try await mail(project)
      #expect(before == "\"Hello\" \"123456\" raw")
      try await project.save("s")
      try await project.control("DELETE", rest: "messages")
      try await project.control("GET", rest: "messages/latest?to=bob@b.c", status: 404)
      try await project.restore("s")
      #expect(try await mail(project) == before)
    }
  }

  @Test func `gives all their parts to a fork`() async throws {
    try await withMail { project in
      try await project.save("s")
      // The number of a deleted message that the snapshot holds is nobody else's.
      try await project.control("DELETE", rest: "messages")
      try await project.snapshots("POST", rest: "/s:fork", body: ["to": "demo-fork"])
      let fork = SnapshotProject(server: project.server, id: "demo-fork")
      let expected = try await mail(fork)
      #expect(expected == "\"Hello\" \"123456\" raw")
      try await project.restore("s")
      #expect(try await mail(project) == expected)
      #expect(try await mail(fork) == expected)
    }
  }
}

import Foundation
import HearthClient
import HearthServer
import HearthTesting
import Testing

extension Hearth.Running {
  fileprivate var client: HearthClient {
    HearthClient(host: host, port: authPort, firestore: firestoreHost, project: project)
  }
}

@Suite struct `A server in this process` {
  @Test func `starts, serves and stops`() async throws {
    let hearth = try await Hearth.start()
    let other = try await Hearth.start()
    #expect(hearth.authPort != other.authPort)
    try await hearth.client.createUser(email: "ann@example.com", password: "old secret")
    #expect(try await other.client.lookup(email: "ann@example.com") == nil)
    #expect(try await hearth.client.latestMail() == nil)
    #expect(hearth.consoleURL.hasPrefix("http://127.0.0.1:"))
    await other.stop()
    await hearth.stop()
    let gone = await refusal {
      // Another server of this process may have got the port meanwhile. It does not know her.
      let user = try await hearth.client.lookup(email: "ann@example.com")
      #expect(user == nil)
    }
    #expect(gone == nil || gone?.code == "UNREACHABLE")
  }

  @Test func `has rules, seeds, a profile and a clock`() async throws {
    let seed = FileManager.default.temporaryDirectory
      .appending(path: "hearth-\(UUID().uuidString).yaml")
    try "documents: {users/ann: {name: Ann}}".write(to: seed, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: seed) }
    let time = Date(timeIntervalSince1970: 1_800_000_000)
    var options = Hearth.Options()
    options.project = "demo-in-process"
    options.profile = .production
    options.rules = .text(
      "service cloud.firestore { match /databases/{d}/documents { match /open/{x} { "
        + "allow read, write; } } }")
    options.seeds = [seed.path]
    options.clock = { time }
    let hearth = try await Hearth.start(options)
    let client = hearth.client
    #expect(client.project == "demo-in-process")
    #expect(try await client.clock().now == time)
    #expect(try await client.document("users/ann") == ["name": "Ann"])
    #expect(try await client.switches()[.emailEnumerationProtection] == true)
    try await client.setDocument("open/one", ["n": 1], as: .nobody)
    let error = await refusal { try await client.document("users/ann", as: .nobody) }
    #expect(error?.code == "PERMISSION_DENIED")
    await hearth.stop()
  }

  @Test func `says why it does not start`() async throws {
    var options = Hearth.Options()
    options.rules = .text("service cloud.firestore { nonsense }")
    let error = await #expect(throws: (any Error).self) { try await Hearth.start(options) }
    #expect("\(error.map { "\($0)" } ?? "")".hasPrefix("rules:1:"))
    let first = try await Hearth.start()
    var taken = Hearth.Options()
    taken.authPort = first.authPort
    let clash = await #expect(throws: (any Error).self) { try await Hearth.start(taken) }
    #expect("\(clash.map { "\($0)" } ?? "")".contains("\(first.authPort) is already in use"))
    await first.stop()
  }

  @Test func `gives tests their projects`() async throws {
    let server = Task { try await Hearth.start() }
    let project = TestProject(server: .custom { try await server.value.client })
    try await project.run {
      _ = try await HearthClient.current.signUp(email: "ann@example.com", password: "old secret")
      try await HearthClient.current.expectRequests("*.signUp", count: 1)
    }
    await (try server.value).stop()
  }
}

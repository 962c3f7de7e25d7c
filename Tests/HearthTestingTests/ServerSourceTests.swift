import Foundation
import HearthClient
import Testing

@testable import HearthTesting

@Suite struct `Where the server is` {
  @Test func `is said by variables`() async throws {
    let server = try await HearthServerSource.local.client()
    for environment in [
      ["FIREBASE_AUTH_EMULATOR_HOST": server.authAddress],
      ["HEARTH_CONSOLE_URL": "http://\(server.authAddress)"],
      ["FIRESTORE_EMULATOR_HOST": server.firestoreAddress],
      ["HEARTH_BINARY": "/nowhere", "FIREBASE_AUTH_EMULATOR_HOST": server.authAddress],
    ] {
      let found = try await Servers().found(in: environment)
      #expect(found.firestoreAddress == server.firestoreAddress)
      #expect(found.project == "demo-hearth")
      _ = try await found.isolatedProject().signInAnonymously()
    }
    let named = try await Servers().found(in: [
      "FIREBASE_AUTH_EMULATOR_HOST": server.authAddress, "GCLOUD_PROJECT": "demo-mine",
    ])
    #expect(named.project == "demo-mine")
  }

  @Test func `or it is started`() async throws {
    let path = URL(filePath: Place.binary).deletingLastPathComponent().path
    for environment in [
      ["HEARTH_BINARY": Place.binary], ["PATH": "/nowhere:\(path)", "HEARTH_CONSOLE_URL": ""],
    ] {
      let servers = Servers()
      async let first = servers.found(in: environment)
      async let second = servers.found(in: environment)
      #expect(try await first.authAddress == second.authAddress)
    }
  }

  @Test(arguments: [
    (["PATH": "/nowhere"], "HEARTH_BINARY"),
    (["HEARTH_BINARY": "/nowhere/hearth"], "cannot run /nowhere/hearth"),
    (["HEARTH_BINARY": "/bin/false"], "/bin/false did not start"),
    (["FIREBASE_AUTH_EMULATOR_HOST": "nonsense"], "is not an address: nonsense"),
    (["HEARTH_CONSOLE_URL": "nonsense"], "is not an address: nonsense"),
    (["FIREBASE_AUTH_EMULATOR_HOST": "127.0.0.1:1"], "does not answer there"),
  ]) func `or a message says what to do`(
    environment: [String: String], words: String
  ) async throws {
    let error = await refusal { try await Servers().found(in: environment) }
    #expect(error?.code == "NO_SERVER")
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
  }

  @Test func `It says why it did not start`() async throws {
    let source = HearthServerSource.binary(Place.binary, arguments: ["--rules", "/nowhere.rules"])
    let error = await refusal { try await source.client() }
    #expect(error?.message.contains("/nowhere.rules") == true, "\(error?.message ?? "")")
  }

  /// As it does when this process is killed, which closes the pipe too.
  @Test(.timeLimit(.minutes(5)))
  func `A server that was started ends when its pipe is closed`() async throws {
    let process = try ServerProcess(Place.binary, [])
    let client = try await process.client()
    _ = try await client.addresses()
    process.stop()
    while await refusal({ try await client.addresses() }) == nil, !Task.isCancelled {
      await Task.yield()
    }
    #expect(!Task.isCancelled, "the server still answers")
  }
}

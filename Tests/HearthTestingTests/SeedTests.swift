import Foundation
import HearthClient
import HearthTesting
import Testing

@Suite(.hearth(on: .local)) struct `Seeds of a running server` {
  let hearth = HearthClient.current

  /// A folder with a seed that names a file of rules.
  private func withFolder(_ body: (_ seed: String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "hearth-seed-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try "service cloud.firestore { match /databases/{d}/documents/open/{x} { allow read; } }"
      .write(to: folder.appending(path: "my.rules"), atomically: true, encoding: .utf8)
    let seed = folder.appending(path: "seed.yaml")
    try "documents: {open/one: {n: 1}, shut/one: {n: 1}}\nrules: my.rules\n"
      .write(to: seed, atomically: true, encoding: .utf8)
    try await body(seed.path)
  }

  @Test(arguments: [true, false]) func `may be files, with rules beside them`(
    isRead: Bool
  ) async throws {
    try await withFolder { path in
      if isRead {
        // The client reads the file.
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try await hearth.applySeed(text, from: path)
      } else {
        let reply = try await post(["path": path])
        #expect(reply.status == 200)
      }
      #expect(try await hearth.document("open/one", as: .nobody) == ["n": 1])
      let error = await refusal { try await hearth.document("shut/one", as: .nobody) }
      #expect(error?.code == "PERMISSION_DENIED")
    }
  }

  @Test func `come from no web page, and from absolute paths only`() async throws {
    let page = try await post(["content": ""], headers: ["Origin": "https://evil.example"])
    #expect(page.status == 403)
    for body in [["path": "seed.yaml"], ["path": "/nowhere/seed.yaml"], ["file": "x"], [:]] {
      #expect(try await post(body).status == 400, "\(body)")
    }
  }

  @Test func `leave nothing where they have a mistake`() async throws {
    let error = await refusal {
      try await hearth.applySeed("users: [{uid: ann}]\ndocuments: {a: {b: 1}}")
    }
    #expect(error?.message.contains("seed:2:") == true, "\(error?.message ?? "")")
    #expect(await refusal { try await hearth.signIn(as: "ann") }?.code == "USER_NOT_FOUND")
  }

  private func post(
    _ body: [String: String], headers: [String: String] = [:]
  ) async throws -> App.Reply {
    try await App(hearth: hearth).post(
      "/emulator/v1/projects/\(hearth.project)/seed", body: body, headers: headers)
  }
}

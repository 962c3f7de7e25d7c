import HearthErrors
import HearthFirestoreProtos
import HearthOperations
import Testing

@testable import HearthFirestore

/// The ids of the targets of a stream, which a client or the server gives.
@Suite(.timeLimit(.minutes(30))) struct `Ids of targets` {
  /// The next change of a target that is not a time for all of them.
  private func change(
    _ listening: inout Listening
  ) async -> Google_Firestore_V1_TargetChange? {
    while let response = await listening.next() {
      let change = response.targetChange
      if change.targetChangeType != .noChange { return change }
    }
    return nil
  }

  @Test func `in use are refused, and the stream goes on`() async throws {
    let rig = try Rig { $0.answers = .production }
    var listening = Listening(rig)
    listening.add(.documents(1, paths: ["c/a"]))
    #expect(await change(&listening)?.targetChangeType == .add)
    #expect(await listening.next()?.hasDocumentDelete == true)
    #expect(await change(&listening)?.targetChangeType == .current)
    listening.add(.documents(1, paths: ["c/b"]))
    let refused = await change(&listening)
    #expect(refused?.targetChangeType == .remove && refused?.targetIds == [1])
    #expect(refused?.cause.code == 6 && refused?.cause.message == "Target ID already exists: 1")
    listening.add(.documents(2, paths: ["c/b"]))
    #expect(await change(&listening)?.targetIds == [2])
    try await listening.end()
  }

  @Test func `of the client end a stream on which the server gives them`() async throws {
    let rig = try Rig { $0.answers = .production }
    var listening = Listening(rig)
    listening.add(.documents(0, paths: ["c/a"]))
    #expect(await change(&listening)?.targetIds == [1])
    listening.add(.documents(7, paths: ["c/b"]))
    let error = await #expect(throws: APIError.self) { try await listening.end() }
    #expect(error?.code == .invalidArgument)
  }

  @Test func `in use end the stream of the official emulator`() async throws {
    var listening = Listening(try Rig())
    listening.add(.documents(1, paths: ["c/a"]))
    #expect(await change(&listening)?.targetChangeType == .add)
    listening.add(.documents(1, paths: ["c/b"]))
    let error = await #expect(throws: APIError.self) { try await listening.end() }
    #expect(error?.code == .invalidArgument)
  }
}

extension ListenResponse {
  fileprivate var hasDocumentDelete: Bool {
    if case .documentDelete? = responseType { true } else { false }
  }
}

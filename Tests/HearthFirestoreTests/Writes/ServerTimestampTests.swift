import HearthErrors
import HearthFirestoreProtos
import HearthTestSupport
import HearthTime
import SwiftProtobuf
import Testing

@testable import HearthFirestore

/// The clock of these tests does not move: writes could not be closer together.
@Suite struct `Server timestamps` {
  private let rig: Rig

  init() throws { rig = try Rig() }

  private func stamp(
    _ paths: String..., as caller: FirestoreCaller = .owner
  ) async throws -> (commit: Int64, stamps: [Int64]) {
    let writes = paths.map { path in
      Write.with {
        $0.update.name = name(path)
        $0.updateTransforms = [
          .with {
            $0.fieldPath = "at"
            $0.setToServerValue = .requestTime
          }
        ]
        $0.updateMask = .init()
      }
    }
    let response = try await rig.commit(writes, as: caller)
    return (
      response.commitTime.microseconds,
      response.writeResults.map { $0.transformResults[0].timestampValue.microseconds }
    )
  }

  @Test func `of a document always grow`() async throws {
    var last = try await stamp("c/a")
    #expect(last.stamps[0].isMultiple(of: 1000))
    let start = last.stamps[0]
    for _ in 0..<20 {
      let next = try await stamp("c/a")
      // Later than all that the write before left, and not ahead of the commit.
      #expect(next.stamps[0] > last.commit && next.stamps[0] <= next.commit)
      last = next
    }
    #expect(last.stamps[0] - start < 1000)
  }

  @Test func `are whole milliseconds where the document allows it`() async throws {
    _ = try await stamp("c/a")
    #expect(try await stamp("c/b").stamps[0].isMultiple(of: 1000))
    rig.clock.advance(by: .milliseconds(1))
    #expect(try await stamp("c/a").stamps[0].isMultiple(of: 1000))
  }

  @Test func `of a commit are the same, and the time of its rules`() async throws {
    try rig.set(
      rules: """
        match /c/{x} { allow write: if request.resource.data.at == request.time; }
        """)
    _ = try await stamp("c/a", as: .nobody)
    let both = try await stamp("c/a", "c/b", as: .nobody)
    #expect(both.stamps[0] == both.stamps[1])
    _ = try await stamp("c/b", as: .nobody)
  }

  @Test func `do not follow a time that a client wrote`() async throws {
    try await rig.set(["c/a": ["at": .timestamp(microseconds: 4_000_000_000_000_000)]])
    let next = try await stamp("c/a")
    #expect(next.stamps[0] <= next.commit)
  }
}

import HearthErrors
import HearthFirestore
import HearthFirestoreProtos
import HearthOperations
import SwiftProtobuf
import Testing

/// What a query reads is let go where there is no room for it, and read again later.
@Suite(.timeLimit(.minutes(30))) struct `Answers of many large documents` {
  private typealias Answer = LargeAnswers.Answer

  private static let document = 512 << 10

  /// Eight documents of half a megabyte.
  private static func filled() async throws -> Rig {
    let rig = try Rig()
    for number in 0..<8 {
      let text = String(repeating: "x", count: document)
      try await rig.set(["c/d\(number)": ["text": .with { $0.stringValue = text }]])
    }
    return rig
  }

  private static let query = StructuredQuery.with {
    $0.from = [.with { $0.collectionID = "c" }]
  }

  @Test func `stay within the bound when their requests begin together`() async throws {
    let rig = try await Self.filled()
    let answers = LargeAnswers(most: 20 << 20, patience: .seconds(3600))
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<20 {
        group.addTask {
          try await Answer(in: answers).whileMade { try await rig.run(Self.query).count }
        }
      }
      for try await count in group { #expect(count == 8) }
    }
    #expect(answers.highest <= 20 << 20)
    #expect(answers.highest > 16 << 20)
    #expect(answers.held == 0)
  }

  @Test(arguments: [true, false])
  func `wait for room, also where documents are named`(isTransaction: Bool) async throws {
    let rig = try await Self.filled()
    let answers = LargeAnswers(most: 20 << 20, patience: .seconds(3600))
    var other: Answer? = Answer(in: answers)
    other?.hold(20 << 20)
    async let read = Answer(in: answers).whileMade {
      try await rig.firestore.batchGetDocuments(
        .with {
          $0.database = Rig.database.description
          $0.documents = (0..<8).map { Rig.database.documents + "/c/d\($0)" }
          if isTransaction { $0.newTransaction = .with { $0.readWrite = .init() } }
        }, as: .owner)
    }
    while answers.waiting < 1 { await Task.yield() }
    // A small answer does not wait.
    let ids = try await Answer(in: answers).whileMade {
      try await rig.run(
        .with {
          $0.from = [.with { $0.collectionID = "none" }]
        })
    }
    #expect(ids.isEmpty)
    other = nil
    #expect(try await read.filter(\.hasFound).count == 8)
    #expect(other == nil)
  }
}

extension BatchGetDocumentsResponse {
  fileprivate var hasFound: Bool { if case .found? = result { true } else { false } }
}

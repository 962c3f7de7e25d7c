import Foundation
import HearthClient
import HearthTestSupport
import HearthWire
import Testing

@Suite struct `Indexes of a test` {
  @Test func `are set, and tell what queries have missed`() async throws {
    try await Flow.open { flow in
      let hearth = flow.hearth.isolatedProject()
      try await hearth.setIndexes(.enforce)
      let query = "/v1/projects/\(hearth.project)/databases/(default)/documents:runQuery"
      func status() async throws -> Int {
        try await flow.firestore.post(
          query,
          body: [
            "structuredQuery": [
              "from": [["collectionId": "c"]],
              "orderBy": [["field": ["fieldPath": "a"]], ["field": ["fieldPath": "b"]]],
            ]
          ]
        ).status
      }
      #expect(try await hearth.missedIndexes().isEmpty)
      #expect(try await status() == 400)
      #expect(try await status() == 400)
      let missed = try await hearth.missedIndexes()
      #expect(missed.count == 1)
      #expect(missed.first?.count == 2)
      #expect(missed.first?.operation == "runQuery" && missed.first?.served == false)
      let file = """
        {"indexes": [{"collectionGroup": "c", "queryScope": "COLLECTION", "fields": [
          {"fieldPath": "a", "order": "ASCENDING"}, {"fieldPath": "b", "order": "ASCENDING"}]}]}
        """
      try await hearth.setIndexes(file: Data(file.utf8))
      #expect(try await status() == 200)
      #expect(try await hearth.missedIndexes().first?.served == true)
      await #expect(throws: HearthError.self) {
        try await hearth.setIndexes(file: Data(#"{"indexes": 1}"#.utf8))
      }
      try await hearth.setIndexes(.off)
    }
  }
}

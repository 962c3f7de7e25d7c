import Foundation
import HearthErrors
import HearthFirestoreProtos
import HearthOperations
import SwiftProtobuf
import Testing

@testable import HearthFirestore

/// Where production answers otherwise than the official emulator; `Tests/Clients/production` has the
/// recorded facts.
@Suite struct `With production's answers` {
  private let rig: Rig

  init() async throws {
    rig = try Rig { $0.answers = .production }
    try await rig.set(["c/a": ["a": 1], "c/b": ["a": 2], "c/c": ["a": 3]])
  }

  private func rows(offset: Int32, limit: Int32? = nil) async throws -> [RunQueryResponse] {
    try await rig.firestore.runQuery(
      .with {
        $0.parent = Rig.database.documents
        $0.structuredQuery = .of("c")
        $0.structuredQuery.offset = offset
        if let limit { $0.structuredQuery.limit.value = limit }
      }, as: .owner)
  }

  @Test func `no row marks the end, and one tells what was skipped`() async throws {
    let all = try await rows(offset: 0)
    #expect(all.count == 3 && !all.contains { $0.done || $0.skippedResults > 0 })
    let some = try await rows(offset: 2)
    #expect(some.map(\.skippedResults) == [2, 0] && some.map(\.hasDocument) == [false, true])
    let none = try await rows(offset: 5)
    #expect(none.map(\.skippedResults) == [3] && none[0].hasReadTime)
    // What is skipped counts beside a limit of 0 too.
    let nothing = try await rows(offset: 2, limit: 0)
    #expect(nothing.map(\.skippedResults) == [2])
  }

  @Test func `a write ends a read-only transaction`() async throws {
    let begun = try await rig.firestore.beginTransaction(
      .with {
        $0.database = Rig.database.description
        $0.options.readOnly = .init()
      }, as: .owner)
    await #expect(throws: APIError.self) {
      try await rig.commit([.set("c/a", fields: [:])], in: begun.transaction)
    }
    let error = await #expect(throws: APIError.self) {
      try await rig.commit([], in: begun.transaction)
    }
    #expect(error == Transactions.closed)
    let aborted = await #expect(throws: APIError.self) {
      try await rig.commit([.set("c/a", fields: [:])], in: begun.transaction)
    }
    #expect(aborted?.code == .aborted && aborted?.message == ProductionWording.over)
  }

  @Test(arguments: [
    ("Cannot convert an array value in an array value.", "Nested arrays are not allowed"),
    ("Resource name \"x\" lacks \"y\".", "Document parent name \"x\" lacks \"y\"."),
    ("Transaction is invalid or closed.", ProductionWording.over),
    ("Invalid property path \"a[0]\". Unquoted", "Invalid property path"),
    ("Invalid property path \"a b\". Unquoted [", "Invalid property path \"a b\". Unquoted ["),
    ("Anything else", "Anything else"),
  ])
  func `refusals have its words`(said: String, wanted: String) throws {
    let error = APIError.invalid(said)
    #expect(rig.firestore.worded(error, for: "demo").message == wanted)
    #expect(try Rig().firestore.worded(error, for: "demo").message == said)
  }

  @Test func `a read begins a transaction that only reads`() async throws {
    let answers = try await rig.firestore.batchGetDocuments(
      .with {
        $0.database = Rig.database.description
        $0.documents = ["\(Rig.database.documents)/c/a"]
        $0.newTransaction = .init()
      }, as: .owner)
    let error = await #expect(throws: APIError.self) {
      try await rig.commit([.set("c/a", fields: [:])], in: answers[0].transaction)
    }
    #expect(error?.message == "Cannot modify entities in a read-only transaction.")
  }

  @Test(arguments: [("c", false), ("", false), ("c", true)])
  func `the last page of a list has no token`(collection: String, isMissing: Bool) async throws {
    var request = ListDocumentsRequest()
    request.parent = Rig.database.documents
    request.collectionID = collection
    request.showMissing = isMissing
    var pages: [Int] = []
    for size: Int32 in [2, 1] {
      request.pageSize = size
      let page = try await rig.firestore.listDocuments(request, as: .owner)
      pages.append(page.documents.count)
      request.pageToken = page.nextPageToken
    }
    #expect(pages == [2, 1] && request.pageToken.isEmpty)
  }

  @Test func `a token is for the list that it came from`() async throws {
    var request = ListDocumentsRequest()
    request.parent = Rig.database.documents
    request.collectionID = "c"
    request.pageSize = 2
    request.pageToken = try await rig.firestore.listDocuments(request, as: .owner).nextPageToken
    request.orderBy = "a"
    let error = await #expect(throws: APIError.self) {
      try await rig.firestore.listDocuments(request, as: .owner)
    }
    #expect(error?.message == "Invalid page token.")
  }

  @Test func `rules see the size of the page, and nothing about a look at the next one`()
    async throws
  {
    try rig.set(rules: "match /c/{id} { allow list: if request.query.limit <= 2; }")
    var request = ListDocumentsRequest()
    request.parent = Rig.database.documents
    request.collectionID = "c"
    request.pageSize = 2
    let page = try await rig.firestore.listDocuments(request, as: .nobody)
    #expect(page.documents.count == 2 && !page.nextPageToken.isEmpty)
  }

  @Test func `refusals may have words of their own`() throws {
    let error = APIError.invalid("Long.").inProduction("Short.")
    #expect(rig.firestore.worded(error, for: "demo").message == "Short.")
    #expect(try Rig().firestore.worded(error, for: "demo").message == "Long.")
  }
}

import HearthErrors
import HearthFirestore
import HearthFirestoreProtos
import HearthTime
import SwiftProtobuf
import Testing

/// Names as they were at a time.
@Suite struct `Names of the past` {
  private let rig: Rig
  /// When only `m/x0/sub/y`, `k/a` and `k/b/sub/z` were there.
  private let then: Int64

  init() async throws {
    rig = try Rig()
    then = try await rig.commit([
      .set("m/x0/sub/y", fields: ["n": 1]), .set("k/a", fields: ["n": 1]),
      .set("k/b/sub/z", fields: ["n": 1]),
    ]).commitTime.microseconds
    _ = try await rig.commit([
      .delete("m/x0/sub/y"), .set("new/a", fields: ["n": 1]), .set("k/c", fields: ["n": 1]),
      .delete("k/a"),
      .set("k/b/later/z", fields: ["n": 1]),
    ])
  }

  private func collections(
    below path: String = "", at time: ProtoTimestamp? = nil, size: Int32 = 0, token: String = ""
  ) async throws(APIError) -> ListCollectionIdsResponse {
    try await rig.firestore.listCollectionIds(
      .with {
        $0.parent = path.isEmpty ? Rig.database.documents : name(path)
        $0.pageSize = size
        $0.pageToken = token
        if let time { $0.readTime = time }
      }, as: .owner)
  }

  private func documents(
    of collection: String, at time: ProtoTimestamp? = nil, size: Int32 = 0, token: String = ""
  ) async throws(APIError) -> ListDocumentsResponse {
    try await rig.firestore.listDocuments(
      .with {
        $0.parent = Rig.database.documents
        $0.collectionID = collection
        $0.showMissing = true
        $0.pageSize = size
        $0.pageToken = token
        if let time { $0.readTime = time }
      }, as: .owner)
  }

  private var past: ProtoTimestamp { ProtoTimestamp(microseconds: then) }

  @Test func `of collections`() async throws {
    #expect(try await collections().collectionIds == ["k", "new"])
    #expect(try await collections(at: past).collectionIds == ["k", "m"])
    #expect(try await collections(below: "m/x0", at: past).collectionIds == ["sub"])
    #expect(try await collections(below: "k/b").collectionIds == ["later", "sub"])
    #expect(try await collections(below: "k/b", at: past).collectionIds == ["sub"])
    let page = try await collections(at: past, size: 1)
    #expect(page.collectionIds == ["k"])
    let next = try await collections(at: past, size: 1, token: page.nextPageToken)
    #expect(next.collectionIds == ["m"])
    let last = try await collections(at: past, size: 1, token: next.nextPageToken)
    #expect(last.collectionIds.isEmpty && last.nextPageToken.isEmpty)
  }

  @Test func `of missing documents`() async throws {
    #expect(try await documents(of: "m").documents.isEmpty)
    let missing = try await documents(of: "m", at: past).documents
    #expect(missing.map(\.name) == [name("m/x0")] && missing.allSatisfy { !$0.hasCreateTime })
    #expect(try await documents(of: "k").documents.map(\.name) == [name("k/b"), name("k/c")])
    let first = try await documents(of: "k", at: past, size: 1)
    #expect(first.documents.map(\.name) == [name("k/a")])
    let second = try await documents(of: "k", at: past, size: 1, token: first.nextPageToken)
    #expect(second.documents.map(\.name) == [name("k/b")])
    // A page that is full has a token, also the last one.
    let third = try await documents(of: "k", at: past, size: 1, token: second.nextPageToken)
    #expect(third.documents.isEmpty && third.nextPageToken.isEmpty)
  }

  @Test(arguments: [
    (1_577_836_800, 0, "The requested 'read_time' is too old."),
    (4_102_444_800, 0, "The requested 'read_time' cannot be in the future."),
    (-100, 0, "Only timestamps past epoch are supported."),
    (1_800_000_000, 1, "timestamp cannot have more than microseconds precision"),
  ]) func `that nobody knows`(seconds: Int64, nanos: Int32, message: String) async throws {
    let time = ProtoTimestamp.with {
      $0.seconds = seconds
      $0.nanos = nanos
    }
    let refusal = await #expect(throws: APIError.self) { try await documents(of: "k", at: time) }
    #expect(refusal?.message == message)
    let begin = await #expect(throws: APIError.self) {
      try await rig.firestore.beginTransaction(
        .with {
          $0.database = Rig.database.description
          $0.options.readOnly.readTime = time
        }, as: .owner)
    }
    #expect(begin?.message == message)
  }

  /// The official emulator does not look at these more closely.
  @Test func `of collections before 1970 are too old`() async throws {
    let time = ProtoTimestamp.with { $0.seconds = -100 }
    let refusal = await #expect(throws: APIError.self) { try await collections(at: time) }
    #expect(refusal?.message == "The requested 'read_time' is too old.")
  }
}

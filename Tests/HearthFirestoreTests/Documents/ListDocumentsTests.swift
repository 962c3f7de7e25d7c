import HearthErrors
import HearthFirestore
import HearthFirestoreProtos
import HearthOperations
import SwiftProtobuf
import Testing

private typealias Change = @Sendable (inout ListDocumentsRequest) -> Void

@Suite struct `A list of documents` {
  private let rig: Rig

  init() async throws {
    rig = try Rig()
    try await rig.set([
      "c/a": ["n": 1], "c/b": ["n": 1], "c/c": ["n": 1], "c/d/sub/x": [:], "other/x": [:],
    ])
  }

  private func list(
    _ change: Change
  ) async throws(APIError) -> (names: [String], token: String) {
    var request = ListDocumentsRequest.with {
      $0.parent = Rig.database.documents
      $0.collectionID = "c"
    }
    change(&request)
    let found = try await rig.firestore.listDocuments(request, as: .owner)
    return (found.documents.map(\.name), found.nextPageToken)
  }

  @Test(arguments: [false, true])
  func `has a token after a full page, also where nothing is left`(isMissing: Bool) async throws {
    var request = ListDocumentsRequest()
    request.parent = Rig.database.documents
    request.collectionID = "c"
    request.pageSize = isMissing ? 4 : 3
    request.showMissing = isMissing
    let first = try await rig.firestore.listDocuments(request, as: .owner)
    #expect(first.documents.count == Int(request.pageSize))
    request.pageToken = first.nextPageToken
    let second = try await rig.firestore.listDocuments(request, as: .owner)
    #expect(second.documents.isEmpty && second.nextPageToken.isEmpty)
  }

  @Test func `has none after a page that is not full`() async throws {
    #expect(try await list { $0.pageSize = 4 }.token.isEmpty)
  }

  @Test func `of no collection is of the children`() async throws {
    #expect(
      try await list { $0.collectionID = "" }.names
        == ["c/a", "c/b", "c/c", "other/x"].map(name))
    let below = try await list {
      $0.collectionID = ""
      $0.parent = name("c/d")
    }
    #expect(below.names == [name("c/d/sub/x")])
  }

  @Test(arguments: ["n", "n desc", "n DESC", "n  asc", "n ", "`n`", "n, __name__", "n\tasc"])
  func `may be in an order`(order: String) async throws {
    #expect(try await list { $0.orderBy = order }.names.count == 3)
  }

  private static let refused: [Refused<Change>] = [
    Refused(
      "outer space", request: { $0.orderBy = " n asc" }, says: "Invalid order by clause \" n asc\"."
    ),
    Refused(
      "no direction", request: { $0.orderBy = "n foo" }, says: "Invalid order by clause \"n foo\"."),
    Refused(
      "two directions", request: { $0.orderBy = "n asc asc" }, says: "Invalid order by clause"),
    Refused("comma", request: { $0.orderBy = "n," }, says: "Invalid order by clause \"n,\"."),
    Refused("nothing", request: { $0.orderBy = "  " }, says: "Invalid order by clause"),
    Refused(
      "name and more", request: { $0.orderBy = "__name__, n" }, says: "more fields after the key"),
    Refused(
      "names backwards", request: { $0.orderBy = "__name__ desc" }, status: "FAILED_PRECONDITION",
      says: "descending key scans"),
    Refused("page size", request: { $0.pageSize = -1 }, says: "Page size must be nonnegative."),
    Refused("token", request: { $0.pageToken = "xyz" }, says: "invalid page token"),
    Refused(
      "order with missing",
      request: {
        $0.orderBy = "n"
        $0.showMissing = true
      }, says: "cannot specify an order when show_missing is true"),
    Refused(
      "missing of no collection",
      request: {
        $0.collectionID = ""
        $0.showMissing = true
      }, says: "collection id must be set when show_missing is true"),
    Refused(
      "order of no collection",
      request: {
        $0.collectionID = ""
        $0.orderBy = "n"
      }, says: "kind is required for all orders except __key__ ascending"),
  ]

  @Test(arguments: refused) private func `is refused`(_ row: Refused<Change>) async throws {
    let error = await #expect(throws: APIError.self) { try await list(row.request) }
    #expect(error?.code.row.status == row.status)
    #expect(error?.message.contains(row.message) ?? false, "\(error?.message ?? "")")
  }

  @Test(arguments: ["xyz", "AAAA"])
  func `of collections has tokens of its own`(token: String) async throws {
    var request = ListCollectionIdsRequest()
    request.parent = Rig.database.documents
    request.pageSize = 1
    var found: [[String]] = []
    repeat {
      let page = try await rig.firestore.listCollectionIds(request, as: .owner)
      found.append(page.collectionIds)
      request.pageToken = page.nextPageToken
    } while !request.pageToken.isEmpty
    // After a full page there is one more.
    #expect(found == [["c"], ["other"], []])
    request.pageToken = token
    let error = await #expect(throws: APIError.self) {
      try await rig.firestore.listCollectionIds(request, as: .owner)
    }
    #expect(error?.message == "invalid page token")
  }
}

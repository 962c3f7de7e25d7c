package import HearthErrors
import HearthFirestoreProtos
import HearthTime
import HearthWire
import SwiftProtobuf

extension Firestore {
  /// The pages of a request that asks for no size, and the largest.
  private static func pages(asProduction: Bool) -> (usual: Int, largest: Int) {
    asProduction ? (100, 300) : (30, 150)
  }

  package func listDocuments(
    _ request: ListDocumentsRequest, as caller: FirestoreCaller
  ) async throws(APIError) -> ListDocumentsResponse {
    let parent = try ResourcePath.parent(request.parent)
    let isProduction = answersAsProduction(parent.database.project)
    let mask = try request.hasMask ? FieldTree(mask: FieldPath.mask(request.mask)) : nil
    guard request.pageSize >= 0 else { throw .negativePageSize }
    let pages = Self.pages(asProduction: isProduction)
    let size = request.pageSize == 0 ? pages.usual : min(pages.largest, Int(request.pageSize))
    if request.showMissing { try checkMissing(request, caller: caller) }
    let judging = request.orderBy.isEmpty ? nil : indexJudging(in: parent.database)
    var structured = try Self.query(of: request, size, isProduction: isProduction)
    let givenOrders = structured.orderBy.count
    structured.orderByName()
    let listing = isProduction ? PageToken.Listing(request) : nil
    let token = try PageToken(request.pageToken, of: listing)
    if let token, !request.showMissing {
      guard token.place.count == structured.orderBy.count else { throw PageToken.fault }
      structured.start(after: token.place)
    }
    var query = try Query(parent: parent, structured, readsNamesBackwards: judging != nil)
    // Rules do not see the order that was added.
    query.explicitOrders = givenOrders
    try Query.Bounds(asProduction: isProduction).check(query, filter: nil)
    let reading = try begin(
      ReadSelector(request.consistencySelector), in: parent.database, as: caller)
    if request.showMissing, !request.collectionID.isEmpty {
      return try await LargeReads.makeRoom { () async throws(APIError) in
        try read(reading) { snapshot throws(APIError) in
          try Self.page(
            of: parent.appending(request.collectionID), after: token, size: size, mask: mask,
            listing: listing,
            in: snapshot)
        }.result
      }
    }
    let judged = judging?.plan(query, by: caller, operation: "list")
    let result = try await run(query, reading: reading, caller: caller, judged: judged).result
    var response = ListDocumentsResponse()
    response.documents = try await result.decode { $0.message(mask: mask) }
    guard result.documents.count == size, let last = result.documents.last else { return response }
    // The official emulator does not look whether another page has any documents.
    let place = query.orders.map { last.value(at: $0.field) ?? .null }
    if isProduction {
      structured.start(after: place)
      structured.limit = .with { $0.value = 1 }
      let rest = try Query(parent: parent, structured, readsNamesBackwards: true)
      let isLast = try read(reading) { snapshot throws(APIError) in
        try snapshot.run(rest).documents.isEmpty
      }.result
      if isLast { return response }
    }
    response.nextPageToken = try PageToken(place: place, of: listing).text()
    return response
  }

  private func checkMissing(
    _ request: ListDocumentsRequest, caller: FirestoreCaller
  ) throws(APIError) {
    guard request.orderBy.isEmpty else {
      throw .invalid("cannot specify an order when show_missing is true")
    }
    guard !request.collectionID.isEmpty else {
      throw .invalid("collection id must be set when show_missing is true")
    }
    try requireOwner(caller)
  }

  private static func query(
    of request: ListDocumentsRequest, _ size: Int, isProduction: Bool
  ) throws(APIError) -> StructuredQuery {
    var structured = StructuredQuery()
    structured.from = [.with { $0.collectionID = request.collectionID }]
    structured.orderBy = try orders(request.orderBy)
    if isProduction { try check(structured.orderBy, of: request.orderBy) }
    structured.limit = .with { $0.value = Int32(size) }
    return structured
  }

  /// Production names the whole clause where the path of a field is wrong.
  private static func check(
    _ orders: [StructuredQuery.Order], of text: String
  ) throws(APIError) {
    for order in orders {
      do throws(APIError) { _ = try FieldPath(order.field.fieldPath) } catch {
        throw .invalid("Invalid order by clause \"\(text)\".")
      }
    }
  }

  /// A page with the documents that are missing but have collections below them.
  private static func page(
    of collection: ResourcePath, after token: PageToken?, size: Int, mask: FieldTree?,
    listing: PageToken.Listing?, in snapshot: Snapshot
  ) throws(APIError) -> ListDocumentsResponse {
    // As references: ids that are numbers come first.
    var names = try snapshot.segments(below: collection)
      .map { ($0, Value.reference(collection.appending($0).text).orderedBytes) }
      .sorted { $0.1.isLess(than: $1.1) }.map(\.0)[...]
    if let last = token?.place.last?.orderedBytes {
      names = names.drop { name in
        !last.isLess(than: Value.reference(collection.appending(name).text).orderedBytes)
      }
    }
    var response = ListDocumentsResponse()
    var bytes = 0
    for name in names.prefix(size) {
      let path = collection.appending(name)
      if let document = try snapshot.document(at: path, bytes: &bytes) {
        try LargeReads.require(bytes, isComplete: false)
        response.documents.append(document.message(mask: mask))
      } else {
        response.documents.append(.with { $0.name = path.text })
      }
    }
    let isLast = listing == nil ? names.count < size : names.count <= size
    if !isLast, let last = response.documents.last {
      response.nextPageToken = try PageToken(place: [.reference(last.name)], of: listing).text()
    }
    return response
  }

  /// `priority desc, __name__ desc`.
  private static func orders(_ text: String) throws(APIError) -> [StructuredQuery.Order] {
    guard !text.isEmpty else { return [] }
    let fault = APIError.invalid("Invalid order by clause \"\(text)\".")
    guard text.first != " " else { throw fault }
    var orders: [StructuredQuery.Order] = []
    for words in words(ofOrders: text) {
      guard let field = words.first, words.count <= 2 else { throw fault }
      var order = StructuredQuery.Order()
      order.field.fieldPath = field
      switch words.count == 2 ? words[1].lowercased() : "asc" {
      case "asc": order.direction = .ascending
      case "desc": order.direction = .descending
      default: throw fault
      }
      orders.append(order)
    }
    return orders
  }

  /// Commas end orders and blanks end words, but not within backticks.
  private static func words(ofOrders text: String) -> [[String]] {
    var orders: [[String]] = [[]]
    var word = ""
    var isQuoted = false
    var isEscaped = false
    func end(_ orders: inout [[String]], word: inout String) {
      if !word.isEmpty { orders[orders.endIndex - 1].append(word) }
      word = ""
    }
    for scalar in text.unicodeScalars {
      switch scalar {
      case "," where !isQuoted:
        end(&orders, word: &word)
        orders.append([])
        continue
      case " " where !isQuoted, "\t" where !isQuoted:
        end(&orders, word: &word)
        continue
      case "`" where !isEscaped: isQuoted.toggle()
      default: break
      }
      isEscaped = scalar == "\\" && !isEscaped
      word.unicodeScalars.append(scalar)
    }
    end(&orders, word: &word)
    return orders
  }

  func requireOwner(_ caller: FirestoreCaller) throws(APIError) {
    guard caller.isOwner else {
      throw APIError(
        .permissionDenied, message: "Metadata operations require admin authentication."
      ).inProduction(APIError.denied.message)
    }
  }
}

extension StructuredQuery {
  /// So that a page can begin after any document.
  fileprivate mutating func orderByName() {
    guard !orderBy.contains(where: { $0.field.fieldPath == "__name__" }) else { return }
    let direction = orderBy.last?.direction ?? .ascending
    orderBy.append(
      .with {
        $0.field.fieldPath = "__name__"
        $0.direction = direction
      })
  }

  fileprivate mutating func start(after place: [Value]) {
    startAt = .with {
      $0.values = place
      $0.before = false
    }
  }
}

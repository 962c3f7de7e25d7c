package import HearthErrors
import HearthFirestoreProtos
import HearthTime
import HearthWire
import SwiftProtobuf

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Firestore {
  private static let largestPage = 300

  package func listDocuments(
    _ request: ListDocumentsRequest, as caller: FirestoreCaller
  ) async throws(APIError) -> ListDocumentsResponse {
    let parent = try ResourcePath.parent(request.parent)
    let mask = try request.hasMask ? FieldPath.mask(request.mask) : nil
    guard request.pageSize >= 0 else { throw .invalid("Page size must be nonnegative.") }
    let size =
      request.pageSize == 0 ? Self.largestPage : min(Self.largestPage, Int(request.pageSize))
    if request.showMissing {
      guard request.orderBy.isEmpty else {
        throw .invalid("cannot specify an order when show_missing is true")
      }
      guard !request.collectionID.isEmpty else {
        throw .invalid("collection id must be set when show_missing is true")
      }
      try requireOwner(caller)
    }
    var structured = StructuredQuery()
    structured.from = [.with { $0.collectionID = request.collectionID }]
    structured.orderBy = try Self.orders(request.orderBy)
    if !structured.orderBy.contains(where: { $0.field.fieldPath == "__name__" }) {
      structured.orderBy.append(
        .with {
          $0.field.fieldPath = "__name__"
          $0.direction = structured.orderBy.last?.direction ?? .ascending
        })
    }
    let token = try PageToken(request.pageToken)
    if let token, !request.showMissing {
      guard token.place.count == structured.orderBy.count else { throw PageToken.fault }
      structured.startAt = .with {
        $0.values = token.place
        $0.before = false
      }
    }
    structured.limit = .with { $0.value = Int32(size) }
    let query = try Query(parent: parent, structured)
    let selector: ReadSelector =
      switch request.consistencySelector {
      case .transaction(let id)?: .transaction(id)
      case .readTime(let time)?: .time(time)
      case nil: .now
      }
    let reading = try begin(selector, in: parent.database)
    if request.showMissing, !request.collectionID.isEmpty {
      return try read(reading) { snapshot throws(APIError) in
        try Self.page(
          of: parent.appending(request.collectionID), behind: token, size, mask, in: snapshot)
      }.result
    }
    let result = try await run(query, reading, caller).result
    var response = ListDocumentsResponse()
    response.documents = try await result.decode { $0.message(mask: mask) }
    // After a full page there may be another; that it is empty, only asking for it tells.
    if result.documents.count == size, let last = result.documents.last {
      let place = query.orders.map { last.value(at: $0.field) ?? .null }
      response.nextPageToken = try PageToken(place: place).text()
    }
    return response
  }

  /// A page with the documents that are missing but have collections below them.
  private static func page(
    of collection: ResourcePath, behind token: PageToken?, _ size: Int, _ mask: [FieldPath]?,
    in snapshot: Snapshot
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
    for name in names.prefix(size) {
      let path = collection.appending(name)
      if let document = try snapshot.document(at: path) {
        response.documents.append(document.message(mask: mask))
      } else {
        response.documents.append(.with { $0.name = path.text })
      }
    }
    if response.documents.count == size, let last = response.documents.last {
      response.nextPageToken = try PageToken(place: [.reference(last.name)]).text()
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
    func end(_ orders: inout [[String]], _ word: inout String) {
      if !word.isEmpty { orders[orders.endIndex - 1].append(word) }
      word = ""
    }
    for scalar in text.unicodeScalars {
      switch scalar {
      case "," where !isQuoted:
        end(&orders, &word)
        orders.append([])
        continue
      case " " where !isQuoted, "\t" where !isQuoted:
        end(&orders, &word)
        continue
      case "`" where !isEscaped: isQuoted.toggle()
      default: break
      }
      isEscaped = scalar == "\\" && !isEscaped
      word.unicodeScalars.append(scalar)
    }
    end(&orders, &word)
    return orders
  }

  func requireOwner(_ caller: FirestoreCaller) throws(APIError) {
    guard caller.isOwner else {
      throw APIError(
        .permissionDenied, message: "Metadata operations require admin authentication.")
    }
  }
}

/// The place of the last document that was handed out, by the values that order it: what comes and
/// goes in front of it moves no page.
struct PageToken {
  static let fault = APIError.invalid("invalid page token")

  let place: [Value]

  init(place: [Value]) { self.place = place }

  /// Nil for the first page.
  init?(_ text: String) throws(APIError) {
    guard !text.isEmpty else { return nil }
    guard let bytes = Base64.decode(text),
      let list = try? ArrayValue(serializedBytes: bytes), !list.values.isEmpty
    else { throw Self.fault }
    place = list.values
  }

  func text() throws(APIError) -> String {
    do {
      return Base64.encodeURL(try ArrayValue.with { $0.values = place }.serializedBytes())
    } catch {
      throw APIError(.internalError, message: "\(error)")
    }
  }
}

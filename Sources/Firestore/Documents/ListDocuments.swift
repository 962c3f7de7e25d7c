import FirestoreProtos
import Foundation
package import HearthCore
import SwiftProtobuf

extension Firestore {
  private static let largestPage = 300

  package func listDocuments(
    _ request: ListDocumentsRequest, as caller: FirestoreCaller
  ) async throws(APIError) -> ListDocumentsResponse {
    let parent = try ResourcePath.parent(request.parent)
    let mask = try request.hasMask ? FieldPath.mask(request.mask) : nil
    guard request.pageSize >= 0 else { throw .invalid("page_size is negative.") }
    let size =
      request.pageSize == 0 ? Self.largestPage : min(Self.largestPage, Int(request.pageSize))
    if request.showMissing {
      guard request.orderBy.isEmpty else {
        throw .invalid("order_by cannot be combined with show_missing.")
      }
      try requireOwner(caller)
    }
    var structured = StructuredQuery()
    structured.from = [
      .with {
        $0.collectionID = request.collectionID
        $0.allDescendants = request.collectionID.isEmpty
      }
    ]
    structured.orderBy = try Self.orders(request.orderBy)
    let token = try PageToken(request.pageToken)
    structured.offset = Int32(clamping: token.offset)
    structured.limit = .with { $0.value = Int32(size + 1) }
    let query = try Query(parent: parent, structured)
    let selector: ReadSelector =
      switch request.consistencySelector {
      case .transaction(let id)?: .transaction(id)
      case .readTime(let time)?: .time(time)
      case nil: .now
      }
    let reading = try begin(selector, in: parent.database)
    return try read(reading) { snapshot throws(APIError) in
      try RulesGate(self, caller, parent.database, snapshot.documents)?.checkList(query)
      var response = ListDocumentsResponse()
      if request.showMissing, !request.collectionID.isEmpty {
        let collection = parent.appending(request.collectionID)
        let all = try snapshot.documents.allNames(in: collection)
        let page = all.dropFirst(token.offset).prefix(size)
        for name in page {
          let path = collection.appending(name)
          if let document = try snapshot.document(at: path) {
            response.documents.append(document.message(mask: mask))
          } else {
            response.documents.append(.with { $0.name = path.text })
          }
        }
        if token.offset + page.count < all.count {
          response.nextPageToken = PageToken(offset: token.offset + size).text
        }
        return response
      }
      let found = try snapshot.run(query).documents
      response.documents = found.prefix(size).map { $0.message(mask: mask) }
      if found.count > size {
        response.nextPageToken = PageToken(offset: token.offset + size).text
      }
      return response
    }.result
  }

  /// `priority desc, __name__ desc`.
  private static func orders(_ text: String) throws(APIError) -> [StructuredQuery.Order] {
    guard !text.isEmpty else { return [] }
    var orders: [StructuredQuery.Order] = []
    for part in text.split(separator: ",") {
      let words = part.split(separator: " ")
      guard let field = words.first, words.count <= 2 else {
        throw .invalid("Invalid order_by: \"\(text)\".")
      }
      var order = StructuredQuery.Order()
      order.field.fieldPath = String(field)
      switch words.count == 2 ? words[1].lowercased() : "asc" {
      case "asc": order.direction = .ascending
      case "desc": order.direction = .descending
      default: throw .invalid("Invalid order_by: \"\(text)\".")
      }
      orders.append(order)
    }
    return orders
  }

  func requireOwner(_ caller: FirestoreCaller) throws(APIError) {
    guard caller.isOwner else {
      throw APIError(
        .denied, message: "Metadata operations require admin authentication.")
    }
  }
}

/// How much of a listing was handed out.
struct PageToken {
  let offset: Int

  init(offset: Int) { self.offset = offset }

  init(_ text: String) throws(APIError) {
    guard !text.isEmpty else {
      offset = 0
      return
    }
    guard let bytes = Base64.decode(text), let offset = Int(String(decoding: bytes, as: UTF8.self)),
      (0...Int(Int32.max)).contains(offset)
    else { throw .invalid("Invalid page token.") }
    self.offset = offset
  }

  var text: String { Base64.encodeURL(Array(String(offset).utf8)) }
}

extension Documents {
  /// The ids of the documents of a collection, and of those that are missing but have collections
  /// below them.
  func allNames(in path: ResourcePath) throws(APIError) -> [String] {
    var names = Set(try children(of: path, after: nil, limit: .max))
    if let collection = try find(path) {
      names.formUnion(try self.names(in: collection))
    }
    // As references: ids that are numbers come first.
    return names.map { ($0, Value.reference(path.appending($0).text).orderedBytes) }
      .sorted { $0.1.isLess(than: $1.1) }.map(\.0)
  }
}

import HearthErrors
import HearthFirestoreProtos
import HearthLimits
import HearthWire
import SwiftProtobuf

/// A structured query, checked and with what it leaves out filled in.
struct Query: Sendable {
  struct Order: Sendable, Equatable {
    let field: FieldPath
    let isDescending: Bool
  }

  /// A place in the order: just before or just after the documents with these values.
  struct Bound: Sendable {
    /// In `OrderedBytes`, one for each order, or for the first few.
    let values: [[UInt8]]
    let isBefore: Bool
  }

  let parent: ResourcePath
  /// Nil for collections of any id.
  let collectionId: String?
  let allDescendants: Bool
  var filter: QueryFilter?
  /// Ends with the document's name, so that no two documents are equal.
  private(set) var orders: [Order]
  /// How many of the orders the client gave; they come first.
  var explicitOrders: Int
  let start: Bound?
  let end: Bound?
  private(set) var offset: Int
  /// Nil for all.
  private(set) var limit: Int?
  /// The fields to show; nil for all.
  let projection: [FieldPath]?
  private let shown: FieldTree?
  private(set) var nearest: NearestNeighbours?

  /// Listeners have no bounds of queries. Names are read backwards only where somebody knows whether
  /// there is an index for it.
  init(
    parent: ResourcePath, _ message: StructuredQuery, within bounds: Bounds? = nil,
    readsNamesBackwards: Bool = false
  ) throws(APIError) {
    self.parent = parent
    guard message.from.count <= 1 else {
      throw .invalid("StructuredQuery.from cannot have more than one collection selector.")
    }
    let source = message.from.first ?? .init()
    let collectionId = source.collectionID.isEmpty ? nil : source.collectionID
    if let collectionId {
      try ResourcePath.check(collectionId, as: "Collection")
      guard collectionId.utf8.count <= Limit.queriedId.value else {
        throw .invalid(Limit.queriedId.refusal())
      }
    }
    self.collectionId = collectionId
    allDescendants = source.allDescendants
    filter = message.hasWhere ? try QueryFilter(message.where, in: parent.database) : nil
    try filter?.check()
    orders = try Self.orders(message, filter: filter)
    explicitOrders = message.orderBy.count
    let start =
      message.hasStartAt
      ? try Self.bound(message.startAt, message: message, orders: orders, parent: parent) : nil
    let end =
      message.hasEndAt
      ? try Self.bound(message.endAt, message: message, orders: orders, parent: parent) : nil
    // Without values, before everything is not a bound for a start, and after everything none for an
    // end. The others leave nothing.
    self.start = start.flatMap { $0.values.isEmpty && $0.isBefore ? nil : $0 }
    self.end = end.flatMap { $0.values.isEmpty && !$0.isBefore ? nil : $0 }
    guard message.offset >= 0 else { throw .invalid("offset is negative") }
    offset = Int(message.offset)
    if message.hasLimit {
      guard message.limit.value >= 0 else { throw .invalid("limit is negative") }
      limit = Int(message.limit.value)
    } else {
      limit = nil
    }
    if message.hasSelect {
      var projection: [FieldPath] = []
      for field in message.select.fields { projection.append(try FieldPath(field.fieldPath)) }
      self.projection = projection.isEmpty ? [.documentName] : projection
    } else {
      projection = nil
    }
    shown = projection.map(FieldTree.init(mask:))
    nearest = message.hasFindNearest ? try NearestNeighbours(message) : nil
    try bounds?.check(self, filter: message.hasWhere ? message.where : nil)
    try filter?.checkDisjunctions()
    try checkScope()
    if !readsNamesBackwards { try checkScan() }
  }

  /// The given orders, then fields with an inequality, then the name, in the last direction.
  private static func orders(
    _ message: StructuredQuery, filter: QueryFilter?
  ) throws(APIError) -> [Order] {
    var orders: [Order] = []
    var fields: Set<FieldPath> = []
    func add(_ field: FieldPath, isDescending: Bool) throws(APIError) {
      // Names are unique: nothing is left to order.
      guard !(orders.last?.field.isDocumentName ?? false) else {
        throw .invalid("order by clause cannot contain more fields after the key")
      }
      orders.append(Order(field: field, isDescending: isDescending))
      fields.insert(field)
    }
    for order in message.orderBy {
      let field = try FieldPath(order.field.fieldPath)
      guard field.isDocumentName || !fields.contains(field) else {
        throw .invalid("order by clause cannot contain duplicate fields \(field)")
      }
      try add(field, isDescending: order.direction == .descending)
    }
    let isDescending = orders.last?.isDescending ?? false
    for field in (filter?.inequalityFields ?? []).sorted()
    where !field.isDocumentName && !fields.contains(field) {
      try add(field, isDescending: isDescending)
    }
    if !fields.contains(.documentName) {
      try add(.documentName, isDescending: isDescending)
    }
    return orders
  }

  /// Has the result come in the order of these fields too, before the name decides. Which documents
  /// are within a limit depends on it.
  mutating func order(alsoBy fields: [FieldPath]) {
    guard limit != nil || offset > 0, nearest == nil,
      let name = orders.last, name.field.isDocumentName
    else { return }
    for field in fields where !orders.contains(where: { $0.field == field }) {
      orders.insert(
        Order(field: field, isDescending: name.isDescending), at: orders.count - 1)
    }
  }

  private static func bound(
    _ cursor: Google_Firestore_V1_Cursor, message: StructuredQuery, orders: [Order],
    parent: ResourcePath
  ) throws(APIError) -> Bound {
    guard cursor.values.count <= message.orderBy.count else {
      throw .invalid("Cursor has too many values.")
    }
    var values: [[UInt8]] = []
    for (value, order) in zip(cursor.values, orders) {
      if order.field.isDocumentName {
        guard case .referenceValue(let name)? = value.valueType else {
          throw .invalid("Cursor __key__ value is not a document reference.")
        }
        guard try ResourcePath.reference(name).database == parent.database else {
          throw .invalid("The cursor key is in a different database than the query")
        }
      }
      values.append(try ValueCheck.compared(value, with: order.field).orderedBytes)
    }
    return Bound(values: values, isBefore: cursor.before)
  }

  // MARK: Matching

  /// The place of a document in the order; nil when it lacks a field of the order.
  func position(of document: some ComparableDocument) -> [[UInt8]]? {
    var position: [[UInt8]] = []
    position.reserveCapacity(orders.count)
    for order in orders {
      guard let value = document.value(at: order.field) else { return nil }
      position.append(value.orderedBytes)
    }
    return position
  }

  /// Whether the first position comes before the second.
  func precedes(_ left: [[UInt8]], _ right: [[UInt8]]) -> Bool { compare(left, right) < 0 }

  private func compare(_ left: [[UInt8]], _ right: [[UInt8]]) -> Int {
    for (index, order) in orders.enumerated() {
      guard index < left.count, index < right.count else { return 0 }
      if left[index] == right[index] { continue }
      return left[index].isLess(than: right[index]) == order.isDescending ? 1 : -1
    }
    return 0
  }

  /// Whether a document of the right collection belongs to the result, the limit aside.
  func position(matching document: some ComparableDocument) -> [[UInt8]]? {
    if let filter, !filter.matches(document) { return nil }
    guard let position = position(of: document) else { return nil }
    if let start {
      let order = compare(position, start.values)
      if start.isBefore ? order < 0 : order <= 0 { return nil }
    }
    if let end, isBehind(position, end: end) { return nil }
    return position
  }

  /// Whether a scan in this order has come to its end.
  func isBehind(_ position: [[UInt8]], end: Bound) -> Bool {
    let order = compare(position, end.values)
    return end.isBefore ? order >= 0 : order > 0
  }

  /// Whether documents at that path are looked at by this query at all.
  func covers(_ path: ResourcePath) -> Bool {
    let depth = path.segments.count - parent.segments.count
    guard allDescendants ? depth > 0 : depth == 2 else { return false }
    if let collectionId, !path.parent.id.hasSameBytes(as: collectionId) { return false }
    return path.isWithin(parent)
  }

  /// The same query for its whole result.
  var unlimited: Query {
    var query = self
    query.offset = 0
    query.limit = nil
    query.nearest = nil
    return query
  }

  func message(of document: StoredDocument) -> Document { document.message(mask: shown) }
}

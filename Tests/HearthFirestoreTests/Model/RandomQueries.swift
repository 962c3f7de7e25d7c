import HearthCrypto
import HearthFirestore
import HearthFirestoreProtos
import HearthTestSupport
import SwiftProtobuf

/// A query and the document or root below which it is asked.
struct RandomQuery {
  var parent: String
  var message: StructuredQuery
}

extension SplitMix {
  /// What production refuses is left out: a second exclusion, exclusion lists beside alternatives,
  /// a second element of one array, more than thirty alternatives.
  private struct Budget {
    var alternatives: Int
    var exclusions: Int
    var isList: Bool
    var elements = 1
  }

  /// Most are such that they are answered.
  mutating func query(_ model: Model) -> RandomQuery {
    var query = anyQuery(model)
    for _ in 0..<100 {
      guard Model.refusal(of: query.message, parent: query.parent) != nil else { break }
      query = anyQuery(model)
    }
    return query
  }

  private mutating func anyQuery(_ model: Model) -> RandomQuery {
    var query = StructuredQuery()
    var parent = Rig.database.documents
    if chance(25) { parent = name(pick(["c/a", "c/b", "z/a", "c/é", "c/missing"])) }
    query.from = [
      .with {
        $0.allDescendants = chance(35)
        $0.collectionID =
          parent == Rig.database.documents && chance(80) ? "c" : pick(["c", "sub", "z"])
      }
    ]
    if chance(5) { query.from = [.with { $0.allDescendants = true }] }
    if chance(70) {
      let isList = chance(10)
      var budget = Budget(
        alternatives: isList ? 0 : 3, exclusions: chance(25) ? 1 : 0, isList: isList)
      query.where = filter(depth: 2, model: model, budget: &budget)
    }
    let orders = chance(60) ? number(1...3) : 0
    for _ in 0..<orders {
      let path = chance(15) ? ModelPath.name : pick(World.fields)
      guard !query.orderBy.contains(where: { ModelPath($0.field.fieldPath) == path }) else {
        continue
      }
      query = query.ordered(by: path.text, descending: chance(40))
    }
    if !query.orderBy.isEmpty, chance(30) { query.startAt = cursor(query, model: model) }
    if !query.orderBy.isEmpty, chance(30) { query.endAt = cursor(query, model: model) }
    if chance(20) { query.offset = Int32(number(0...4)) }
    if chance(40) { query.limit = .with { $0.value = Int32(number(0...5)) } }
    if chance(20) {
      query.select.fields = (0..<number(0...2)).map { _ in
        let path = chance(10) ? ModelPath.name : pick(World.fields)
        return .with { $0.fieldPath = path.text }
      }
    }
    return RandomQuery(parent: parent, message: query)
  }

  // MARK: Filters

  private mutating func filter(
    depth: Int, model: Model, budget: inout Budget
  ) -> StructuredQuery.Filter {
    if depth > 0, chance(50) {
      let isOr = budget.alternatives > 0 && chance(50)
      if isOr { budget.alternatives -= 1 }
      var filters: [StructuredQuery.Filter] = []
      for _ in 0..<number(1...3) {
        filters.append(filter(depth: depth - 1, model: model, budget: &budget))
      }
      return .composite(isOr ? .or : .and, filters: filters)
    }
    let path = pick(World.fields)
    if budget.isList, budget.exclusions > 0 {
      budget.exclusions = 0
      let values = (0..<number(1...3)).map { _ in operand(path, model: model) }
      return .field(path.text, op: .notIn, value: .list(values))
    }
    if budget.exclusions > 0, chance(50) {
      budget.exclusions = 0
      switch number(0...3) {
      case 0: return .unary(path.text, op: .isNotNull)
      case 1: return .unary(path.text, op: .isNotNan)
      default: return .field(path.text, op: .notEqual, value: operand(path, model: model))
      }
    }
    if budget.alternatives > 0, chance(25) {
      budget.alternatives -= 1
      let values = (0..<number(1...3)).map { _ in operand(path, model: model) }
      guard budget.elements > 0, chance(40) else {
        return .field(path.text, op: .in, value: .list(values))
      }
      budget.elements = 0
      return .field(path.text, op: .arrayContainsAny, value: .list(values))
    }
    if budget.elements > 0, chance(15) {
      budget.elements = 0
      return .field(
        "tags", op: .arrayContains, value: operand(ModelPath(segments: ["tags"]), model: model))
    }
    return single(path, model: model)
  }

  private mutating func single(_ path: ModelPath, model: Model) -> StructuredQuery.Filter {
    let inequalities: [StructuredQuery.FieldFilter.Operator] = [
      .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual,
    ]
    switch number(0...9) {
    case 0: return .unary(path.text, op: .isNull)
    case 1: return .unary(path.text, op: .isNan)
    case 2...5: return .field(path.text, op: .equal, value: operand(path, model: model))
    case 6:
      let value = Value.document(pick(World.paths))
      return .field("__name__", op: chance(40) ? .equal : pick(inequalities), value: value)
    default: return .field(path.text, op: pick(inequalities), value: operand(path, model: model))
    }
  }

  /// Mostly a value that some document has, or an element of it.
  private mutating func operand(_ path: ModelPath, model: Model) -> Value {
    guard chance(75), !model.inOrder.isEmpty, let value = pick(model.inOrder).find(path) else {
      return commonValue()
    }
    let elements = value.arrayValue.values
    return elements.isEmpty || chance(30) ? value : pick(elements)
  }

  // MARK: Cursors

  private mutating func cursor(
    _ query: StructuredQuery, model: Model
  ) -> Google_Firestore_V1_Cursor {
    let orders = Model.orders(of: query)
    let base = model.inOrder.isEmpty ? nil : pick(model.inOrder)
    let count = number(1...max(1, chance(95) ? query.orderBy.count : orders.count))
    return .with { cursor in
      cursor.before = chance(50)
      cursor.values = orders.prefix(count).map { order in
        if chance(80), let value = base?.find(order.path) { return value }
        return order.path == .name ? .document(pick(World.paths)) : commonValue()
      }
    }
  }
}

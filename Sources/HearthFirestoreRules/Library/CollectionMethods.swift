extension Builtin {
  static let listMethods: [Builtin] = [
    // A list takes lists only, where a set takes both.
    Builtin(reading: "hasAny", arity: 1) {
      .bool(try !elements($0[0]).isDisjoint(with: elements($0[1])))
    },
    Builtin(reading: "hasAll", arity: 1) {
      .bool(try elements($0[0]).isSuperset(of: elements($0[1])))
    },
    Builtin(reading: "hasOnly", arity: 1) {
      .bool(try elements($0[0]).isSubset(of: elements($0[1])))
    },
    Builtin("size", arity: 0) { .int(Int64(try $0[0].list().count)) },
    Builtin("concat", arity: 1) { .list(try $0[0].list() + $0[1].list()) },
    Builtin(reading: "removeAll", arity: 1) {
      let removed = try elements($0[1])
      return .list(try $0[0].list().filter { !removed.contains(ListElement(value: $0)) })
    },
    Builtin(reading: "toSet", arity: 0) { .set(try $0[0].elements()) },
    Builtin(metered: "join", arity: 1) { arguments, budget in
      let separator = try arguments[1].string()
      var text = ""
      for (index, element) in try arguments[0].list().enumerated() {
        let part = (index > 0 ? separator : "") + (try Self.text(element))
        try budget.spend(1 + part.utf8.count)
        text += part
      }
      return .string(text)
    },
  ]

  private static func elements(_ list: RuleValue) throws -> Set<ListElement> {
    Set(try list.list().lazy.map { ListElement(value: $0) })
  }

  static let setMethods: [Builtin] = [
    Builtin(reading: "hasAny", arity: 1) {
      .bool(try !$0[0].elements().isDisjoint(with: $0[1].elements()))
    },
    Builtin(reading: "hasAll", arity: 1) {
      .bool(try $0[0].elements().isSuperset(of: $0[1].elements()))
    },
    Builtin(reading: "hasOnly", arity: 1) {
      .bool(try $0[0].elements().isSubset(of: $0[1].elements()))
    },
    Builtin("size", arity: 0) { .int(Int64(try $0[0].elements().count)) },
    Builtin(reading: "difference", arity: 1) {
      .set(try $0[0].elements().subtracting($0[1].set()))
    },
    Builtin(reading: "intersection", arity: 1) {
      .set(try $0[0].elements().intersection($0[1].set()))
    },
    Builtin(reading: "union", arity: 1) { .set(try $0[0].elements().union($0[1].set())) },
  ]

  static let mapMethods: [Builtin] = [
    Builtin("size", arity: 0) { .int(Int64(try $0[0].map().count)) },
    // Sorted, so that one request always has one outcome; the language promises no order.
    Builtin(reading: "keys", arity: 0) { .list(try $0[0].map().keys.sorted().map { .string($0) }) },
    Builtin(reading: "values", arity: 0) {
      .list(try $0[0].map().sorted { $0.key < $1.key }.map(\.value))
    },
    Builtin(metered: "get", arity: 2) { try value(in: $0[0], at: $0[1], $1) ?? $0[2] },
    Builtin(reading: "diff", arity: 1) {
      .mapDiff(MapDiff(from: try $0[1].map(), to: try $0[0].map()))
    },
  ]

  static let mapDiffMethods: [Builtin] = [
    Builtin("addedKeys", arity: 0) { try keys($0[0]) { $0.addedKeys } },
    Builtin("removedKeys", arity: 0) { try keys($0[0]) { $0.removedKeys } },
    Builtin("changedKeys", arity: 0) { try keys($0[0]) { $0.changedKeys } },
    Builtin("unchangedKeys", arity: 0) { try keys($0[0]) { $0.unchangedKeys } },
    Builtin("affectedKeys", arity: 0) {
      try keys($0[0]) { $0.addedKeys.union($0.removedKeys).union($0.changedKeys) }
    },
  ]

  private static func keys(
    _ value: RuleValue, select: (MapDiff) -> Set<String>
  ) throws -> RuleValue {
    guard case .mapDiff(let diff) = value else { throw EvaluationError("a diff is expected") }
    return .set(Set(select(diff).map { .string($0) }))
  }

  /// The value under a key or, for a list of keys, under these one after the other. Under none of
  /// them it is the map itself.
  private static func value(
    in map: RuleValue, at key: RuleValue, _ budget: RuleBudget
  ) throws -> RuleValue? {
    guard case .list(let keys) = key else {
      let key = try key.string()
      try budget.spend(lookingUp: key)
      return try map.map()[key]
    }
    var value = map
    for key in keys {
      let key = try key.string()
      try budget.spend(1)
      try budget.spend(lookingUp: key)
      guard case .map(let fields) = value, let next = fields[key] else { return nil }
      value = next
    }
    return value
  }
}

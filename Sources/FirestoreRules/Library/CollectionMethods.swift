extension Builtin {
  static let listMethods: [Builtin] =
    membershipMethods + [
      Builtin("size", 0) { .int(Int64(try $0[0].list().count)) },
      Builtin("concat", 1) { .list(try $0[0].list() + $0[1].list()) },
      Builtin("removeAll", 1) {
        let removed = try $0[1].elements()
        return .list(try $0[0].list().filter { !removed.contains($0) })
      },
      Builtin("toSet", 0) { .set(try $0[0].elements()) },
      Builtin("join", 1) {
        .string(try $0[0].list().map(text).joined(separator: try $0[1].string()))
      },
    ]

  static let setMethods: [Builtin] =
    membershipMethods + [
      Builtin("size", 0) { .int(Int64(try $0[0].elements().count)) },
      Builtin("difference", 1) { .set(try $0[0].elements().subtracting($0[1].elements())) },
      Builtin("intersection", 1) { .set(try $0[0].elements().intersection($0[1].elements())) },
      Builtin("union", 1) { .set(try $0[0].elements().union($0[1].elements())) },
    ]

  /// What lists and sets have in common, with either as the argument.
  private static let membershipMethods: [Builtin] = [
    Builtin("hasAny", 1) { .bool(try !$0[0].elements().isDisjoint(with: $0[1].elements())) },
    Builtin("hasAll", 1) { .bool(try $0[0].elements().isSuperset(of: $0[1].elements())) },
    Builtin("hasOnly", 1) { .bool(try $0[0].elements().isSubset(of: $0[1].elements())) },
  ]

  static let mapMethods: [Builtin] = [
    Builtin("size", 0) { .int(Int64(try $0[0].map().count)) },
    // Sorted, so that one request always has one outcome; the language promises no order.
    Builtin("keys", 0) { .list(try $0[0].map().keys.sorted().map { .string($0) }) },
    Builtin("values", 0) {
      .list(try $0[0].map().sorted { $0.key < $1.key }.map(\.value))
    },
    Builtin("get", 2) { try value(in: $0[0], at: $0[1]) ?? $0[2] },
    Builtin("diff", 1) { .mapDiff(MapDiff(from: try $0[1].map(), to: try $0[0].map())) },
  ]

  static let mapDiffMethods: [Builtin] = [
    Builtin("addedKeys", 0) { try keys($0[0]) { $0.addedKeys } },
    Builtin("removedKeys", 0) { try keys($0[0]) { $0.removedKeys } },
    Builtin("changedKeys", 0) { try keys($0[0]) { $0.changedKeys } },
    Builtin("unchangedKeys", 0) { try keys($0[0]) { $0.unchangedKeys } },
    Builtin("affectedKeys", 0) {
      try keys($0[0]) { $0.addedKeys.union($0.removedKeys).union($0.changedKeys) }
    },
  ]

  private static func keys(
    _ value: RuleValue, _ select: (MapDiff) -> Set<String>
  ) throws -> RuleValue {
    guard case .mapDiff(let diff) = value else { throw EvaluationError("a diff is expected") }
    return .set(Set(select(diff).map { .string($0) }))
  }

  /// The value under a key or, for a list of keys, under these one after the other.
  private static func value(in map: RuleValue, at key: RuleValue) throws -> RuleValue? {
    guard case .list(let keys) = key else { return try map.map()[try key.string()] }
    guard !keys.isEmpty else { throw EvaluationError("get() needs at least one key") }
    var value = map
    for key in keys {
      guard case .map(let fields) = value, let next = fields[try key.string()] else { return nil }
      value = next
    }
    return value
  }
}

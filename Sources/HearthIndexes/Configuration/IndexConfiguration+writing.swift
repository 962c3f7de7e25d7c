package import HearthWire

extension IndexConfiguration {
  /// The file, sorted as Google's tool sorts it.
  package var json: JSON {
    .members([
      "indexes": .array(indexes.sorted(by: Self.precedes).map(\.json)),
      "fieldOverrides": .array(overrides.sorted(by: Self.precedes).map(\.json)),
    ])
  }

  private static func precedes(_ left: CompositeIndex, _ right: CompositeIndex) -> Bool {
    LocaleOrder.compare(left.collectionGroup, right.collectionGroup)
      .then(left.scope.rank, right.scope.rank)
      .then(compare(left.fields, right.fields))
      .then(left.apiScope ?? "", right.apiScope ?? "")
      .then(left.density ?? "", right.density ?? "") == .before
  }

  private static func precedes(_ left: FieldOverride, _ right: FieldOverride) -> Bool {
    func isExpiry(_ override: FieldOverride) -> Int { override.timeToLive == true ? 1 : 0 }
    return LocaleOrder.compare(left.collectionGroup, right.collectionGroup)
      .then(isExpiry(left), isExpiry(right))
      .then(LocaleOrder.compare(left.path.description, right.path.description)) == .before
  }

  private static func compare(_ left: [IndexField], _ right: [IndexField]) -> Comparison {
    for (left, right) in zip(left, right) {
      let comparison = LocaleOrder.compare(left.path.description, right.path.description)
        .then(left.mode.rank, right.mode.rank)
        .then(left.mode.dimension, right.mode.dimension)
      if comparison != .same { return comparison }
    }
    return Comparison.same.then(left.count, right.count)
  }
}

extension CompositeIndex {
  package var json: JSON {
    .members([
      "collectionGroup": .string(collectionGroup),
      "queryScope": .string(scope.rawValue),
      "fields": .array(fields.map(\.json)),
      "apiScope": apiScope.json,
      "density": density.json,
      "multikey": multikey.json,
    ])
  }
}

extension IndexField {
  package var json: JSON {
    .object(JSONObject(members: [("fieldPath", .string(path.description)), mode.member]))
  }
}

extension IndexField.Mode {
  fileprivate var member: JSONObject.Member {
    switch self {
    case .ascending: ("order", "ASCENDING")
    case .descending: ("order", "DESCENDING")
    case .contains: ("arrayConfig", "CONTAINS")
    case .vector(let dimension):
      ("vectorConfig", .members(["dimension": .int(Int64(dimension)), "flat": [:]]))
    case .search: ("searchConfig", [:])
    }
  }

  /// Orders come first, ascending before descending.
  fileprivate var rank: Int {
    switch self {
    case .ascending: 0
    case .descending: 1
    case .contains: 2
    case .vector: 3
    case .search: 4
    }
  }

  fileprivate var dimension: Int { if case .vector(let dimension) = self { dimension } else { 0 } }
}

extension FieldOverride {
  package var json: JSON {
    let sorted = entries.sorted {
      ($0.scope.rank, $0.mode.rank) < ($1.scope.rank, $1.mode.rank)
    }
    return .members([
      "collectionGroup": .string(collectionGroup),
      "fieldPath": .string(path.description),
      "ttl": timeToLive.json,
      "indexes": .array(sorted.map(\.json)),
    ])
  }
}

extension FieldOverride.Entry {
  fileprivate var json: JSON {
    var object = JSONObject(members: [mode.member])
    object["queryScope"] = .string(scope.rawValue)
    object["apiScope"] = apiScope.json
    object["density"] = density.json
    object["multikey"] = multikey.json
    return .object(object)
  }
}

extension QueryScope {
  /// Collection groups come first.
  fileprivate var rank: Int { self == .collectionGroup ? 0 : 1 }
}

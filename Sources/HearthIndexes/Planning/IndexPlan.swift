/// Which indexes answer a query, or which are missing.
package struct IndexPlan: Sendable, Equatable {
  /// How one alternative of a query is answered.
  package enum Answer: Sendable, Equatable {
    /// In the order of names, which needs no index.
    case names
    case index(ServingIndex)
    /// Several indexes that have the same order after the fields with an equality.
    case merge([ServingIndex])
    case missing(MissingIndex)

    package var indexes: [ServingIndex] {
      switch self {
      case .names, .missing: []
      case .index(let index): [index]
      case .merge(let indexes): indexes
      }
    }

    package var missing: MissingIndex? {
      if case .missing(let index) = self { index } else { nil }
    }
  }

  package struct Disjunct: Sendable, Equatable {
    package let tests: Set<QueryShape.Test>
    package let answer: Answer
  }

  /// In the order of the query.
  package let disjuncts: [Disjunct]

  /// What has to be created, each once.
  package var missing: [MissingIndex] {
    var missing: [MissingIndex] = []
    for case let index? in disjuncts.map(\.answer.missing) where !missing.contains(index) {
      missing.append(index)
    }
    return missing
  }

  package var isServed: Bool { disjuncts.allSatisfy { $0.answer.missing == nil } }

  /// Why, a line for each alternative.
  package var reason: String {
    var lines: [String] = []
    for disjunct in disjuncts {
      let line = disjunct.reason
      if !lines.contains(line) { lines.append(line) }
    }
    return lines.joined(separator: "\n")
  }
}

extension IndexPlan.Disjunct {
  /// Why it is answered, or what it lacks.
  package var reason: String {
    switch answer {
    case .names: "It is read in the order of names, which needs no index."
    case .index(let index): "It is read from \(index.kind) index \(index)."
    case .merge(let indexes):
      "It is read from the indexes \(indexes.map(\.description).joined(separator: ", ")), "
        + "which have the same order after the fields with an equality."
    case .missing(let index): index.reason
    }
  }
}

/// An index that takes part in answering a query.
package struct ServingIndex: Sendable, Hashable, CustomStringConvertible {
  package let collectionGroup: String
  package let scope: QueryScope
  /// With `__name__`.
  package let fields: [IndexField]
  /// The place in the configuration's list; nil for the index of a single field.
  package let position: Int?

  /// `(a ASC, __name__ ASC)`
  package var description: String { IndexField.text(fields) }

  /// The same index, whatever its position in the list.
  package var unplaced: ServingIndex {
    ServingIndex(collectionGroup: collectionGroup, scope: scope, fields: fields, position: nil)
  }

  fileprivate var kind: String { position == nil ? "the single-field" : "the composite" }
}

extension IndexField {
  package static func text(_ fields: [IndexField]) -> String {
    "(" + fields.map(\.description).joined(separator: ", ") + ")"
  }
}

extension IndexField: CustomStringConvertible {
  package var description: String {
    switch mode {
    case .ascending: "\(path) ASC"
    case .descending: "\(path) DESC"
    case .contains: "\(path) ARRAY_CONTAINS"
    case .vector(let dimension): "\(path) VECTOR<\(dimension)>"
    case .search: "\(path) SEARCH"
    }
  }
}

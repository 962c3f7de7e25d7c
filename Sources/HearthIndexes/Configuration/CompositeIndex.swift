/// Which queries an index is for.
package enum QueryScope: String, Sendable, CaseIterable {
  case collection = "COLLECTION"
  case collectionGroup = "COLLECTION_GROUP"
}

/// A field of an index, and how its values are kept there.
package struct IndexField: Sendable, Hashable {
  package enum Mode: Sendable, Hashable {
    case ascending
    case descending
    /// The elements of arrays.
    case contains
    case vector(dimension: Int)
    /// Searching text, which this edition of Firestore does not have. No query is served by it.
    case search

    package var isDirection: Bool { self == .ascending || self == .descending }
  }

  package let path: IndexedPath
  package let mode: Mode

  package init(_ path: IndexedPath, mode: Mode) {
    self.path = path
    self.mode = mode
  }
}

/// An index over several fields, as a file lists it.
package struct CompositeIndex: Sendable, Hashable {
  package let collectionGroup: String
  package let scope: QueryScope
  /// As they were written: `__name__` may be left out.
  package let fields: [IndexField]
  package var apiScope: String?
  package var density: String?
  package var multikey: Bool?

  package init(_ collectionGroup: String, scope: QueryScope, fields: [IndexField]) {
    self.collectionGroup = collectionGroup
    self.scope = scope
    self.fields = fields
  }

  /// All fields of the index. Each one ends with the documents' names, in the direction of the last
  /// field that has one; before a vector, which comes last.
  package var completeFields: [IndexField] {
    if fields.contains(where: \.path.isName) { return fields }
    let direction = fields.last { $0.mode.isDirection }?.mode
    let last = fields.last?.mode
    let name = IndexField(
      .name, mode: last?.isDirection == true ? direction ?? .ascending : .ascending)
    if case .vector? = last { return fields.dropLast() + [name] + fields.suffix(1) }
    return fields + [name]
  }

  /// Whether queries of Firestore's own interface may use it.
  var isForQueries: Bool { apiScope == nil || apiScope == "ANY_API" }

  /// Whether the two are the same index to the server, however they are written.
  package func isSame(as other: CompositeIndex) -> Bool {
    collectionGroup == other.collectionGroup && scope == other.scope
      && isForQueries == other.isForQueries && completeFields == other.completeFields
  }
}

/// How one field is indexed by itself. It replaces what would be automatic.
package struct FieldOverride: Sendable, Hashable {
  package struct Entry: Sendable, Hashable {
    package let mode: IndexField.Mode
    package let scope: QueryScope
    package var apiScope: String?
    package var density: String?
    package var multikey: Bool?

    package init(_ mode: IndexField.Mode, scope: QueryScope) {
      self.mode = mode
      self.scope = scope
    }
  }

  package let collectionGroup: String
  package let path: IndexedPath
  package var entries: [Entry]
  /// Whether documents are deleted at the time that the field holds; nil where nothing is said.
  package var timeToLive: Bool?

  package init(
    _ collectionGroup: String, path: IndexedPath, entries: [Entry], timeToLive: Bool? = nil
  ) {
    self.collectionGroup = collectionGroup
    self.path = path
    self.entries = entries
    self.timeToLive = timeToLive
  }

  /// What every field has without an override.
  package static let automatic: [Entry] = [
    Entry(.ascending, scope: .collection), Entry(.descending, scope: .collection),
    Entry(.contains, scope: .collection),
  ]
}

import HearthFirestoreProtos
import HearthLimits

/// What a field has in the indexes of production: how many entries of each kind.
package struct FieldIndexing: Sendable, Equatable {
  /// Ascending and descending ones, of collections and of collection groups.
  package var ordered = 0
  package var orderedInGroup = 0
  /// For each element of an array.
  package var containing = 0
  package var containingInGroup = 0

  /// What a field has without a configuration. Recordings show two entries for each element.
  package static let automatic = FieldIndexing(ordered: 2, containing: 2)

  package init(
    ordered: Int = 0, orderedInGroup: Int = 0, containing: Int = 0, containingInGroup: Int = 0
  ) {
    self.ordered = ordered
    self.orderedInGroup = orderedInGroup
    self.containing = containing
    self.containingInGroup = containingInGroup
  }
}

/// A composite index, as far as its entries count.
package struct CompositeIndexing: Sendable, Equatable {
  /// The names on the way to each of its fields, but for `__name__`.
  package let fields: [[String]]
  /// The field whose elements are indexed.
  package let contained: [String]?
  package let isOfGroup: Bool

  package init(fields: [[String]], contained: [String]?, isOfGroup: Bool) {
    self.fields = fields
    self.contained = contained
    self.isOfGroup = isOfGroup
  }
}

/// What is indexed of the documents of a collection group.
package struct GroupIndexing: Sendable, Equatable {
  /// The fields that do not have the automatic indexes, by the names on the way to them; `*` is every
  /// field. What is within a field goes with it.
  package var overrides: [[String]: FieldIndexing]
  package var composites: [CompositeIndexing]

  package static let automatic = GroupIndexing()

  package init(
    overrides: [[String]: FieldIndexing] = [:], composites: [CompositeIndexing] = []
  ) {
    self.overrides = overrides
    self.composites = composites
  }
}

/// The index entries that production keeps of a document, and what they take.
/// https://firebase.google.com/docs/firestore/storage-size
///
/// Nothing is indexed here: the entries are counted, for limits that depend on them. The work is
/// proportional to the document and to the composite indexes of its group.
struct IndexUsage {
  private(set) var entries = 0
  /// Of all entries.
  private(set) var bytes = 0
  /// Of one entry, in bytes.
  private(set) var largest = 0

  private let indexing: GroupIndexing
  /// What each entry of one field has besides its name and value, in bytes: in indexes of a
  /// collection, and of a group. The former hold the name of the parent too.
  private let overhead: (collection: Int, group: Int)

  init(of document: StoredDocument, _ indexing: GroupIndexing) {
    let segments = document.path.segments
    let name = DocumentSize.ofName(segments)
    self.indexing = indexing
    overhead = (name + DocumentSize.ofName(segments.dropLast(2)) + 32, name + 48)
    let standard = indexing.overrides[["*"]] ?? .automatic
    for (field, value) in document.fields {
      add(value, path: [field], nameSize: field.utf8.count + 1, inherited: standard)
    }
    for composite in indexing.composites { add(composite, fields: document.fields) }
  }

  private mutating func add(
    _ value: Value, path: @autoclosure () -> [String], nameSize: Int, inherited: FieldIndexing
  ) {
    // Paths are put together only where something is said of some.
    let path = indexing.overrides.isEmpty ? [] : path()
    let kinds = indexing.overrides[path] ?? inherited
    add(kinds.ordered, inGroup: kinds.orderedInGroup, size: nameSize + Self.size(value))
    switch value.valueType {
    case .arrayValue(let array)? where kinds.containing + kinds.containingInGroup > 0:
      for element in Self.distinct(array.values) {
        add(kinds.containing, inGroup: kinds.containingInGroup, size: nameSize + element)
      }
    // A map has entries as a whole and for each of its members; a vector has no members.
    case .mapValue(let map)? where value.vector == nil:
      for (name, member) in map.fields {
        add(member, path: path + [name], nameSize: nameSize + name.utf8.count + 1, inherited: kinds)
      }
    default: break
    }
  }

  private mutating func add(_ inCollection: Int, inGroup: Int, size: Int) {
    if inCollection > 0 { add(inCollection, of: size + overhead.collection) }
    if inGroup > 0 { add(inGroup, of: size + overhead.group) }
  }

  /// Counts entries of the same size.
  private mutating func add(_ count: Int, of size: Int) {
    entries += count
    bytes += count * size
    largest = max(largest, size)
  }

  /// A document without one of the fields has no entry.
  private mutating func add(_ composite: CompositeIndexing, fields: Fields) {
    var size = 0
    var elements = [0]
    for path in composite.fields {
      guard let value = fields.value(at: FieldPath(segments: path)) else { return }
      guard path == composite.contained else {
        size += Self.size(value)
        continue
      }
      guard case .arrayValue(let array)? = value.valueType else { return }
      // No entry for an empty array.
      elements = Self.distinct(array.values)
    }
    // A composite index of a group has 32 bytes more than its values and the name, one of a single
    // field has 48.
    let own = composite.isOfGroup ? overhead.group - 16 : overhead.collection
    for element in elements { add(1, of: size + element + own) }
  }

  /// Of a long value, only the beginning is indexed.
  private static func size(_ value: Value) -> Int {
    min(value.storageSize, Limit.indexedValue.value)
  }

  /// The sizes of the elements that differ. An array has one entry for equal elements.
  private static func distinct(_ values: [Value]) -> [Int] {
    guard values.count > 1 else { return values.map(size) }
    var seen: Set<[UInt8]> = []
    return values.compactMap { seen.insert($0.orderedBytes).inserted ? size($0) : nil }
  }
}

package import HearthWire

/// An index that a query needs and that is not there, as production suggests it.
package struct MissingIndex: Sendable, Hashable {
  package enum Form: Sendable, Hashable {
    case composite
    /// An index of one field, which an override has to bring.
    case single
    case vector
  }

  package let collectionGroup: String
  package let scope: QueryScope
  /// With `__name__`, except before a vector.
  package let fields: [IndexField]
  package let form: Form

  init(_ need: IndexNeed) {
    collectionGroup = need.group
    scope = need.scope
    if let vector = need.vector {
      form = .vector
      fields = need.besideVector + [vector]
      return
    }
    fields = need.sortedPrefix + need.suffix
    let short = CompositeIndex(need.group, scope: need.scope, fields: Array(fields.dropLast()))
    form = fields.count == 2 && short.completeFields == fields ? .single : .composite
  }

  /// The fields as a file lists them: without the name where it has the direction that is added.
  private var writtenFields: [IndexField] {
    let short = CompositeIndex(collectionGroup, scope: scope, fields: Array(fields.dropLast()))
    let isImplied = fields.count > 1 && form != .vector && short.completeFields == fields
    return isImplied ? short.fields : fields
  }

  /// As an entry of the file; nil for an index of one field.
  package var composite: CompositeIndex? {
    form == .single ? nil : CompositeIndex(collectionGroup, scope: scope, fields: writtenFields)
  }

  /// What has to be added to a configuration. The override of a field takes the place of its automatic
  /// indexes: it has to name them as well.
  package func addition(to configuration: IndexConfiguration) -> IndexConfiguration {
    if let composite { return IndexConfiguration(indexes: [composite]) }
    guard let field = fields.first else { return IndexConfiguration() }
    let known = configuration.entries(of: field.path, in: collectionGroup)
    let entries = known + [FieldOverride.Entry(field.mode, scope: scope)]
    return IndexConfiguration(overrides: [
      FieldOverride(collectionGroup, path: field.path, entries: entries)
    ])
  }

  /// As JSON: an entry of `indexes`, or of `fieldOverrides` with the one mode that is missing.
  package var json: JSON {
    if let composite { return composite.json }
    let entries = fields.prefix(1).map { FieldOverride.Entry($0.mode, scope: scope) }
    return FieldOverride(collectionGroup, path: fields[0].path, entries: entries).json
  }

  /// `COLLECTION_GROUP_DESC`
  var kind: String {
    let mode =
      switch fields.first?.mode {
      case .descending?: "DESC"
      case .contains?: "CONTAINS"
      default: "ASC"
      }
    return "\(scope.rawValue)_\(mode)"
  }

  /// What a person reads who asks why.
  package var reason: String {
    let place = scope == .collectionGroup ? "the collection group" : "the collection"
    let known =
      form == .single
      ? "No index of the single field serves it: that of the scope is missing or exempted."
      : "No listed index has these fields in this order, and none can be merged to it."
    return "It needs the index \(IndexField.text(fields)) of \(place) \(collectionGroup). \(known)"
  }
}

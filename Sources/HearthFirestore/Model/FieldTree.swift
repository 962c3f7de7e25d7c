import HearthFirestoreProtos

/// The paths of a mask as a tree, so that one walk along the fields serves all of them.
///
/// Where a path lies below another of the mask, the upper one counts.
struct FieldTree {
  /// Whether a path ends here.
  private var isWhole = false
  private var children: [Fields.Name: FieldTree] = [:]

  init(_ paths: some Sequence<FieldPath>) {
    for path in paths { add(path.segments[...]) }
  }

  /// What of a document is to be shown. Its name always is.
  init(mask paths: [FieldPath]) { self.init(paths.filter { !$0.isDocumentName }) }

  private init() {}

  private mutating func add(_ segments: ArraySlice<String>) {
    guard let first = segments.first else {
      isWhole = true
      return
    }
    children[Fields.Name(first), default: FieldTree()].add(segments.dropFirst())
  }

  fileprivate func child(_ name: String) -> FieldTree? { children[Fields.Name(name)] }

  /// What the tree names in a value; nil where that is nothing.
  fileprivate func part(of value: Value) -> Value? {
    if isWhole { return value }
    guard case .mapValue(let map)? = value.valueType else { return nil }
    let inner = map.fields.masked(by: self)
    return inner.isEmpty ? nil : .map(inner)
  }

  /// What becomes of a value when another is merged into it.
  fileprivate func merge(_ given: Value?, into known: Value) -> Value? {
    if isWhole { return given }
    var inner: Fields = [:]
    if case .mapValue(let map)? = given?.valueType { inner = map.fields }
    // A vector is one value: what is put into it replaces it.
    if known.vector == nil, case .mapValue(let map)? = known.valueType {
      return .map(map.fields.merging(inner, by: self))
    }
    let part = inner.masked(by: self)
    return part.isEmpty ? known : .map(part)
  }
}

extension Fields {
  /// Only what the mask names, in the order of the fields.
  func masked(by tree: FieldTree) -> Fields {
    var fields = Fields()
    for (name, value) in self {
      if let part = tree.child(name)?.part(of: value) { fields.append(name, part) }
    }
    return fields
  }

  /// What the mask names is set as given, or removed where it is not given. Fields keep their
  /// places; new ones come last, in the order given.
  func merging(_ given: Fields, by mask: [FieldPath]) -> Fields {
    merging(given, by: FieldTree(mask))
  }

  fileprivate func merging(_ given: Fields, by tree: FieldTree) -> Fields {
    let (known, wanted) = (positions, given.positions)
    var fields = Fields()
    fields.reserveCapacity(count)
    for (name, value) in self {
      guard let child = tree.child(name) else {
        fields.append(name, value)
        continue
      }
      if let merged = child.merge(wanted[name], into: value) { fields.append(name, merged) }
    }
    for (name, value) in given where known.position(of: name) == nil {
      if let part = tree.child(name)?.part(of: value) { fields.append(name, part) }
    }
    return fields
  }
}

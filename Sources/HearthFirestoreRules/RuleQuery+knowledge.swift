extension RuleQuery {
  /// The documents, below `documents`, of which a constraint on `__name__` says that the query
  /// returns no others; nil where there is none.
  package func namedDocuments(in databaseID: String) -> [[String]]? {
    for constraint in constraints where constraint.field == ["__name__"] {
      switch constraint.condition {
      case .equal(let name): return Self.documents([name], databaseID: databaseID)
      case .oneOf(let names): return Self.documents(names, databaseID: databaseID)
      default: continue
      }
    }
    return nil
  }

  private static func documents(_ names: [RuleValue], databaseID: String) -> [[String]]? {
    var documents: [[String]] = []
    for name in names {
      guard case .path(let path) = name, path.starts(with: ["databases", databaseID, "documents"])
      else { return nil }
      documents.append(Array(path.dropFirst(3)))
    }
    return documents
  }

  /// The form of the paths of all documents that the query may return.
  func path(in databaseID: String) -> [PathElement] {
    if let fixed = fixedPath(in: databaseID) { return fixed.map(PathElement.known) }
    switch source {
    case .collection(let collection): return collection.map(PathElement.known) + [.any]
    case .collectionGroup(let id, let parent):
      return parent.map(PathElement.known) + [.rest, .known(id), .any]
    case .all(let parent, let atAnyDepth):
      return parent.map(PathElement.known) + (atAnyDepth ? [.rest] : []) + [.any, .any]
    }
  }

  func knowledge(of path: [PathElement], in databaseID: String) -> QueryKnowledge {
    // The name is not a field of `resource.data`.
    let fields = constraints.filter { $0.field != ["__name__"] }
    guard let fixed = fixedPath(in: databaseID) else {
      return QueryKnowledge(constraints: fields, documentID: .unknown, documentName: .unknown)
    }
    return QueryKnowledge(
      constraints: fields, documentID: .known(.string(fixed.last ?? "")),
      documentName: .known(.path(["databases", databaseID, "documents"] + fixed)))
  }

  /// The one document, below `documents`, that a constraint on `__name__` leaves. The query's
  /// source does not matter then: a document outside of it would only make the result empty.
  private func fixedPath(in databaseID: String) -> [String]? {
    for constraint in constraints where constraint.field == ["__name__"] {
      guard case .equal(.path(let path)) = constraint.condition,
        path.starts(with: ["databases", databaseID, "documents"])
      else { continue }
      return Array(path.dropFirst(3))
    }
    return nil
  }
}

import HearthWire

extension MissingIndex {
  /// What production says of a query that needs this index. The console is the address of the page
  /// that makes indexes, without a query string.
  package func message(
    _ shape: QueryShape, project: String, database: String, console: String
  ) -> String {
    let link = "\(console)?\(linkParameter(project: project, database: database))"
    switch form {
    case .vector: return vectorMessage(project)
    case .single:
      return "The query requires a \(kind) index for collection \(collectionGroup) and field "
        + "\(fields[0].path). You can create it here: \(link)"
    case .composite:
      let text = "The query requires an index. You can create it here: \(link)"
      return shape.inequalityFields.count > 1 ? text + " ." + Self.severalRanges : text
    }
  }

  private static let severalRanges = """

    The query contains range and inequality filters on multiple fields, please refer to the \
    documentation for index selection best practices: \
    https://cloud.google.com/firestore/docs/query-data/multiple-range-fields.
    """

  private func vectorMessage(_ project: String) -> String {
    var command =
      "gcloud firestore indexes composite create --project=\(project) "
      + "--collection-group=\(collectionGroup) --query-scope=\(scope.rawValue)"
    for field in fields {
      let path = "field-path=\(field.path)"
      switch field.mode {
      case .ascending: command += " --field-config=order=ASCENDING,\(path)"
      case .descending: command += " --field-config=order=DESCENDING,\(path)"
      case .contains: command += " --field-config=array-config=CONTAINS,\(path)"
      case .vector(let dimension):
        command +=
          " --field-config=vector-config='{\"dimension\":\"\(dimension)\",\"flat\": \"{}\"}',\(path)"
      case .search: break
      }
    }
    return
      "Missing vector index configuration. Please create the required index with the following "
      + "gcloud command: \(command)"
  }

  /// `create_composite=…` or `create_exemption=…`, with the index as a message of the admin API.
  package func linkParameter(project: String, database: String) -> String {
    let group = "projects/\(project)/databases/\(database)/collectionGroups/\(collectionGroup)"
    let isSingle = form == .single
    let name = isSingle ? "\(group)/fields/\(fields[0].path)" : "\(group)/indexes/_"
    var message = IndexMessage()
    message.add(1, text: name)
    message.add(2, number: scope == .collection ? 1 : 2)
    for field in isSingle ? fields.prefix(1) : fields[...] {
      var part = IndexMessage()
      part.add(1, text: field.path.description)
      switch field.mode {
      case .ascending: part.add(2, number: 1)
      case .descending: part.add(2, number: 2)
      case .contains: part.add(3, number: 1)
      case .vector(let dimension):
        var vector = IndexMessage()
        vector.add(1, number: dimension)
        vector.add(2, bytes: [])
        part.add(4, bytes: vector.bytes)
      case .search: break
      }
      message.add(3, bytes: part.bytes)
    }
    return
      "\(isSingle ? "create_exemption" : "create_composite")=\(Base64.encodeURL(message.bytes))"
  }
}

/// The few kinds of fields that `google.firestore.admin.v1.Index` has.
private struct IndexMessage {
  private(set) var bytes: [UInt8] = []

  mutating func add(_ field: Int, number: Int) {
    append(field << 3)
    append(number)
  }

  mutating func add(_ field: Int, text: String) { add(field, bytes: Array(text.utf8)) }

  mutating func add(_ field: Int, bytes added: [UInt8]) {
    append(field << 3 | 2)
    append(added.count)
    bytes.append(contentsOf: added)
  }

  private mutating func append(_ number: Int) {
    var rest = UInt64(max(0, number))
    while rest > 0x7F {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}

import HearthWire

/// Reads a document, or the documents that a query finds.
enum Query: Tool {
  static let name = "query"
  static let summary = """
    Reads one document by its path, or the documents of a collection that match. Rules do not apply \
    unless "as" names a user.
    """
  static let example: JSON = [
    "collection": "users", "where": [["field": "age", "op": ">=", "value": 18]],
    "orderBy": ["-age"], "limit": 5,
  ]
  static let effect = ToolEffect.reads
  static let parameters = [
    Parameter("path", kind: .string, text: "Path of one document, such as users/ann."),
    Parameter(
      "collection", kind: .string, text: "Path of a collection, such as users or users/ann/posts."),
    Parameter(
      "where", kind: .list,
      text: "Conditions {field, op, value}; op is ==, !=, <, <=, >, >=, in, not-in, "
        + "array-contains or array-contains-any. All must hold."),
    Parameter("orderBy", kind: .list, text: "Fields; - in front of a name for descending."),
    Parameter("limit", kind: .whole(1...100), text: "The most documents to return (default: 20)."),
    Parameter("group", kind: .boolean, text: "All collections of that name, at any depth."),
    Parameter(
      "as", kind: .string, text: "A uid: read as this user, so that rules apply. Or: nobody."),
    Parameter("database", kind: .string, text: "The database (default: \"(default)\")."),
  ]

  static func run(
    _ arguments: Arguments, in project: HearthProject
  ) async throws(ToolFailure) -> JSON {
    let user = FirestoreUser(arguments.string("as"))
    let database = arguments.string("database") ?? "(default)"
    let values = FirestoreJSON(project: project.id, database: database)
    if let path = arguments.string("path") {
      let document = try await project.firestore(
        "GET", database: database, rest: try DocumentPath(path, kind: .document).encoded, as: user,
        advice: advice)
      return values.document(document)
    }
    guard let collection = arguments.string("collection") else {
      throw ToolFailure(
        "\"path\" or \"collection\" is missing.", next: "Call again with \(example.text)")
    }
    let path = try DocumentPath(collection, kind: .collection)
    let limit = arguments.whole("limit", default: 20)
    let query = try StructuredQuery(
      arguments, collection: path.last, limit: limit + 1, values: values)
    let answer = try await project.firestore(
      "POST", database: database, rest: "\(path.parent.encoded):runQuery",
      body: ["structuredQuery": query.json],
      as: user, advice: advice)
    let found = (answer.array ?? []).compactMap { $0["document"] }
    return .members([
      "documents": .array(found.prefix(Int(limit)).map(values.document)),
      "more": found.count > limit ? true : nil,
    ])
  }

  static let advice: HearthProject.Advice = [
    "PERMISSION_DENIED": "Call explain_denial.",
    "insufficient permissions": "Call explain_denial.",
    "requires an index": "Call missing_indexes.",
    "NOT_FOUND": "Look at the collection with query, or make the document with write.",
    "not found": "Look at the collection with query, or make the document with write.",
  ]
}

/// A query in the form of the API.
private struct StructuredQuery {
  let json: JSON

  private static let operators = [
    "==": "EQUAL", "!=": "NOT_EQUAL", "<": "LESS_THAN", "<=": "LESS_THAN_OR_EQUAL",
    ">": "GREATER_THAN", ">=": "GREATER_THAN_OR_EQUAL", "in": "IN", "not-in": "NOT_IN",
    "array-contains": "ARRAY_CONTAINS", "array-contains-any": "ARRAY_CONTAINS_ANY",
  ]

  init(
    _ arguments: Arguments, collection: String, limit: Int64, values: FirestoreJSON
  ) throws(ToolFailure) {
    let conditions = try (arguments["where"]?.array ?? []).map { (json) throws(ToolFailure) in
      try Self.condition(json, values: values)
    }
    let orders = try (arguments["orderBy"]?.array ?? []).map(Self.order)
    json = .members([
      "from": [
        [
          "collectionId": .string(collection),
          "allDescendants": .bool(arguments.bool("group")),
        ]
      ],
      "where": conditions.isEmpty
        ? nil : ["compositeFilter": ["op": "AND", "filters": .array(conditions)]],
      "orderBy": orders.isEmpty ? nil : .array(orders), "limit": .int(limit),
    ])
  }

  private static func condition(
    _ json: JSON, values: FirestoreJSON
  ) throws(ToolFailure) -> JSON {
    guard let field = json["field"]?.string, let name = json["op"]?.string,
      let value = json["value"], let op = operators[name]
    else {
      throw ToolFailure(
        "A condition of \"where\" is wrong: \(json.text.shortened(to: 200))",
        next: "Write it as {\"field\": \"age\", \"op\": \">=\", \"value\": 18}; op is one of "
          + operators.keys.sorted().joined(separator: " "))
    }
    return [
      "fieldFilter": [
        "field": ["fieldPath": .string(field)], "op": .string(op),
        "value": try values.typed(value),
      ]
    ]
  }

  private static func order(_ json: JSON) throws(ToolFailure) -> JSON {
    guard let text = json.string, !text.isEmpty else {
      throw ToolFailure(
        "\"orderBy\" has names of fields.", next: "Write it as [\"-age\", \"name\"].")
    }
    let isDescending = text.hasPrefix("-")
    return [
      "field": ["fieldPath": .string(isDescending ? String(text.dropFirst()) : text)],
      "direction": isDescending ? "DESCENDING" : "ASCENDING",
    ]
  }
}

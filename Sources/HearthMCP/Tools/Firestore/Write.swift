import HearthWire

/// Writes or deletes one document.
enum Write: Tool {
  static let name = "write"
  static let summary = """
    Writes one document: set replaces it, merge changes the named fields, create fails where there \
    is one, delete removes it. The path of a collection adds a document with a new id. Rules do not \
    apply unless "as" names a user.
    """
  static let example: JSON = [
    "path": "users/ann", "data": ["age": 36, "born": ["$timestamp": "1990-01-31T00:00:00Z"]],
  ]
  static let effect = ToolEffect.replaces
  static let parameters = [
    Parameter(
      "path", kind: .string, text: "Path of the document, or of a collection.", isRequired: true),
    Parameter(
      "data", kind: .object,
      text:
        "Plain JSON; {\"$timestamp\": …}, $bytes, $geopoint, $reference, $vector, $double, $map for "
        + "other values."),
    Parameter(
      "mode", kind: .choice(["set", "merge", "create", "delete"]),
      text: "What to do (default: set)."),
    Parameter(
      "as", kind: .string, text: "A uid: write as this user, so that rules apply. Or: nobody."),
    Parameter("database", kind: .string, text: "The database (default: \"(default)\")."),
  ]

  static func run(
    _ arguments: Arguments, in project: HearthProject
  ) async throws(ToolFailure) -> JSON {
    let path = try DocumentPath(arguments.string("path") ?? "", kind: .either)
    let mode = arguments.string("mode") ?? "set"
    let database = arguments.string("database") ?? "(default)"
    let values = FirestoreJSON(project: project.id, database: database)
    let request = try request(path, mode: mode, arguments: arguments, values: values)
    let answer = try await project.firestore(
      request.method, database: database, rest: request.rest, body: request.body,
      as: FirestoreUser(arguments.string("as")),
      advice: [
        "PERMISSION_DENIED": "Call explain_denial.",
        "insufficient permissions": "Call explain_denial.",
        "already exists": "Use the mode set or merge.",
      ])
    return mode == "delete"
      ? ["deleted": .string(arguments.string("path") ?? "")] : values.document(answer)
  }

  private struct Request {
    let method: String
    let rest: String
    let body: JSON?
  }

  private static func request(
    _ path: DocumentPath, mode: String, arguments: Arguments, values: FirestoreJSON
  ) throws(ToolFailure) -> Request {
    if mode == "delete" {
      guard path.isDocument else {
        throw ToolFailure(
          "Only documents are deleted.", next: "Name a document, such as users/ann.")
      }
      return Request(method: "DELETE", rest: path.encoded, body: nil)
    }
    guard let data = arguments["data"]?.object else {
      throw ToolFailure("\"data\" is missing.", next: "Call again with \(example.text)")
    }
    let body: JSON = ["fields": .object(try values.fields(data))]
    guard path.isDocument else { return Request(method: "POST", rest: path.encoded, body: body) }
    switch mode {
    case "create":
      let id = PercentCoding.encodeComponent(path.last)
      return Request(
        method: "POST", rest: "\(path.parent.encoded)?documentId=\(id)", body: body)
    case "merge":
      return Request(method: "PATCH", rest: "\(path.encoded)?\(mask(of: data))", body: body)
    default: return Request(method: "PATCH", rest: path.encoded, body: body)
    }
  }

  /// The names of the fields, quoted as the API wants it for any name.
  private static func mask(of data: JSONObject) -> String {
    data.keys.map { key in
      let quoted = key.replacing("\\", with: "\\\\").replacing("`", with: "\\`")
      return "updateMask.fieldPaths=\(PercentCoding.encodeComponent("`\(quoted)`"))"
    }.joined(separator: "&")
  }
}

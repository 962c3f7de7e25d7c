import HearthWire

/// The answer to one outcome: status, body, headers, all of them templates.
struct Reply: Sendable {
  let status: Int
  /// Filled into the body as `{message}`.
  let message: LocalText?
  /// Nil for an answer without a body.
  let body: JSONTemplate?
  let headers: [Header]

  struct Header: Sendable {
    let name: String
    let value: Template
  }

  /// The bodies of replies that give only a message.
  struct Shapes {
    let success: DefinitionValue?
    let error: DefinitionValue?

    static let none = Shapes(success: nil, error: nil)

    private init(success: DefinitionValue?, error: DefinitionValue?) {
      self.success = success
      self.error = error
    }

    init(_ value: DefinitionValue) throws(DefinitionFault) {
      let object = try value.object(["success", "error"])
      success = object["success"]
      error = object["error"]
      // Read here as well, so that the fault names its place.
      for shape in object.members {
        _ = try JSONTemplate(shape.value, allowed: Placeholder.common.union([.message]))
      }
    }
  }

  init(
    _ value: DefinitionValue, to outcome: Outcome, shapes: Shapes, languages: LanguageRule
  ) throws(DefinitionFault) {
    let object = try value.object(["status", "message", "body", "headers"])
    status = try object.required("status").integer(in: 200...599)
    let allowed = Placeholder.common.union(outcome.placeholders)
    message = try object.optional("message") { value throws(DefinitionFault) in
      try LocalText(value, languages: languages, allowed: allowed)
    }
    body = try Self.body(object, status: status, shapes: shapes, allowed: allowed)
    var headers: [Header] = []
    for member in try object["headers"]?.anyObject().members ?? [] {
      headers.append(try Self.header(member, allowed: allowed))
    }
    self.headers = headers
  }

  private static func body(
    _ object: DefinitionObject, status: Int, shapes: Shapes, allowed: Set<Placeholder>
  ) throws(DefinitionFault) -> JSONTemplate? {
    if [204, 304].contains(status) {
      for name in ["body", "message"] where object[name] != nil {
        throw object.missing(name, reason: "cannot be; an answer with status \(status) has no body")
      }
      return nil
    }
    let inBody = object["message"] == nil ? allowed : allowed.union([.message])
    if let body = object["body"] { return try JSONTemplate(body, allowed: inBody) }
    let name = status < 400 ? "success" : "error"
    guard object["message"] != nil else {
      throw object.missing(
        "body", reason: "is missing, and so is \"message\" for the shape \"\(name)\"")
    }
    guard let shape = status < 400 ? shapes.success : shapes.error else {
      throw object.missing("body", reason: "is missing, and \"shapes\" has no \"\(name)\"")
    }
    return try JSONTemplate(shape, allowed: inBody)
  }

  private static let serversOwn = [
    "content-length", "content-type", "transfer-encoding", "connection", "date",
  ]

  private static func header(
    _ member: DefinitionObject.Member, allowed: Set<Placeholder>
  ) throws(DefinitionFault) -> Header {
    let text = try member.value.string()
    guard !member.name.isEmpty,
      member.name.utf8.allSatisfy({ $0.isASCIIAlphanumeric || "-_".utf8.contains($0) })
    else { throw member.value.fault("has a name that no header can have") }
    guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
      throw member.value.fault("must be one line")
    }
    // These belong to the server, and a second one would break the answer.
    guard !serversOwn.contains(member.name.lowercased()) else {
      throw member.value.fault("is set by the server")
    }
    return Header(name: member.name, value: try Template(member.value, allowed: allowed))
  }
}

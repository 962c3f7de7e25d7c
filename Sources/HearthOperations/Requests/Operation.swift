package import HearthErrors
package import HearthWire

/// One HTTP operation: a synchronous function in one transaction.
///
/// Returning commits, throwing rolls back. It has no `await` and no HTTP; what has to
/// happen outside is in the answer (`sign`), in the outbox, or in an `Outcome.away`.
package protocol Operation: Sendable {
  /// What the operation takes, with a type for every field.
  associatedtype Request: OperationRequest

  /// Whether the operation looks up itself whose a refresh token of its request is.
  static var findsTenantOfToken: Bool { get }

  static func run(
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome
}

extension Operation {
  package static var findsTenantOfToken: Bool { false }

  /// Reads the request and runs the operation.
  package static func run(
    reading wire: WireRequest, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    try run(try Request(wire), in: project, context: context)
  }
}

/// The fields that an operation takes, read once from body, query and path.
///
/// An initialiser over the tree, not `Decodable`: fields may have rules of their own, and decoders are
/// slow. The body has been checked against the API description before. Little else is checked here,
/// because the order in which an operation refuses is behaviour: values are checked where they are
/// used.
package protocol OperationRequest: Sendable {
  init(_ wire: WireRequest) throws(APIError)
}

/// For an operation that takes the document as it is.
extension WireRequest: OperationRequest {
  package init(_ wire: WireRequest) { self = wire }
}

/// For an operation that takes nothing.
package struct NoFields: OperationRequest {
  package init(_ wire: WireRequest) {}
}

/// What the caller sent, checked against the API description.
package struct WireRequest: Sendable {
  /// The body with its keys in lower camel case; declared fields have their declared types.
  package let body: JSONObject
  package let query: FormFields
  /// What the path's variables captured.
  package let path: [String: String]

  package init(
    body: JSONObject = JSONObject(), query: FormFields = FormFields(), path: [String: String] = [:]
  ) {
    self.body = body
    self.query = query
    self.path = path
  }

  package func has(_ field: String) -> Bool { body[field] != nil }
  package func string(_ field: String) -> String? { body[field]?.string }
  package func bool(_ field: String) -> Bool? { body[field]?.bool }
  package func object(_ field: String) -> JSONObject? { body[field]?.object }
  package func array(_ field: String) -> [JSON]? { body[field]?.array }

  package func strings(_ field: String) -> [String]? {
    array(field)?.compactMap(\.string)
  }
}

/// How an operation ends.
package enum Outcome: Sendable {
  case answer(Answer)
  /// Commit, do slow work without holding the store, and go on in a new transaction.
  case away(@Sendable () async throws(APIError) -> Resumption)

  /// The second half of an operation.
  package typealias Resumption =
    @Sendable (ProjectTransaction, Context) throws(APIError) -> Outcome

  package static func json(_ members: KeyValuePairs<String, JSON?>) -> Outcome {
    .answer(Answer(JSONObject(members)))
  }

  package static func json(_ object: JSONObject) -> Outcome { .answer(Answer(object)) }
}

/// What goes back to the caller.
package struct Answer: Sendable {
  package enum Body: Sendable {
    case json(JSONObject)
    case prettyJSON(JSONObject)
    case text(String, contentType: String)
    case bytes([UInt8], contentType: String)
    case empty
  }

  package var status: Int
  package var body: Body
  package var headers: [(name: String, value: String)]
  /// A token that is still to be signed, after the commit, and the members of the JSON body that
  /// hold it.
  package var sign: (members: [String], claims: JSONObject)?
  /// Whether the header of that token has no `typ`, as production's session cookies.
  package var omitsTokenType = false

  package init(
    _ object: JSONObject, sign: (members: [String], claims: JSONObject)? = nil
  ) {
    self.init(status: 200, body: .json(object), sign: sign)
  }

  package init(
    status: Int, body: Body, headers: [(name: String, value: String)] = [],
    sign: (members: [String], claims: JSONObject)? = nil
  ) {
    self.status = status
    self.body = body
    self.headers = headers
    self.sign = sign
  }
}

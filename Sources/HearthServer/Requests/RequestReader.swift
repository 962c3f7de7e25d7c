import HTTPTypes
import HearthErrors
import HearthFirestoreJSON
import HearthIdentityToolkit
import HearthOperations
import HearthTransport
import HearthWire

/// Turns what came over the wire into what an operation takes, or says what is wrong with it.
enum RequestReader {
  private static let json = "application/json"
  private static let form = "application/x-www-form-urlencoded"

  /// A wrong content type is refused before anybody asks who is calling.
  static func checkContentType(_ call: IncomingCall, for route: Route) throws(APIError) {
    // A DELETE has no body to read, whatever its content type says.
    guard let given = contentType(of: call), call.method != "DELETE" else { return }
    // What nearly everybody sends.
    if given == json, case .json = route.body { return }
    let mediaType = mediaType(given)
    let accepted: [String]
    switch route.body {
    case .none:
      if call.body.isEmpty { return }
      // HTTP clients with a default body send one with every GET. It says nothing, and is not read.
      accepted = route.credential == .control && call.method == "GET" ? [json] : []
    case .json, .verbatim: accepted = [json]
    case .jsonOrForm: accepted = [json, form]
    case .form: accepted = [form]
    case .file, .credentials: return
    }
    guard accepted.contains(mediaType) else {
      throw APIError(.invalidContentType, message: "Invalid content-type: \(given)")
    }
    if let charset = charset(given), !["utf-8", "utf8", "us-ascii"].contains(charset) {
      throw APIError(.unsupportedEncoding, detail: "charset \(charset)")
    }
  }

  /// Where it is given twice, the first counts. By their subscript, headers are copied.
  private static func contentType(of call: IncomingCall) -> String? {
    call.headers.first { $0.name == .contentType }?.value
  }

  private static func mediaType(_ header: String) -> String {
    header.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased()
  }

  private static func charset(_ header: String) -> String? {
    for parameter in header.split(separator: ";").dropFirst() {
      let pair = parameter.filter { $0 != " " && $0 != "\"" }.lowercased()
      if pair.hasPrefix("charset=") { return String(pair.dropFirst(8)) }
    }
    return nil
  }

  // MARK: Query

  private static let standardParameters = [
    Route.QueryParameter("alt", kind: .enumeration(["json", "media", "proto"])),
    Route.QueryParameter("prettyPrint", kind: .boolean),
  ]

  /// Checks the parameters that the route declares. Others are let through.
  static func checkQuery(
    _ query: FormFields, for route: Route, _ answers: Switches.Program
  ) throws(APIError) {
    guard !query.pairs.isEmpty else { return }
    for parameter in route.query {
      try check(query.values(of: parameter.name), parameter, answers)
    }
    // The official emulator declares them for all but passkeys.
    guard [.bearerOrKey, .bearer, .keyOnly].contains(route.credential),
      !route.id.hasPrefix("identitytoolkit.accounts.passkey")
    else { return }
    for parameter in standardParameters {
      try check(query.values(of: parameter.name), parameter, answers)
    }
  }

  private static func check(
    _ values: [String], _ parameter: Route.QueryParameter, _ answers: Switches.Program
  ) throws(APIError) {
    guard let value = values.first else { return }
    guard values.count == 1 else { throw MessageSchemas.violation("", rule: "must be string") }
    switch parameter.kind {
    case .string: break
    case .integer:
      if Int64(value) == nil { throw MessageSchemas.violation("", rule: "must be integer") }
    case .boolean:
      if value != "true" && value != "false" {
        throw MessageSchemas.violation("", rule: "must be boolean")
      }
    case .enumeration(let names):
      if !names.contains(value), Int(value).map({ names.indices.contains($0) }) != true {
        throw unknownWord(value, of: parameter.name, answers)
      }
    }
  }

  private static func unknownWord(
    _ word: String, of name: String, _ answers: Switches.Program
  ) -> APIError {
    let known = [
      "clientType": ("client_type", "ClientType"), "version": (name, "RecaptchaVersion"),
    ]
    guard answers == .production, let (field, type) = known[name] else {
      return MessageSchemas.violation("", rule: "must be equal to one of the allowed values")
    }
    let fullType = "type.googleapis.com/google.cloud.identitytoolkit.v2.\(type)"
    return .invalidFields([
      (field, "Invalid value at '\(field)' (\(fullType)), \(JSON.string(word).text)")
    ])
  }

  // MARK: Body

  /// Reads the body as the route has it, and checks it against the message's schema.
  ///
  /// - Throws: the error of a body that cannot be parsed, or the first violation of the schema.
  static func body(
    of call: IncomingCall, for route: Route, _ answers: Switches.Program
  ) throws(APIError) -> JSONObject {
    switch route.body {
    case .none, .file: return JSONObject()
    case .verbatim:
      guard let object = try parse(call.body).object else {
        throw APIError(.invalidArgument, message: "The request body must be a JSON object.")
      }
      return object
    case .credentials:
      // The server's own operations read them themselves. The names of others' fields stay.
      guard case .operation = route.action, call.method != "GET" else { return JSONObject() }
      let isJSON = contentType(of: call).map { mediaType($0) == json } ?? false
      return (isJSON ? try parse(call.body) : parseForm(call.body)).object ?? JSONObject()
    case .json(let message):
      return try accept(try parse(call.body, answers), as: message, answers: answers)
    case .form: return try accept(parseForm(call.body), as: nil, answers: answers)
    case .jsonOrForm(let message):
      let isForm =
        // Without a content type the first byte decides.
        contentType(of: call).map { mediaType($0) == form }
        ?? (call.body.first.map { $0 != UInt8(ascii: "{") } ?? false)
      return try accept(
        isForm ? parseForm(call.body) : try parse(call.body, answers), as: message, answers: answers
      )
    }
  }

  private static func accept(
    _ body: JSON, as message: String?, answers: Switches.Program
  ) throws(APIError) -> JSONObject {
    switch answers {
    case .emulator: try MessageSchemas.identityToolkit.accept(body, as: message)
    case .production: try MessageSchemas.identityToolkit.acceptAsProtocolBuffer(body, as: message)
    }
  }

  /// What fits into memory: a value takes up to 200 bytes of it. Imports are longer, and have a value
  /// for every 16 bytes at most.
  private static func bounds(_ bytes: Int) -> JSON.Bounds {
    JSON.Bounds(values: max(500_000, bytes / 16), members: 10_000)
  }

  /// No body at all is an empty object.
  private static func parse(
    _ bytes: [UInt8], _ answers: Switches.Program = .emulator
  ) throws(APIError) -> JSON {
    guard !bytes.isEmpty else { return .object(JSONObject()) }
    let json: JSON
    do throws(JSON.ParseError) {
      json = try JSON.parse(bytes, within: bounds(bytes.count))
    } catch {
      let known = answers == .production ? FirestoreJSON.syntaxError(of: bytes) : nil
      let message = known?.message ?? "Invalid JSON payload received. \(error)"
      throw APIError(.parseError, message: message)
    }
    // An array, and for production any value, gets as far as the schema, whose message names it.
    switch json {
    case .object, .array: return json
    case .null, .bool, .int, .double, .string:
      if answers == .production { return json }
      throw APIError(
        .parseError, message: "Invalid JSON payload received. Unexpected token at the top level")
    }
  }

  /// A repeated name makes a list, which no field of a form is.
  private static func parseForm(_ bytes: [UInt8]) -> JSON {
    let fields = FormFields(parsing: String(decoding: bytes, as: UTF8.self))
    var object = JSONObject()
    for pair in fields.pairs {
      if let earlier = object[pair.name] {
        object[pair.name] = .array((earlier.array ?? [earlier]) + [.string(pair.value)])
      } else {
        object[pair.name] = .string(pair.value)
      }
    }
    return .object(object)
  }
}

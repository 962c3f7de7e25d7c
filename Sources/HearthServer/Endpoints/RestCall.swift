import HearthErrors
import HearthFirestore
import HearthFirestoreJSON
import HearthFirestoreProtos
import HearthOperations
import HearthTransport
import HearthWire
import SwiftProtobuf

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A call of Firestore over REST, with what the methods are made for. What it reads from path,
/// query and body is checked by the methods that gRPC calls as well; here are only the errors of
/// the transcoding.
struct RestCall: Sendable {
  let firestore: Firestore
  /// Nobody where the method asks for no token.
  let caller: FirestoreCaller
  let project: String
  let database: DatabaseName
  /// The id of the operation in the path.
  let operationId: String?
  /// Below `documents`; empty for the root.
  let segments: [String]
  /// Names are in camel case, whichever spelling came.
  let query: FormFields
  let body: [UInt8]

  init(
    _ call: IncomingCall, variables: [String: String], segments: [String],
    in firestore: Firestore, as caller: FirestoreCaller
  ) {
    self.firestore = firestore
    self.caller = caller
    self.segments = segments
    project = variables["targetProjectId"] ?? ""
    operationId = variables["operationId"]
    database = DatabaseName(project: project, database: variables["databaseId"] ?? "")
    var query = FormFields(parsing: call.query)
    query.pairs = query.pairs.map {
      FormFields.Pair(name: Self.camelCase($0.name), value: $0.value)
    }
    self.query = query
    body = call.body
  }

  /// Google's services take `page_size` for `pageSize`.
  private static func camelCase(_ name: String) -> String {
    let words = name.split(separator: "_", omittingEmptySubsequences: false)
    return words.dropFirst().reduce(String(words[0])) {
      $0 + $1.prefix(1).uppercased() + $1.dropFirst()
    }
  }

  /// The full name of what is in the path.
  var name: String { database.name(of: segments[...]) }
  var parentName: String { database.name(of: segments.dropLast()) }

  /// The body as JSON, for the endpoints of the emulator. None of them needs many values, each of
  /// which takes far more memory than its text.
  func json() throws(APIError) -> JSON {
    guard let json = try? JSON.parse(body, within: Self.bounds) else {
      throw APIError(.invalidPayload, message: "Invalid JSON payload received.")
    }
    return json
  }

  private static let bounds = JSON.Bounds(values: 500_000, members: 10_000)

  /// The body as a message; what is in the path is filled in.
  /// `place` is the field of the request that the body is, where it is not all of it.
  ///
  /// - Throws: INVALID_ARGUMENT with the place in the body.
  func message<Body: Message>(
    in place: String? = nil, _ complete: (inout Body) -> Void
  ) throws(APIError) -> Body {
    var message =
      body.isEmpty
      ? Body()
      : try FirestoreJSON.decode(
        body, isLenient: firestore.answersAsProduction(project), place: place)
    complete(&message)
    return message
  }

  /// `updateMask.fieldPaths=a`, or `updateMask=a`, which the official emulator takes too. Nil where
  /// neither is given.
  func mask(_ parameter: String) -> DocumentMask? {
    let paths = query.values(of: parameter + ".fieldPaths") + query.values(of: parameter)
    return paths.isEmpty ? nil : .with { $0.fieldPaths = paths }
  }

  /// An integer of 32 bits; nil where the parameter is not given.
  ///
  /// - Throws: INVALID_ARGUMENT, as all of these do for a value of another type. Production's text
  ///   names the field, as protocol buffers spell it.
  func number(_ parameter: String) throws(APIError) -> Int32? {
    guard let text = given(parameter) else { return nil }
    guard let number = Int32(text) else { throw fault(parameter, type: "TYPE_INT32", text: text) }
    return number
  }

  /// False where the parameter is not given. The official emulator knows no other truth than
  /// `true`, in any case of letters.
  func flag(_ parameter: String) throws(APIError) -> Bool {
    guard isProduction, let text = query[parameter] else {
      return query[parameter]?.lowercased() == "true"
    }
    switch text.lowercased() {
    case "true", "t", "yes", "y", "1": return true
    case "false", "f", "no", "n", "0": return false
    default: throw fault(parameter, type: "TYPE_BOOL", text: text)
    }
  }

  /// Bytes in Base64; nil where the parameter is not given or empty.
  func bytes(_ parameter: String) throws(APIError) -> Data? {
    guard let text = query[parameter].nonEmpty else { return nil }
    guard let bytes = Base64.decode(text) else {
      throw fault(parameter, problem: "(TYPE_BYTES), Base64 decoding failed for \"\(text)\"")
    }
    return Data(bytes)
  }

  /// A time in the form of ISO 8601; nil where the parameter is not given.
  func time(_ parameter: String) throws(APIError) -> ProtoTimestamp? {
    guard let text = given(parameter) else { return nil }
    guard let time = ProtoTimestamp(iso8601: text) else {
      let isLongYear = text.utf8.prefix(5).allSatisfy(\.isASCIIDigit)
      let problem =
        isLongYear && text.utf8.count > 4
        ? "Timestamp value exceeds limits"
        : "Illegal timestamp format; timestamps must end with 'Z' or have a valid timezone offset."
      throw fault(
        parameter,
        problem:
          "(type.googleapis.com/google.protobuf.Timestamp), Field '\(Self.snakeCase(parameter))', "
          + problem)
    }
    return time
  }

  /// A query has no messages: each member of `currentDocument` is a parameter of its own.
  func precondition() throws(APIError) -> Precondition? {
    if let time = try time("currentDocument.updateTime") { return .with { $0.updateTime = time } }
    switch query["currentDocument.exists"] {
    case nil: return nil
    case "true": return .with { $0.exists = true }
    case "false": return .with { $0.exists = false }
    case let text?: throw fault("currentDocument.exists", type: "TYPE_BOOL", text: text)
    }
  }

  /// Only production takes an empty value for one.
  private func given(_ parameter: String) -> String? {
    guard let text = query[parameter] else { return nil }
    return text.isEmpty && !isProduction ? nil : text
  }

  // MARK: Refusals

  private var isProduction: Bool { firestore.answersAsProduction(project) }

  /// Refuses what production refuses of the parameters themselves: names that the request does not
  /// have, a message for which only members can be given, and both of two that exclude each other. The
  /// official emulator passes them over.
  func checkParameters(_ known: Set<String>) throws(APIError) {
    guard !query.pairs.isEmpty, isProduction else { return }
    for name in query.pairs.map(\.name) where !known.contains(name) && !Self.isOfAll(name) {
      let isMessage = known.contains { $0.hasPrefix(name + ".") }
      throw Self.refusal(
        "Invalid JSON payload received. Unknown name \"\(name)\": Cannot bind query parameter. "
          + (isMessage
            ? "'\(name)' is a message type. Parameters can only be bound to primitive types."
            : "Field '\(name)' could not be found in request message."))
    }
    let selectors = query.pairs.map(\.name).filter { $0 == "transaction" || $0 == "readTime" }
    if let second = selectors.first(where: { $0 != selectors.first }) {
      throw Self.refusal(
        "Invalid value (oneof), oneof field 'consistency_selector' is already set. Cannot set "
          + "'\(second)'")
    }
  }

  /// Whether Google's services take a parameter with every request.
  /// https://cloud.google.com/apis/docs/system-parameters
  private static func isOfAll(_ name: String) -> Bool {
    name.hasPrefix("$") || general.contains(name)
  }

  private static let general: Set<String> = [
    "accessToken", "alt", "callback", "fields", "key", "oauthToken", "prettyPrint", "quotaUser",
    "uploadType", "uploadProtocol", "userIp",
  ]

  private func fault(_ parameter: String, type: String, text: String) -> APIError {
    fault(parameter, problem: "(\(type)), \"\(text)\"")
  }

  /// A refusal with production's details where production answers, and a short text otherwise.
  private func fault(_ parameter: String, problem: String) -> APIError {
    guard isProduction else {
      return APIError(
        .invalidArgument, message: "Invalid value for the parameter \"\(parameter)\".")
    }
    let field = Self.snakeCase(parameter)
    return Self.refusal("Invalid value at '\(field)' \(problem)", at: field)
  }

  private static func refusal(_ message: String, at field: String? = nil) -> APIError {
    APIError(.invalidArgument, message: message).with(
      details: .members([
        "@type": "type.googleapis.com/google.rpc.BadRequest",
        "fieldViolations": [.members(["field": field.json, "description": .string(message)])],
      ]))
  }

  private static func snakeCase(_ name: String) -> String {
    name.reduce(into: "") { $0 += $1.isUppercase ? "_" + $1.lowercased() : String($1) }
  }
}

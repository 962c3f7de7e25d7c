import HearthErrors
import HearthFirestore
import HearthFirestoreProtos
import HearthOperations
import HearthWire
import SwiftProtobuf

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A call of Firestore over REST, with what the methods are made for.
struct RestCall: Sendable {
  let firestore: Firestore
  /// Nobody where the method asks for no token.
  let caller: FirestoreCaller
  let project: String
  let database: DatabaseName
  /// Below `documents`.
  let segments: [String]
  let query: FormFields
  let body: [UInt8]

  init(
    _ call: IncomingCall, _ variables: [String: String], _ segments: [String],
    in firestore: Firestore, as caller: FirestoreCaller
  ) {
    self.firestore = firestore
    self.caller = caller
    self.segments = segments
    project = variables["targetProjectId"] ?? ""
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

  var name: String { name(segments) }
  var parentName: String { name(segments.dropLast()) }

  private func name(_ segments: some Collection<String>) -> String {
    ([database.documents] + segments).joined(separator: "/")
  }

  /// The body as JSON, for the endpoints of the emulator.
  func json() throws(APIError) -> JSON {
    guard let json = try? JSON.parse(body) else {
      throw APIError(.invalidPayload, message: "Invalid JSON payload received.")
    }
    return json
  }

  /// The body as a message; what is in the path is filled in.
  /// `place` is the field of the request that the body is, where it is not all of it.
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

  /// Nil where the parameter is not given.
  func mask(_ parameter: String) -> DocumentMask? {
    let paths = query.values(of: parameter)
    return paths.isEmpty ? nil : .with { $0.fieldPaths = paths }
  }

  func number(_ parameter: String) throws(APIError) -> Int32? {
    guard let text = query[parameter].nonEmpty else { return nil }
    guard let number = Int32(text) else { throw fault(parameter) }
    return number
  }

  func bytes(_ parameter: String) throws(APIError) -> Data? {
    guard let text = query[parameter].nonEmpty else { return nil }
    guard let bytes = Base64.decode(text) else { throw fault(parameter) }
    return Data(bytes)
  }

  func time(_ parameter: String) throws(APIError) -> ProtoTimestamp? {
    guard let text = query[parameter].nonEmpty else { return nil }
    guard let time = ProtoTimestamp(iso8601: text) else { throw fault(parameter) }
    return time
  }

  func precondition() throws(APIError) -> Precondition? {
    if let time = try time("currentDocument.updateTime") { return .with { $0.updateTime = time } }
    switch query["currentDocument.exists"] {
    case nil: return nil
    case "true": return .with { $0.exists = true }
    case "false": return .with { $0.exists = false }
    default: throw fault("currentDocument.exists")
    }
  }

  private func fault(_ parameter: String) -> APIError {
    APIError(.invalidArgument, message: "Invalid value for the parameter \"\(parameter)\".")
  }
}

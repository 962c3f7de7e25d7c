import HTTPTypes
import HearthErrors
import HearthFirestore
import HearthIdentityToolkit
import HearthOperations
import HearthPages
import HearthTransport
import HearthWire

/// The endpoints that only emulators have: rules, their coverage, and deleting many documents. They
/// ask for no token.
enum EmulatorMethods {
  /// Replaces the rules of a project or of a database.
  ///
  /// - Throws: INVALID_ARGUMENT with the place of the mistake. The rules that were there stay.
  static func setRules(
    of owner: Firestore.RulesOwner, _ call: RestCall
  ) throws(APIError) -> OutgoingReply {
    ReplyWriter.json(try call.firestore.setSecurityRules(of: owner, try call.json()))
  }

  /// A page without scripts: it shows the text of rules, which anybody may set.
  static func coveragePage(_ call: RestCall) -> OutgoingReply {
    var reply = ReplyWriter.text(
      call.firestore.ruleCoveragePage(of: call.project), contentType: HTML.contentType)
    for header in HTML.headersOfStillPages {
      if let name = HTTPField.Name(header.name) { reply.headers[name] = header.value }
    }
    return reply
  }

  /// `DELETE …/documents/{path}`: a document with what lies below it, a collection, or all. With a
  /// slash at the end it names a collection without an id: as at the official emulator nothing is
  /// deleted, and after a collection it is an error.
  static func deleteSubtree(_ call: RestCall) async throws(APIError) -> OutgoingReply {
    let endsWithSlash = call.segments.last == ""
    let path = try ResourcePath(endsWithSlash ? call.parentName : call.name)
    guard !endsWithSlash || !path.isCollection else {
      throw APIError(
        .invalidArgument,
        message: "Document parent name \"\(call.name)\" has invalid trailing \"/\".")
    }
    if endsWithSlash { return ReplyWriter.json([:]) }
    if path.isRoot {
      try await call.firestore.clear(path.database)
    } else {
      try await call.firestore.deleteSubtree(path)
    }
    return ReplyWriter.json([:])
  }

  /// `…:bulkDelete` with `{"database": …, "collectionIds": […]}`. The one namespace that Firestore
  /// has is `""`: without ids of collections, everything in it.
  static func bulkDelete(_ call: RestCall) async throws(APIError) -> OutgoingReply {
    guard let body = try call.json().object else {
      throw APIError(.invalidPayload, message: "Invalid JSON payload received.")
    }
    let database = try DatabaseName(body["database"]?.string ?? "")
    let collections = try strings(body["collectionIds"] ?? body["collection_ids"])
    let namespaces = try strings(body["namespaceIds"] ?? body["namespace_ids"])
    guard !collections.isEmpty || !namespaces.isEmpty else {
      throw APIError(
        .failedPrecondition,
        message: "collection_ids and namespace_ids cannot both be empty.")
    }
    // Other namespaces are Datastore's, and hold nothing here.
    if namespaces.isEmpty || namespaces.contains("") {
      try await call.firestore.bulkDelete(database, collectionIds: collections)
    }
    return ReplyWriter.json([:])
  }

  /// Nil stands for an empty list.
  private static func strings(_ ids: JSON?) throws(APIError) -> [String] {
    guard let ids else { return [] }
    guard let elements = ids.array, elements.allSatisfy({ $0.string != nil }) else {
      throw APIError(.invalidPayload, message: "Ids must be an array of strings.")
    }
    return elements.compactMap(\.string)
  }
}

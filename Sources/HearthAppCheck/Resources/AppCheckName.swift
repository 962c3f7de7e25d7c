import HearthCrypto
import HearthErrors
import HearthOperations
import HearthWire

/// What all calls that manage App Check share.
enum AppCheckAdmin {
  static func check(_ context: Context) throws(APIError) {
    guard case .admin = context.caller else { throw APIError(.missingPrincipal) }
  }

  /// Takes over the members of an update. Without a mask those that it has count.
  static func update(
    _ stored: JSONObject, with body: JSONObject, mask text: String?, allowing fields: [String]
  ) throws(APIError) -> JSONObject {
    let mask = text.nonEmpty.map(FieldMask.init) ?? FieldMask(paths: [])
    let paths = mask.isEmpty ? body.keys.map { [$0] } : mask.paths
    var result = stored
    for path in paths where !["name", "etag", "updateTime"].contains(path[0]) {
      guard fields.contains(path[0]) else {
        throw APIError(.invalidArgument, message: "Invalid field: \(path[0].prefix(100))")
      }
      let value = body[path[0]]
      result[path[0]] = value?.isNull == true ? nil : value
    }
    return result
  }

  private static let mostUpdates = 100

  /// The updates of a batch, each with its mask.
  static func updates(
    _ request: WireRequest, of resource: String
  ) throws(APIError) -> [(body: JSONObject, mask: String?)] {
    guard let given = request.body["requests"] else { return [] }
    guard let all = given.array, all.count <= mostUpdates else {
      throw APIError(.invalidArgument, message: "requests must be at most \(mostUpdates) updates.")
    }
    let masks = [request.body["updateMask"]] + all.map { $0["updateMask"] }
    guard masks.allSatisfy({ $0?.string != nil || $0?.isNull ?? true }) else {
      throw APIError(.invalidArgument, message: "update_mask must be a text.")
    }
    var updates: [(body: JSONObject, mask: String?)] = []
    for update in all {
      let mask = update["updateMask"]?.string ?? request.string("updateMask")
      updates.append((update[resource]?.object ?? JSONObject(), mask))
    }
    return updates
  }

  /// The parts of a name below the project, which may be named by its number too.
  static func parts(
    of name: String, in project: String, as form: [String?]
  ) throws(APIError) -> [String] {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let isOurs =
      parts.count == form.count + 2 && parts[0] == "projects"
      && (parts[1] == project || !parts[1].isEmpty && parts[1].utf8.allSatisfy(\.isASCIIDigit))
      && zip(parts.dropFirst(2), form).allSatisfy { $1 == nil || $0 == $1 }
    guard isOurs else {
      throw APIError(.invalidArgument, message: "Invalid name: \(name.prefix(200))")
    }
    return Array(parts.dropFirst(2))
  }

  static func etag(_ shown: JSONObject) -> String {
    Base64.encodeURL(Array(Digest.sha256.hash(JSON.object(shown).bytes).prefix(12)))
  }

  static func checkTag(_ given: String?, of shown: JSONObject) throws(APIError) {
    guard let given = given.nonEmpty, given != shown["etag"]?.string else { return }
    throw APIError(.aborted, message: "The etag is not that of the resource.")
  }

  static func notFound(_ name: String) -> APIError {
    APIError(.notFound, message: "Requested entity was not found: \(name.prefix(300))")
  }
}

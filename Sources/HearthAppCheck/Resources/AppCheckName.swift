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
      result[path[0]] = body[path[0]]
    }
    return result
  }

  static func notFound(_ name: String) -> APIError {
    APIError(.notFound, message: "Requested entity was not found: \(name.prefix(300))")
  }
}

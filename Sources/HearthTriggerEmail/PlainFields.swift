import HearthErrors
import HearthFirestore
import HearthFirestoreJSON
import HearthWire

/// Documents as plain JSON, which templates read, and back.
enum PlainFields {
  /// Times are in ISO 8601, references are paths, and bytes are objects with `base64`.
  static func read(_ document: Document) throws(APIError) -> JSONObject {
    let json: JSON
    do {
      json = try JSON.parse(try FirestoreJSON.encode(document))
    } catch {
      throw APIError(.internalError, detail: "A document cannot be read: \(error)")
    }
    return map(json["fields"]?.object)
  }

  private static func map(_ fields: JSONObject?) -> JSONObject {
    JSONObject(members: (fields?.members ?? []).map { ($0.key, plain($0.value)) })
  }

  private static func plain(_ value: JSON) -> JSON {
    guard let (type, content) = value.object?.members.first else { return .null }
    switch type {
    case "nullValue": return .null
    case "integerValue": return content.integer.map(JSON.int) ?? .null
    case "bytesValue": return .members(["base64": content])
    case "mapValue": return .object(map(content["fields"]?.object))
    case "arrayValue": return .array((content["values"]?.array ?? []).map(plain))
    // Booleans, doubles, strings, times, references, places.
    default: return content
    }
  }

  // MARK: Values to write

  static func string(_ text: String?) -> JSON {
    text.map { ["stringValue": .string($0)] } ?? null
  }

  static func time(_ text: String) -> JSON { ["timestampValue": .string(text)] }
  static func integer(_ value: Int64) -> JSON { ["integerValue": .string(String(value))] }
  static let null: JSON = ["nullValue": .null]
  static func map(_ fields: KeyValuePairs<String, JSON?>) -> JSON {
    ["mapValue": ["fields": .members(fields)]]
  }
  static func strings(_ texts: [String]) -> JSON {
    ["arrayValue": ["values": .array(texts.map { string($0) })]]
  }
}

import HearthWire

/// Values of Firestore as plain JSON. An object with one member whose name begins with `$` is a
/// value that JSON does not have, as in seeds.
enum FirestoreJSON {
  /// The form of the REST API.
  static func typed(_ plain: JSON) throws(ToolFailure) -> JSON {
    switch plain {
    case .null: return ["nullValue": .null]
    case .bool: return ["booleanValue": plain]
    case .int(let number): return ["integerValue": .string(String(number))]
    case .double: return ["doubleValue": plain]
    case .string: return ["stringValue": plain]
    case .array(let elements):
      return ["arrayValue": ["values": .array(try elements.map(typed))]]
    case .object(let object):
      if object.members.count == 1, let member = object.members.first, member.key.hasPrefix("$") {
        return try special(member.key, member.value)
      }
      return ["mapValue": ["fields": .object(try fields(object))]]
    }
  }

  static func fields(_ object: JSONObject) throws(ToolFailure) -> JSONObject {
    var members: [JSONObject.Member] = []
    for (key, value) in object.members { members.append((key, try typed(value))) }
    return JSONObject(members: members)
  }

  private static func special(_ key: String, _ value: JSON) throws(ToolFailure) -> JSON {
    switch (key, value) {
    case ("$timestamp", .string): return ["timestampValue": value]
    case ("$bytes", .string): return ["bytesValue": value]
    case ("$reference", .string(let path)) where path.hasPrefix("projects/"):
      return ["referenceValue": value]
    case ("$double", .string), ("$double", .int), ("$double", .double):
      return ["doubleValue": value]
    case ("$geopoint", .array(let numbers)) where numbers.count == 2:
      return ["geoPointValue": ["latitude": numbers[0], "longitude": numbers[1]]]
    default:
      throw ToolFailure(
        "\(key) with this value is not a value of Firestore.",
        next: "Use $timestamp, $bytes, $geopoint [latitude, longitude], $double, or $reference "
          + "with a full name (projects/P/databases/D/documents/…).")
    }
  }

  // MARK: Back

  /// Plain JSON of a typed value.
  static func plain(_ typed: JSON) -> JSON {
    guard let (key, value) = typed.object?.members.first else { return .null }
    switch key {
    case "integerValue": return value.integer.map(JSON.int) ?? value
    case "timestampValue": return ["$timestamp": value]
    case "bytesValue": return ["$bytes": value]
    case "referenceValue": return ["$reference": value]
    case "geoPointValue":
      return ["$geopoint": [value["latitude"] ?? 0, value["longitude"] ?? 0]]
    case "arrayValue": return .array((value["values"]?.array ?? []).map(plain))
    case "mapValue": return .object(plain(fields: value["fields"]))
    case "nullValue": return .null
    case "doubleValue": return value.string.map { ["$double": .string($0)] } ?? value
    default: return value
    }
  }

  static func plain(fields: JSON?) -> JSONObject {
    JSONObject(members: (fields?.object?.members ?? []).map { ($0.key, plain($0.value)) })
  }

  /// A document with its path below the database's documents.
  static func document(_ document: JSON) -> JSON {
    let name = document["name"]?.string ?? ""
    let path = name.firstRange(of: "/documents/").map { String(name[$0.upperBound...]) } ?? name
    return .members([
      "path": .string(path), "data": .object(plain(fields: document["fields"])),
    ])
  }
}

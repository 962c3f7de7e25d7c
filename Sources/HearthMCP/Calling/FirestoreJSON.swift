import HearthWire

/// Values of Firestore as plain JSON. An object with one member whose name begins with `$` is a
/// value that JSON does not have, as in seeds.
///
/// Seeds read and write messages of the server. Tools speak to any server, by its REST API, so this
/// is between two forms of JSON.
struct FirestoreJSON: Sendable {
  private enum Tag: String, CaseIterable {
    case timestamp = "$timestamp"
    case reference = "$reference"
    case bytes = "$bytes"
    case geoPoint = "$geopoint"
    case vector = "$vector"
    case double = "$double"
    /// For a map whose only name begins with a `$`.
    case map = "$map"
  }

  private static let typeOfVector = "__vector__"

  /// What relative references are below.
  private let root: String

  init(project: String, database: String) {
    root = "projects/\(project)/databases/\(database)/documents/"
  }

  // MARK: Writing

  /// The form of the REST API.
  func typed(_ plain: JSON) throws(ToolFailure) -> JSON {
    switch plain {
    case .null: return ["nullValue": .null]
    case .bool: return ["booleanValue": plain]
    case .int(let number): return ["integerValue": .string(String(number))]
    case .double: return ["doubleValue": plain]
    case .string: return ["stringValue": plain]
    case .array(let elements):
      let values = try elements.map { (one) throws(ToolFailure) in try typed(one) }
      return ["arrayValue": ["values": .array(values)]]
    case .object(let object):
      if object.members.count == 1, let member = object.members.first, member.key.hasPrefix("$") {
        return try tagged(member.key, value: member.value)
      }
      return ["mapValue": ["fields": .object(try fields(object))]]
    }
  }

  func fields(_ object: JSONObject) throws(ToolFailure) -> JSONObject {
    var members: [JSONObject.Member] = []
    for (key, value) in object.members { members.append((key, try typed(value))) }
    return JSONObject(members: members)
  }

  private func tagged(_ name: String, value: JSON) throws(ToolFailure) -> JSON {
    switch (Tag(rawValue: name), value) {
    case (.timestamp?, .string): return ["timestampValue": value]
    case (.bytes?, .string): return ["bytesValue": value]
    case (.reference?, .string(let path)):
      return ["referenceValue": .string(path.hasPrefix("projects/") ? path : root + path)]
    case (.double?, _) where Self.isNumber(value): return ["doubleValue": value]
    case (.geoPoint?, .array(let numbers)) where numbers.count == 2:
      return ["geoPointValue": ["latitude": numbers[0], "longitude": numbers[1]]]
    case (.vector?, .array(let numbers)) where numbers.allSatisfy(Self.isNumber):
      let values = numbers.map { JSON.members(["doubleValue": $0]) }
      return [
        "mapValue": [
          "fields": [
            "__type__": ["stringValue": .string(Self.typeOfVector)],
            "value": ["arrayValue": ["values": .array(values)]],
          ]
        ]
      ]
    case (.map?, .object(let object)): return ["mapValue": ["fields": .object(try fields(object))]]
    case (nil, _):
      throw ToolFailure(
        "\(name.shortened(to: 80)) is not a tag of a value.",
        next: "There are \(Tag.allCases.map(\.rawValue).joined(separator: ", ")). A field with "
          + "another such name is written {\"$map\": {\"$x\": …}}.")
    case (let tag?, _):
      throw ToolFailure(
        "\(name) with this value is not a value of Firestore.", next: Self.advice(on: tag))
    }
  }

  /// What a number of type double is written as.
  private static func isNumber(_ value: JSON) -> Bool {
    switch value {
    case .int, .double, "NaN", "Infinity", "-Infinity": true
    case .null, .bool, .string, .array, .object: false
    }
  }

  private static func advice(on tag: Tag) -> String {
    switch tag {
    case .timestamp: #"Write {"$timestamp": "2027-01-31T09:30:00Z"}."#
    case .reference: #"Write {"$reference": "users/ann"}, or a full name."#
    case .bytes: #"Write {"$bytes": "AAEC"}, in base64."#
    case .geoPoint: #"Write {"$geopoint": [latitude, longitude]}."#
    case .vector: #"Write {"$vector": [1, 2.5]}, with numbers only."#
    case .double: #"Write {"$double": 3}, or "NaN", "Infinity" or "-Infinity"."#
    case .map: #"Write {"$map": {"$x": 1}}."#
    }
  }

  // MARK: Reading

  /// Plain JSON of a typed value.
  func plain(_ typed: JSON) -> JSON {
    guard let (key, value) = typed.object?.members.first else { return .null }
    switch key {
    case "integerValue": return value.integer.map(JSON.int) ?? value
    case "timestampValue": return Self.tag(.timestamp, content: value)
    case "bytesValue": return Self.tag(.bytes, content: value)
    case "referenceValue":
      let path = value.string.flatMap { $0.hasPrefix(root) ? $0.dropFirst(root.count) : nil }
      return Self.tag(.reference, content: path.map { .string(String($0)) } ?? value)
    case "geoPointValue":
      return Self.tag(.geoPoint, content: [value["latitude"] ?? 0, value["longitude"] ?? 0])
    case "arrayValue": return .array((value["values"]?.array ?? []).map(plain))
    case "mapValue": return map(value["fields"])
    case "nullValue": return .null
    case "doubleValue":
      // A whole number would be written back as an integer.
      if case .double(let number) = value, number != number.rounded() { return value }
      return Self.tag(.double, content: value)
    default: return value
    }
  }

  func plain(fields: JSON?) -> JSONObject {
    JSONObject(members: (fields?.object?.members ?? []).map { ($0.key, plain($0.value)) })
  }

  private static func tag(_ tag: Tag, content: JSON) -> JSON { [tag.rawValue: content] }

  private func map(_ fields: JSON?) -> JSON {
    if fields?["__type__"]?["stringValue"]?.string == Self.typeOfVector,
      let numbers = fields?["value"]?["arrayValue"]
    {
      let values = (numbers["values"]?.array ?? []).map { $0["doubleValue"] ?? .null }
      return Self.tag(.vector, content: .array(values))
    }
    let object = plain(fields: fields)
    let looksTagged = object.members.count == 1 && object.keys.allSatisfy { $0.hasPrefix("$") }
    return looksTagged ? Self.tag(.map, content: .object(object)) : .object(object)
  }

  /// A document with its path below the database's documents.
  func document(_ document: JSON) -> JSON {
    let name = document["name"]?.string ?? ""
    let path = name.firstRange(of: "/documents/").map { String(name[$0.upperBound...]) } ?? name
    return .members([
      "path": .string(path), "data": .object(plain(fields: document["fields"])),
    ])
  }
}

package import HearthFirestore
import HearthFirestoreJSON
import HearthFirestoreProtos
package import HearthWire
import HearthYAML
import SwiftProtobuf

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Values of documents as people write them: plain JSON, and an object with one member whose name
/// begins with `$` for what JSON does not have.
package enum SeedValues {
  private static let timestamp = "$timestamp"
  private static let reference = "$reference"
  private static let bytes = "$bytes"
  private static let geoPoint = "$geopoint"
  private static let vector = "$vector"
  private static let double = "$double"
  /// For a map whose only name begins with a `$`.
  private static let map = "$map"

  // MARK: Reading

  package static func fields(_ node: SeedNode, in database: DatabaseName) throws(SeedFault)
    -> Fields
  {
    var fields = Fields()
    for (name, member) in try node.members() {
      fields.append(name, try value(member, in: database))
    }
    return fields.unique
  }

  private static func value(
    _ node: SeedNode, in database: DatabaseName
  ) throws(SeedFault) -> Value {
    var value = Value()
    switch node.value.content {
    case .scalar(.bool(let flag)): value.booleanValue = flag
    case .scalar(.int(let number)): value.integerValue = number
    case .scalar(.double(let number)): value.doubleValue = number
    case .scalar(.string(let text)): value.stringValue = text
    case .scalar: value.nullValue = .nullValue
    case .list:
      var array = ArrayValue()
      for element in try node.elements() {
        array.values.append(try self.value(element, in: database))
      }
      value.arrayValue = array
    case .map(let members):
      let name = members.count == 1 ? members[0].name : ""
      guard name.hasPrefix("$") else {
        value.mapValue.fields = try fields(node, in: database)
        break
      }
      let content = SeedNode(value: members[0].node, path: node.path + [name])
      try set(&value, tag: name, node: content, in: database)
    }
    return value
  }

  private static func set(
    _ value: inout Value, tag: String, node: SeedNode, in database: DatabaseName
  ) throws(SeedFault) {
    switch tag {
    case timestamp:
      guard let time = ProtoTimestamp(iso8601: try node.text()) else {
        throw node.fault("must be a time such as 2027-01-31T09:30:00Z")
      }
      value.timestampValue = time
    case reference:
      let text = try node.text()
      value.referenceValue =
        text.hasPrefix("projects/") ? text : "\(database.documents)/\(text)"
    case bytes:
      guard let bytes = Base64.decode(try node.text()) else { throw node.fault("must be base64") }
      value.bytesValue = Data(bytes)
    case geoPoint:
      let numbers = try numbers(node)
      guard numbers.count == 2 else { throw node.fault("must be [latitude, longitude]") }
      value.geoPointValue.latitude = numbers[0]
      value.geoPointValue.longitude = numbers[1]
    case vector:
      var array = Value()
      array.arrayValue.values = try numbers(node).map { number in
        .with { $0.doubleValue = number }
      }
      value.mapValue.fields = ["__type__": .with { $0.stringValue = "__vector__" }, "value": array]
    case double: value.doubleValue = try number(node)
    case map: value.mapValue.fields = try fields(node, in: database)
    default:
      let tags = [timestamp, reference, bytes, geoPoint, vector, double, map]
      throw node.fault("is not a tag; there are \(tags.joined(separator: ", "))")
    }
  }

  private static func numbers(_ node: SeedNode) throws(SeedFault) -> [Double] {
    try node.elements().map { (element) throws(SeedFault) in try number(element) }
  }

  private static func number(_ node: SeedNode) throws(SeedFault) -> Double {
    switch node.json {
    case .int(let number): return Double(number)
    case .double(let number): return number
    case .string("NaN"): return .nan
    case .string("Infinity"): return .infinity
    case .string("-Infinity"): return -.infinity
    case .null, .bool, .string, .array, .object: throw node.fault("must be a number")
    }
  }

  // MARK: Writing

  package static func json(_ fields: Fields, in database: DatabaseName) -> JSON {
    .object(JSONObject(members: fields.map { ($0.key, json($0.value, in: database)) }))
  }

  private static func json(_ value: Value, in database: DatabaseName) -> JSON {
    switch value.valueType {
    case .booleanValue(let flag)?: return .bool(flag)
    case .integerValue(let number)?: return .int(number)
    case .doubleValue(let number)?: return json(number)
    case .stringValue(let text)?: return .string(text)
    case .timestampValue?:
      return .members([timestamp: plain(value, name: "timestampValue")])
    case .bytesValue?: return .members([bytes: plain(value, name: "bytesValue")])
    case .referenceValue(let name)?:
      let root = database.documents + "/"
      return .members([
        reference: .string(name.hasPrefix(root) ? String(name.dropFirst(root.count)) : name)
      ])
    case .geoPointValue(let point)?:
      return .members([geoPoint: [.double(point.latitude), .double(point.longitude)]])
    case .arrayValue(let array)?: return .array(array.values.map { json($0, in: database) })
    case .mapValue(let content)?:
      if content.fields["__type__"]?.stringValue == "__vector__",
        let numbers = content.fields["value"]?.arrayValue.values
      {
        return .members([vector: .array(numbers.map { .double($0.doubleValue) })])
      }
      let object = json(content.fields, in: database)
      let isTag = content.fields.count == 1 && content.fields.keys[0].hasPrefix("$")
      return isTag ? .members([map: object]) : object
    default: return .null
    }
  }

  /// A whole double would be read as an integer.
  private static func json(_ number: Double) -> JSON {
    if number.isNaN { return .members([double: "NaN"]) }
    if number.isInfinite { return .members([double: number > 0 ? "Infinity" : "-Infinity"]) }
    return number == number.rounded() ? .members([double: .double(number)]) : .double(number)
  }

  /// As REST writes it.
  private static func plain(_ value: Value, name: String) -> JSON? {
    (try? FirestoreJSON.encode(value)).flatMap { try? JSON.parse($0) }?[name]
  }
}

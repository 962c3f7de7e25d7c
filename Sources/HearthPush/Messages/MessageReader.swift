import HearthErrors
import HearthTime
import HearthWire

/// Reads a message of Cloud Messaging, in which names are in camel case or in snake case, and collects
/// what is wrong with it.
struct MessageReader {
  private(set) var violations: [(field: String, description: String)] = []

  /// The request with its names in snake case.
  ///
  /// - Throws: production's error for fields that cannot be read.
  static func read(_ body: JSONObject) throws(APIError) -> JSONObject {
    var reader = MessageReader()
    let request = reader.read(body, as: .request, at: "")
    guard reader.violations.isEmpty else { throw .invalidFields(reader.violations) }
    return request
  }

  private mutating func read(
    _ object: JSONObject, as shape: MessageShape, at path: String
  ) -> JSONObject {
    var accepted = JSONObject()
    for (key, value) in object.members {
      let name = SnakeNames.convert(key)
      guard let kind = shape.fields[name] else {
        let place = path.isEmpty ? "" : " at '\(path)'"
        note(
          path,
          description:
            "Invalid JSON payload received. Unknown name \"\(key)\"\(place): Cannot find field."
        )
        continue
      }
      // As in every message of Google's: null is a field that is not there.
      if value.isNull { continue }
      let place = path.isEmpty ? name : "\(path).\(name)"
      if let value = read(value, as: kind, at: place) { accepted[name] = value }
    }
    return accepted
  }

  private mutating func read(_ value: JSON, as kind: FieldKind, at path: String) -> JSON? {
    switch (kind, value) {
    case (.string, .string), (.bool, .bool), (.object, .object): return value
    case (.integer, _):
      if let number = value.integer, Int32(exactly: number) != nil { return .int(number) }
    case (.number, .int), (.number, .double): return value
    case (.duration, .string(let text)) where PushDuration(text) != nil: return value
    case (.time, .string(let text)) where Timestamp(iso8601: text) != nil: return value
    case (.names(let names, _), .string(let text)):
      if let name = names.first(where: { $0 == text.uppercased() }) { return .string(name) }
    case (.strings, .array(let values)): return list(values, of: .string, at: path)
    case (.durations, .array(let values)): return list(values, of: .duration, at: path)
    case (.messages(let shape), .array(let values)):
      return list(values, of: .message(shape), at: path)
    case (.stringMap, .object(let object)):
      for (index, member) in object.members.enumerated() {
        _ = read(member.value, as: .string, at: "\(path)[\(index)].value")
      }
      return value
    case (.message(let shape), .object(let object)):
      return .object(read(object, as: shape, at: path))
    default: break
    }
    note(path, description: "Invalid value at '\(path)' (\(kind.wireName)), \(Self.shown(value))")
    return nil
  }

  private mutating func list(_ values: [JSON], of kind: FieldKind, at path: String) -> JSON {
    var accepted: [JSON] = []
    for (index, value) in values.enumerated() {
      if let value = read(value, as: kind, at: "\(path)[\(index)]") { accepted.append(value) }
    }
    return .array(accepted)
  }

  private static let mostViolations = 20

  private mutating func note(_ field: String, description: String) {
    guard violations.count < Self.mostViolations else { return }
    violations.append((field, description))
  }

  /// A value in an error, cut where it is long.
  private static func shown(_ value: JSON) -> String {
    let text = value.text
    return text.utf8.count <= 200 ? text : String(text.prefix(200)) + "…"
  }
}

/// Names of fields: clients write them in either case.
enum SnakeNames {
  static func convert(_ name: String) -> String {
    var snake = ""
    for character in name.unicodeScalars {
      if ("A"..."Z").contains(character) {
        snake += "_" + String(character).lowercased()
      } else {
        snake.unicodeScalars.append(character)
      }
    }
    return snake
  }
}

/// A duration as messages have it: seconds with up to nine places, and an `s`.
struct PushDuration {
  let seconds: Double

  init?(_ text: String) {
    guard text.hasSuffix("s"), text.utf8.count <= 30,
      text.dropLast().utf8.allSatisfy({
        $0.isASCIIDigit || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-")
      }),
      let seconds = Double(text.dropLast())
    else { return nil }
    self.seconds = seconds
  }
}

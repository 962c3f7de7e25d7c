/// A JSON value as it travels on the wire.
///
/// Request bodies are normalised and checked against the API description before an operation sees
/// them, and answers leave keys out rather than sending `null`; both need the tree, not a decoder.
package enum JSON: Sendable, Equatable {
  case null
  case bool(Bool)
  case int(Int64)
  case double(Double)
  case string(String)
  case array([JSON])
  case object(JSONObject)
}

extension JSON {
  package var string: String? {
    guard case .string(let value) = self else { return nil }
    return value
  }

  package var bool: Bool? {
    guard case .bool(let value) = self else { return nil }
    return value
  }

  package var array: [JSON]? {
    guard case .array(let value) = self else { return nil }
    return value
  }

  package var object: JSONObject? {
    guard case .object(let value) = self else { return nil }
    return value
  }

  package var isNull: Bool { self == .null }

  /// The value of a number, or of a string that holds one, as int64 fields come in both forms.
  package var integer: Int64? {
    switch self {
    case .int(let value): value
    case .double(let value): Int64(exactly: value)
    case .string(let text): Int64(text)
    case .null, .bool, .array, .object: nil
    }
  }

  /// JavaScript's idea of truth, which decides whether a field counts as given.
  package var isTruthy: Bool {
    switch self {
    case .null: false
    case .bool(let value): value
    case .int(let value): value != 0
    case .double(let value): value != 0 && !value.isNaN
    case .string(let value): !value.isEmpty
    case .array, .object: true
    }
  }

  /// The member of that name; nil when this is not an object or has no such member.
  package subscript(key: String) -> JSON? { object?[key] }

  /// An object from members in order; those without a value are left out, never `null`.
  package static func members(_ members: KeyValuePairs<String, JSON?>) -> JSON {
    .object(JSONObject(members))
  }

  package static func strings(_ values: [String]) -> JSON { .array(values.map(JSON.string)) }
}

/// The members of a JSON object, in the order in which they were written.
package struct JSONObject: Sendable {
  package typealias Member = (key: String, value: JSON)

  package private(set) var members: [Member] = []

  package init() {}

  package init(_ members: KeyValuePairs<String, JSON?>) {
    self.members.reserveCapacity(members.count)
    for (key, value) in members {
      if let value { self.members.append((key, value)) }
    }
  }

  package init(members: [Member]) { self.members = members }

  package var isEmpty: Bool { members.isEmpty }
  package var keys: [String] { members.map(\.key) }

  /// The member's value. A repeated key counts with its last value, as in every JSON parser that
  /// builds a dictionary.
  package subscript(key: String) -> JSON? {
    get { index(of: key).map { members[$0].value } }
    set {
      switch (index(of: key), newValue) {
      case (let index?, let value?): members[index].value = value
      case (_?, nil): members.removeAll { JSONKey.isSame($0.key, key) }
      case (nil, let value?): members.append((key, value))
      case (nil, nil): break
      }
    }
  }

  /// Compares keys where they are: a closure would be handed a copy of each member.
  private func index(of key: String) -> Int? {
    var index = members.count
    while index > 0 {
      index -= 1
      if JSONKey.isSame(members[index].key, key) { return index }
    }
    return nil
  }

  package mutating func append(_ key: String, value: JSON) { members.append((key, value)) }

  /// Takes over all members of another object; its values win. Linear even for hostile sizes.
  package mutating func merge(_ other: JSONObject) {
    // A dictionary costs more than looking through a few.
    guard members.count + other.members.count > 32 else {
      for (key, value) in other.members { self[key] = value }
      return
    }
    var positions: [JSONKey: Int] = [:]
    for (index, member) in members.enumerated() { positions[JSONKey(member.key)] = index }
    for (key, value) in other.members {
      if let index = positions[JSONKey(key)] {
        members[index].value = value
      } else {
        positions[JSONKey(key)] = members.count
        members.append((key, value))
      }
    }
  }
}

extension JSONObject: Equatable {
  /// Equal when they hold the same members; order does not matter.
  package static func == (left: JSONObject, right: JSONObject) -> Bool {
    left.dictionary == right.dictionary
  }

  private var dictionary: [JSONKey: JSON] {
    Dictionary(members.map { (JSONKey($0.key), $0.value) }) { _, last in last }
  }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(integerLiteral value: Int64) { self = .int(value) }
  package init(arrayLiteral elements: JSON...) { self = .array(elements) }
  package init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(JSONObject(members: elements.map { (key: $0.0, value: $0.1) }))
  }
}

extension Optional where Wrapped == String {
  /// The text as JSON, or nothing, so that an answer leaves the key out.
  package var json: JSON? { map(JSON.string) }

  /// Whether the field was given and is not the empty string.
  package var isGiven: Bool { !(self ?? "").isEmpty }

  /// The text, unless it is missing or empty.
  package var nonEmpty: String? { isGiven ? self : nil }
}

extension Optional where Wrapped == Bool {
  package var json: JSON? { map(JSON.bool) }
}

import HearthFirestoreProtos
import HearthLimits

/// The index keys of a document: one for each field, nested ones too, and one for each element of
/// an array.
///
/// A key is the field's path, the kind of entry, the value and the document's id, all in
/// `OrderedBytes`: the entries of a field stand in the order of its values, and those of one value
/// in the order of names.
enum IndexEntries {
  private static let value: UInt8 = 0x01
  private static let element: UInt8 = 0x02
  private static let mark: UInt8 = 0x03

  /// As in production, only the beginning of a long value is indexed.
  private static let longest = Limit.indexedValue.value

  static func keys(of fields: Fields, document: String) -> Set<[UInt8]> {
    Set(list(of: fields, document: document))
  }

  /// The same in no particular order, each once.
  static func list(of fields: Fields, document: String) -> [[UInt8]] {
    var keys: [[UInt8]] = []
    keys.reserveCapacity(fields.count)
    collect(fields, path: [], document: Array(document.utf8), keys: &keys)
    return keys
  }

  private static func collect(
    _ fields: Fields, path: [UInt8], document: [UInt8], keys: inout [[UInt8]]
  ) {
    for (name, member) in fields {
      var prefix = path
      append(name, to: &prefix)
      keys.append(key(prefix, kind: value, member: member, document: document))
      switch member.valueType {
      case .arrayValue(let array)?:
        // Only here may two be the same.
        let elements = array.values.map {
          key(prefix, kind: element, member: $0, document: document)
        }
        keys += elements.count > 1 ? Array(Set(elements)) : elements
      case .mapValue(let map)? where member.vector == nil:
        collect(map.fields, path: prefix, document: document, keys: &keys)
      default: break
      }
    }
  }

  private static func key(
    _ prefix: [UInt8], kind: UInt8, member: Value, document: [UInt8]
  ) -> [UInt8] {
    let bytes = member.orderedBytes
    var key: [UInt8] = []
    key.reserveCapacity(prefix.count + 1 + min(bytes.count, longest) + document.count)
    key += prefix
    key.append(kind)
    key += bytes.prefix(longest)
    key += document
    return key
  }

  /// The path of a field. What follows is the kind of entry or the name of a member: a name that
  /// begins like a kind is marked, or its entries would stand among those of the map that it is in.
  private static func prefix(of segments: [String]) -> [UInt8] {
    var prefix: [UInt8] = []
    for segment in segments { append(segment, to: &prefix) }
    return prefix
  }

  private static func append(_ segment: String, to prefix: inout [UInt8]) {
    if let first = segment.utf8.first, first <= mark { prefix.append(mark) }
    OrderedBytes.append(text: segment, to: &prefix)
  }

  private static func cut(_ bytes: [UInt8]) -> [UInt8] {
    bytes.count <= longest ? bytes : Array(bytes[..<longest])
  }

  /// The range of all values of a field.
  static func all(_ field: FieldPath) -> (from: [UInt8], to: [UInt8]) {
    let prefix = prefix(of: field.segments) + [value]
    return (prefix, OrderedBytes.end(of: prefix))
  }

  /// The range of one value of a field; too wide where the value is long.
  static func equal(_ field: FieldPath, bytes: [UInt8]) -> (from: [UInt8], to: [UInt8]) {
    let prefix = prefix(of: field.segments) + [value] + cut(bytes)
    return (prefix, OrderedBytes.end(of: prefix))
  }

  /// The range of arrays with that element.
  static func containing(_ field: FieldPath, bytes: [UInt8]) -> (from: [UInt8], to: [UInt8]) {
    let prefix = prefix(of: field.segments) + [element] + cut(bytes)
    return (prefix, OrderedBytes.end(of: prefix))
  }

  /// The range between two values, the bounds included; nil is the end of that type.
  static func between(
    _ field: FieldPath, low: [UInt8]?, high: [UInt8]?, kind: UInt8
  ) -> (from: [UInt8], to: [UInt8]) {
    let prefix = prefix(of: field.segments) + [value]
    return (
      prefix + (low.map(cut) ?? [kind]),
      OrderedBytes.end(of: prefix + (high.map(cut) ?? [kind]))
    )
  }
}

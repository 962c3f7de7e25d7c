import HearthFirestoreProtos

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
  private static let longest = 1500

  static func keys(of fields: Fields, document: String) -> Set<[UInt8]> {
    var keys: Set<[UInt8]> = []
    collect(fields, [], Array(document.utf8), &keys)
    return keys
  }

  private static func collect(
    _ fields: Fields, _ path: [String], _ document: [UInt8], _ keys: inout Set<[UInt8]>
  ) {
    for (name, member) in fields {
      let path = path + [name]
      let prefix = prefix(of: path)
      keys.insert(prefix + [value] + cut(member.orderedBytes) + document)
      switch member.valueType {
      case .arrayValue(let array)?:
        for item in array.values {
          keys.insert(prefix + [element] + cut(item.orderedBytes) + document)
        }
      case .mapValue(let map)? where member.vector == nil:
        collect(map.fields, path, document, &keys)
      default: break
      }
    }
  }

  /// The path of a field. What follows is the kind of entry or the name of a member: a name that
  /// begins like a kind is marked, or its entries would stand among those of the map that it is in.
  private static func prefix(of segments: [String]) -> [UInt8] {
    var prefix: [UInt8] = []
    for segment in segments {
      if let first = segment.utf8.first, first <= mark { prefix.append(mark) }
      OrderedBytes.append(text: segment, to: &prefix)
    }
    return prefix
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
  static func equal(_ field: FieldPath, _ bytes: [UInt8]) -> (from: [UInt8], to: [UInt8]) {
    let prefix = prefix(of: field.segments) + [value] + cut(bytes)
    return (prefix, OrderedBytes.end(of: prefix))
  }

  /// The range of arrays with that element.
  static func containing(_ field: FieldPath, _ bytes: [UInt8]) -> (from: [UInt8], to: [UInt8]) {
    let prefix = prefix(of: field.segments) + [element] + cut(bytes)
    return (prefix, OrderedBytes.end(of: prefix))
  }

  /// The range between two values, the bounds included; nil is the end of that type.
  static func between(
    _ field: FieldPath, _ low: [UInt8]?, _ high: [UInt8]?, kind: UInt8
  ) -> (from: [UInt8], to: [UInt8]) {
    let prefix = prefix(of: field.segments) + [value]
    return (
      prefix + (low.map(cut) ?? [kind]),
      OrderedBytes.end(of: prefix + (high.map(cut) ?? [kind]))
    )
  }
}

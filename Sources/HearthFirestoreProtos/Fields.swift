import HearthWire
import SwiftProtobuf

/// The fields of a document or of a map, in the order in which they were written.
///
/// It is the repeated message of the wire, read as a dictionary: making one copies nothing. Names
/// are equal when their bytes are. Looking a name up walks along the entries; `positions` is for
/// many look-ups in one value.
package struct Fields: Sendable, Equatable {
  package private(set) var entries: [Google_Firestore_V1_FieldsEntry]

  package init() { entries = [] }

  /// Where a name comes more than once, the last value counts.
  package init(entries: [Google_Firestore_V1_FieldsEntry]) { self.entries = entries }

  package init(_ pairs: some Sequence<(key: String, value: Google_Firestore_V1_Value)>) {
    entries = pairs.map { Self.entry($0.key, $0.value) }
  }

  /// The value of a name. A new one comes last, a known one keeps its place, nil removes it.
  package subscript(name: String) -> Google_Firestore_V1_Value? {
    get { entries.place(of: name).map { entries[$0].value } }
    set {
      guard let newValue else {
        entries.removeAll { $0.key.hasSameBytes(as: name) }
        return
      }
      if let index = entries.place(of: name) {
        entries[index].value = newValue
      } else {
        entries.append(Self.entry(name, newValue))
      }
    }
  }

  /// Adds a field of which it is known that it is new.
  package mutating func append(_ name: String, _ value: Google_Firestore_V1_Value) {
    entries.append(Self.entry(name, value))
  }

  package mutating func reserveCapacity(_ count: Int) { entries.reserveCapacity(count) }

  package mutating func removeValue(forKey name: String) { self[name] = nil }

  package var keys: [String] { entries.map(\.key) }
  package var values: [Google_Firestore_V1_Value] { entries.map(\.value) }

  package func filter(_ isIncluded: (Element) throws -> Bool) rethrows -> Fields {
    Fields(entries: try entries.filter { try isIncluded((key: $0.key, value: $0.value)) })
  }

  /// For readers to whom the order does not matter.
  package func mapValues<Result>(
    _ transform: (Google_Firestore_V1_Value) throws -> Result
  ) rethrows -> [String: Result] {
    var result: [String: Result] = [:]
    result.reserveCapacity(entries.count)
    for entry in entries { result[entry.key] = try transform(entry.value) }
    return result
  }

  private static func entry(
    _ name: String, _ value: Google_Firestore_V1_Value
  ) -> Google_Firestore_V1_FieldsEntry {
    var entry = Google_Firestore_V1_FieldsEntry()
    entry.key = name
    entry.value = value
    return entry
  }
}

extension Fields: RandomAccessCollection {
  package typealias Element = (key: String, value: Google_Firestore_V1_Value)

  package var startIndex: Int { 0 }
  package var endIndex: Int { entries.count }

  package subscript(position: Int) -> Element {
    (key: entries[position].key, value: entries[position].value)
  }
}

extension Fields: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (String, Google_Firestore_V1_Value)...) {
    entries = elements.map { Self.entry($0.0, $0.1) }
  }
}

extension Fields {
  /// A name of a field, equal to another when the bytes are.
  package struct Name: Hashable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func == (left: Name, right: Name) -> Bool {
      left.text.hasSameBytes(as: right.text)
    }

    package func hash(into hasher: inout Hasher) {
      var text = text
      text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
  }

  /// The place of each name.
  package struct Positions: Sendable {
    /// Up to here, walking along is faster than a table.
    private static let few = 16

    private let entries: [Google_Firestore_V1_FieldsEntry]
    private var table: [Name: Int] = [:]

    fileprivate init(_ entries: [Google_Firestore_V1_FieldsEntry]) {
      self.entries = entries
      guard entries.count > Self.few else { return }
      table.reserveCapacity(entries.count)
      for (index, entry) in entries.enumerated() { table[Name(entry.key)] = index }
    }

    package func position(of name: String) -> Int? {
      entries.count > Self.few
        ? table[Name(name)] : entries.place(of: name)
    }

    package subscript(name: String) -> Google_Firestore_V1_Value? {
      position(of: name).map { entries[$0].value }
    }
  }

  package var positions: Positions { Positions(entries) }

  /// Each name once: at the place of its first value, with its last one.
  package var unique: Fields {
    let positions = positions
    let isUnique = entries.indices.allSatisfy { positions.position(of: entries[$0].key) == $0 }
    guard !isUnique else { return self }
    var seen: Set<Name> = []
    var result = Fields()
    for entry in entries where seen.insert(Name(entry.key)).inserted {
      result.append(entry.key, positions[entry.key] ?? entry.value)
    }
    return result
  }
}

extension [Google_Firestore_V1_FieldsEntry] {
  /// Of the last entry with the name. By index, so that no entry is copied on the way.
  fileprivate func place(of name: String) -> Int? {
    var place = count
    while place > 0 {
      place -= 1
      if self[place].key.hasSameBytes(as: name) { return place }
    }
    return nil
  }
}

extension Google_Firestore_V1_Document {
  package var fields: Fields {
    get { Fields(entries: fieldEntries) }
    set { fieldEntries = newValue.entries }
  }
}

extension Google_Firestore_V1_MapValue {
  package var fields: Fields {
    get { Fields(entries: fieldEntries) }
    set { fieldEntries = newValue.entries }
  }
}

extension Google_Firestore_V1_AggregationResult {
  package var aggregateFields: Fields {
    get { Fields(entries: aggregateEntries) }
    set { aggregateEntries = newValue.entries }
  }
}

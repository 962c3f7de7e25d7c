import HearthFirestoreProtos
import HearthWire

/// The fields of an entity while its properties are read: those of one name are one array.
struct Members {
  enum Part {
    case single(Google_Firestore_V1_Value)
    case element(Google_Firestore_V1_Value)
    case dimension(Google_Firestore_V1_Value)
    case emptyArray
  }

  private enum Kind {
    case single, array, vector
  }

  /// Up to here, walking along is faster than a table.
  private static let few = 16

  private var names: [String] = []
  private var kinds: [Kind] = []
  private var values: [[Google_Firestore_V1_Value]] = []
  private var table: [Fields.Name: Int] = [:]

  init(capacity: Int) {
    names.reserveCapacity(capacity)
    kinds.reserveCapacity(capacity)
    values.reserveCapacity(capacity)
  }

  mutating func add(_ name: String, part: Part) throws {
    guard let place = place(of: name) else { return append(name, part: part) }
    switch (kinds[place], part) {
    case (.array, .element(let value)), (.array, .single(let value)),
      (.vector, .dimension(let value)):
      values[place].append(value)
    // Observed: a name that appears twice is an array.
    case (.single, .single(let value)), (.single, .element(let value)):
      kinds[place] = .array
      values[place].append(value)
    default: throw ExportError("field '\(name)': its parts do not fit together")
    }
  }

  private mutating func append(_ name: String, part: Part) {
    names.append(name)
    switch part {
    case .single(let value):
      kinds.append(.single)
      values.append([value])
    case .element(let value):
      kinds.append(.array)
      values.append([value])
    case .dimension(let value):
      kinds.append(.vector)
      values.append([value])
    case .emptyArray:
      kinds.append(.array)
      values.append([])
    }
    if names.count > Self.few { enter() }
  }

  private func place(of name: String) -> Int? {
    if let last = names.last, last.hasSameBytes(as: name) { return names.count - 1 }
    if names.count > Self.few { return table[Fields.Name(name)] }
    return names.firstIndex { $0.hasSameBytes(as: name) }
  }

  private mutating func enter() {
    for index in table.count..<names.count { table[Fields.Name(names[index])] = index }
  }

  var fields: Fields {
    var fields = Fields()
    fields.reserveCapacity(names.count)
    for index in names.indices {
      var value = Google_Firestore_V1_Value()
      switch kinds[index] {
      case .single: value = values[index][0]
      case .array: value.arrayValue.values = values[index]
      case .vector: value.mapValue.fields = Self.vector(values[index])
      }
      fields.append(names[index], value)
    }
    return fields
  }

  /// As Firestore shows a vector.
  private static func vector(_ values: [Google_Firestore_V1_Value]) -> Fields {
    var mark = Google_Firestore_V1_Value()
    mark.stringValue = "__vector__"
    var array = Google_Firestore_V1_Value()
    array.arrayValue.values = values
    return ["__type__": mark, "value": array]
  }
}

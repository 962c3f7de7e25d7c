import HearthErrors
import HearthFirestoreProtos
import HearthLimits
import HearthTime
import SwiftProtobuf

/// Checks the values of a request, and cuts timestamps to the precision that is kept.
struct ValueCheck {
  private enum Use {
    case stored, compared
    /// Sent, but not named by the mask of the write.
    case ignored
  }

  /// The place of a value in its document.
  private struct Place {
    /// Names, maps and arrays on the way, the value among them.
    var depth = 1
    var isInArray = false
    var isInMap = false
    /// The bytes of the names on the way, with a dot between them.
    var path: Int

    init(_ path: FieldPath) {
      depth = path.segments.count
      isInMap = depth > 1
      self.path = path.segments.reduce(depth - 1) { $0 + $1.utf8.count }
    }

    init(_ name: String) { path = name.utf8.count }

    func named(_ name: String) -> Place {
      var place = self
      place.depth += 1
      place.isInArray = false
      place.isInMap = true
      place.path += 1 + name.utf8.count
      return place
    }

    var element: Place {
      var place = self
      place.depth += 1
      place.isInArray = true
      return place
    }
  }

  /// The field at the top level, for messages.
  private let field: String
  private let use: Use
  /// Whether the names on the way to a value have a bound together. The official emulator has one;
  /// production was recorded to take a longer path.
  private var boundsPaths = false

  /// The fields of a document, as they are stored.
  static func stored(
    _ fields: Fields, boundsPaths: Bool = false
  ) throws(APIError) -> Fields {
    var result = Fields()
    result.reserveCapacity(fields.count)
    for (name, value) in fields.unique {
      guard !FieldPath.isReserved(name) else {
        throw .invalid("field name \(name) is reserved")
      }
      try checkLength(of: name)
      result.append(
        name,
        try ValueCheck(field: name, use: .stored, boundsPaths: boundsPaths)
          .checked(value, place: Place(name)))
    }
    return result
  }

  /// The fields of a write. Those that its mask does not name are not stored: their values must be
  /// valid, but the limits of a document are not theirs.
  static func stored(
    _ fields: Fields, namedBy mask: [FieldPath]?, boundsPaths: Bool
  ) throws(APIError) -> Fields {
    do throws(APIError) { return try stored(fields, boundsPaths: boundsPaths) } catch {
      guard let mask else { throw error }
      for (name, value) in fields.unique {
        guard !FieldPath.isReserved(name) else { throw error }
        _ = try ValueCheck(field: name, use: .ignored).checked(value, place: Place(name))
      }
      return try stored(
        ([:] as Fields).merging(fields, by: mask), boundsPaths: boundsPaths)
    }
  }

  /// A value that is put at that path.
  static func stored(_ value: Value, at path: FieldPath) throws(APIError) -> Value {
    try ValueCheck(field: path.segments[0], use: .stored).checked(value, place: Place(path))
  }

  /// An element of an array at that path.
  static func stored(element: Value, at path: FieldPath) throws(APIError) -> Value {
    try ValueCheck(field: path.segments[0], use: .stored).checked(
      element, place: Place(path).element)
  }

  /// An operand of a query. A timestamp keeps its nanoseconds, by which it differs from every stored
  /// one; those within arrays and maps lose them, as they did when they were stored.
  static func compared(_ value: Value, with field: FieldPath) throws(APIError) -> Value {
    try ValueCheck(field: field.description, use: .compared).checked(value, place: Place(""))
  }

  private static func checkLength(of name: String) throws(APIError) {
    guard !name.isEmpty else { throw .invalid("The property.name is the empty string.") }
    guard name.utf8.count <= Limit.fieldName.value else {
      throw .invalid(Limit.fieldName.refusal("property"))
    }
  }

  private func checked(_ value: Value, place: Place) throws(APIError) -> Value {
    switch value.valueType {
    case nil: throw .unsetValue
    case .timestampValue(let time)?:
      try time.checkRange()
      let isOperand = use == .compared && place.depth == 1
      return isOperand ? value : .timestamp(microseconds: time.microseconds)
    case .geoPointValue(let point)?:
      try check("latitude", degrees: point.latitude, limit: 90)
      try check("longitude", degrees: point.longitude, limit: 180)
    case .referenceValue(let name)?:
      let path = try ResourcePath.reference(name)
      if use == .stored { try within(place) { () throws(APIError) in try path.checkSegments() } }
    case .stringValue(let text)?: try checkLength(text.utf8.count, place: place)
    case .bytesValue(let bytes)?: try checkLength(bytes.count, place: place)
    case .arrayValue(let array)?:
      if place.isInArray, use != .compared { throw .nestedArray }
      return .array(try elements(array, place: place))
    case .mapValue(let map)? where map.fields["__type__"] != nil:
      try Self.checkVector(map.fields)
      if use != .compared { try checkStoredVector(value, isInArray: place.isInArray) }
    case .mapValue(let map)?:
      if use != .compared, let refusal = BSONType.refusal(of: map.fields) {
        throw place.isInMap ? nestedRefusal : refusal
      }
      return .map(try members(map.fields, place: place))
    case .fieldReferenceValue?, .variableReferenceValue?, .functionValue?, .pipelineValue?:
      throw .invalid("A value of this type cannot be stored.")
    case .nullValue?, .booleanValue?, .integerValue?, .doubleValue?: break
    }
    return value
  }

  private func checkStoredVector(_ value: Value, isInArray: Bool) throws(APIError) {
    guard !isInArray else { throw .invalid("Cannot convert a vector value in an array value.") }
    guard !(value.vector ?? []).contains(where: { $0.doubleValue.isNaN }) else {
      throw .invalid("Vector cannot contain NaN values.")
    }
  }

  private func elements(_ array: ArrayValue, place: Place) throws(APIError) -> [Value] {
    try checkDepth(place)
    var values: [Value] = []
    values.reserveCapacity(array.values.count)
    let inner = place.element
    for element in array.values { values.append(try checked(element, place: inner)) }
    return values
  }

  private func members(_ fields: Fields, place: Place) throws(APIError) -> Fields {
    try checkDepth(place)
    var result = Fields()
    result.reserveCapacity(fields.count)
    for (name, value) in fields.unique {
      guard !FieldPath.isReserved(name) else {
        throw .invalid("field name '\(name)' is reserved.")
      }
      let inner = place.named(name)
      let length = boundsPaths ? inner.path : name.utf8.count
      guard use != .stored || !name.isEmpty && length <= Limit.fieldPath.value else {
        throw nestedRefusal
      }
      result.append(name, try checked(value, place: inner))
    }
    return result
  }

  /// Maps and arrays, one in the other; the field that holds the outermost does not count.
  private func checkDepth(_ place: Place) throws(APIError) {
    guard place.depth <= Limit.depth.value || use != .stored else { throw nestedRefusal }
  }

  private func checkLength(_ bytes: Int, place: Place) throws(APIError) {
    guard bytes > Limit.fieldValue.value, use != .ignored else { return }
    throw place.isInMap ? nestedRefusal : .invalid(Limit.fieldValue.refusal(field))
  }

  private var nestedRefusal: APIError { .invalid(Limit.depth.refusal(field)) }

  /// The refusal of a value in a map names the field only.
  private func within(_ place: Place, check: () throws(APIError) -> Void) throws(APIError) {
    do throws(APIError) { try check() } catch { throw place.isInMap ? nestedRefusal : error }
  }

  private func check(_ name: String, degrees: Double, limit: Double) throws(APIError) {
    guard (-limit...limit).contains(degrees) else {
      throw .invalid(
        "Geo point \(name) '\(degrees)' outside permitted range \(-limit) to \(limit).")
    }
  }

  /// A vector is a map with a mark, and a mark is for vectors only.
  static func checkVector(_ map: Fields) throws(APIError) {
    guard case .stringValue(let type)? = map["__type__"]?.valueType else {
      let refusal = APIError.invalid("Field __type__ is not a string.")
      guard case .integerValue? = map["__type__"]?.valueType else { throw refusal }
      throw refusal.inProduction("Field __type__ must be a string; founds LONG.")
    }
    guard type == "__vector__" else {
      throw .invalid("A map with \"__type__\" must be a vector.")
    }
    guard let value = map["value"] else { throw .invalid("Vector map is missing key 'value'.") }
    guard map.count == 2 else { throw .invalid("Vector Value map has extraneous entries.") }
    guard case .arrayValue(let array)? = value.valueType else {
      throw .invalid("Vector Value type must be an array.")
    }
    guard !array.values.isEmpty else { throw .invalid("Cannot have a zero length vector.") }
    guard array.values.count <= Limit.vectorDimensions.value else {
      throw .invalid(Limit.vectorDimensions.refusal())
    }
    for element in array.values {
      guard case .doubleValue? = element.valueType else {
        throw .invalid("Vector must only contain values of type 'double'")
      }
    }
  }
}

extension ProtoTimestamp {
  func checkRange() throws(APIError) {
    guard Self.years.contains(seconds), (0...999_999_999).contains(nanos)
    else { throw .invalid("A timestamp is outside of the years 1 to 9999.") }
  }

  /// The microseconds of a version or of a read time, which clients have from the server.
  func checkedMicroseconds() throws(APIError) -> Int64 {
    try checkRange()
    guard seconds >= 0 else { throw .beforeEpoch }
    guard nanos.isMultiple(of: 1000) else { throw .tooPrecise }
    return microseconds
  }
}

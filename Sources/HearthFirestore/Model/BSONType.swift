import HearthErrors
import HearthFirestoreProtos
import HearthLimits

/// The types of databases of the Enterprise edition. Requests write a value of them as a map with one
/// reserved name. Here none can be stored; the refusals are those of the official emulator.
enum BSONType: String {
  case minimum = "__min__"
  case maximum = "__max__"
  case decimal128 = "__decimal128__"
  case objectID = "__oid__"
  case integer = "__int__"
  case regex = "__regex__"
  case timestamp = "__request_timestamp__"
  case binary = "__binary__"

  /// Why a map with the name of one of these types is refused; nil for other maps.
  static func refusal(of map: Fields) -> APIError? {
    guard map.count == 1, let (name, value) = map.unique.first.map({ ($0.0, $0.1) }),
      let type = BSONType(rawValue: name)
    else { return nil }
    return .invalid(type.fault(in: value) ?? "Value type \(type.name) is not allowed")
  }

  private var name: String {
    switch self {
    case .minimum: "MIN_VALUE"
    case .maximum: "MAX_VALUE"
    case .decimal128: "DECIMAL128"
    case .objectID: "OBJECT_ID"
    case .integer: "INT"
    case .regex: "REGEX"
    case .timestamp: "REQUEST_TIMESTAMP"
    case .binary: "BYTES_WITH_SUBTYPE"
    }
  }

  /// What is wrong with a value; nil where it is one of the type.
  private func fault(in value: Value) -> String? {
    switch (self, value.valueType) {
    case (.minimum, .nullValue?), (.maximum, .nullValue?), (.regex, .mapValue?),
      (.timestamp, .mapValue?), (.binary, .bytesValue?):
      nil
    case (.decimal128, .stringValue(let text)?):
      Self.isDecimal(text) ? nil : "Invalid decimal128 string."
    case (.objectID, .stringValue(let text)?):
      text.utf8.count == 24 ? nil : "Object ID hex string has incorrect length."
    case (.integer, .integerValue(let number)?):
      Int32(exactly: number) != nil
        ? nil
        : "The field '\(rawValue)' value (\(Limit.grouped(Int(number)))) is too large to be converted to "
          + "a 32-bit integer."
    case (.minimum, _), (.maximum, _): "Field \(rawValue) is not null."
    case (.decimal128, _), (.objectID, _): "Field \(rawValue) is not a string."
    case (.integer, _): "Field \(rawValue) is not a long."
    case (.regex, _), (.timestamp, _): "Field \(rawValue) is not a map."
    case (.binary, _): "Field \(rawValue) does not contain bytes."
    }
  }

  private static func isDecimal(_ text: String) -> Bool {
    let words = ["inf", "+inf", "-inf", "infinity", "+infinity", "-infinity", "nan"]
    return words.contains(text.lowercased()) || (Double(text) != nil && !text.contains("x"))
  }
}

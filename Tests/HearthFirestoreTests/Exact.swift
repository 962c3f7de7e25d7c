import Foundation
import HearthFirestore
import HearthFirestoreProtos
import SwiftProtobuf

extension Value {
  /// Everything that tells a value from others: Swift takes `-0.0` for `0.0`, different spellings of
  /// one character for equal, and NaN for different from itself.
  var exact: String {
    switch valueType {
    case nil: "nothing"
    case .nullValue?: "null"
    case .booleanValue(let value)?: "\(value)"
    case .integerValue(let value)?: "\(value)"
    case .doubleValue(let value)?:
      value.isNaN ? "NaN" : "\(value)d"
    case .timestampValue(let time)?: "\(time.seconds)s\(time.nanos)"
    case .stringValue(let text)?: text.exact
    case .bytesValue(let bytes)?: "bytes\([UInt8](bytes))"
    case .referenceValue(let name)?: "ref" + name.exact
    case .geoPointValue(let point)?: "geo(\(point.latitude), \(point.longitude))"
    case .arrayValue(let array)?:
      "[" + array.values.map(\.exact).joined(separator: ", ") + "]"
    case .mapValue(let map)?: map.fields.exact
    default: "\(self)"
    }
  }
}

extension String {
  /// In quotes, with everything beyond ASCII as numbers.
  var exact: String {
    "\""
      + unicodeScalars.map { scalar in
        scalar.isASCII && scalar.value > 31
          ? "\(scalar)" : "\\u{\(String(scalar.value, radix: 16))}"
      }.joined() + "\""
  }

  /// What dictionaries of tests are keyed by.
  var bytes: [UInt8] { Array(utf8) }
}

extension Fields {
  var exact: String {
    "{"
      + sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      .map { "\($0.key.exact): \($0.value.exact)" }.joined(separator: ", ") + "}"
  }
}

extension Document {
  var exact: String {
    "\(name.exact) \(fields.exact) \(createTime.microseconds) \(updateTime.microseconds)"
  }
}

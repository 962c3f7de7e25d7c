/// A `google.protobuf.FieldMask` in its query form: dotted paths, separated by commas.
package struct FieldMask: Sendable, Equatable {
  package let paths: [[String]]

  /// Names of fields may be in snake case, as protocol buffers write them.
  package init(_ text: String) {
    paths = text.split(separator: ",").map { path in
      path.split(separator: ".").map(Self.member)
    }.filter { !$0.isEmpty }
  }

  /// A name as bodies have it once they are read. Anything else, such as a phone number, is the key
  /// of a map, and stays.
  private static func member(_ segment: Substring) -> String {
    let isName = segment.utf8.allSatisfy {
      $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "_")
    }
    return isName ? CamelCase.convert(String(segment)) : String(segment)
  }

  package init(paths: [[String]]) { self.paths = paths }

  package var isEmpty: Bool { paths.isEmpty }

  /// The stored object with the masked members taken from the update.
  ///
  /// A path that the update does not hold is passed over: a mask cannot clear a field. Observed:
  /// the levels above a missing field are created all the same. Any name may be stored and is
  /// shown again later.
  package func copy(from update: JSONObject, into stored: JSONObject) -> JSONObject {
    var result = stored
    for path in paths { Self.copy(path[...], from: update, into: &result) }
    return result
  }

  private static func copy(
    _ path: ArraySlice<String>, from update: JSONObject, into stored: inout JSONObject
  ) {
    guard let first = path.first, let value = update[first], !value.isNull else { return }
    guard path.count > 1 else {
      stored[first] = value
      return
    }
    guard let deeper = value.object, var level = (stored[first] ?? [:]).object else { return }
    copy(path.dropFirst(), from: deeper, into: &level)
    stored[first] = .object(level)
  }
}

/// A `google.protobuf.FieldMask` in its query form: dotted paths, separated by commas.
package struct FieldMask: Sendable, Equatable {
  package let paths: [[String]]

  package init(_ text: String) {
    paths = text.split(separator: ",").map { path in
      path.split(separator: ".").map(String.init)
    }.filter { !$0.isEmpty }
  }

  package init(paths: [[String]]) { self.paths = paths }

  package var isEmpty: Bool { paths.isEmpty }

  /// The stored object with the masked members taken from the update.
  ///
  /// A path that the update does not hold is passed over: a mask cannot clear a field. Any name may
  /// be stored and is shown again later.
  package func copy(from update: JSONObject, into stored: JSONObject) -> JSONObject {
    var result = stored
    for path in paths {
      guard let value = Self.value(at: path[...], in: .object(update)), !value.isNull else {
        continue
      }
      Self.set(value, at: path[...], in: &result)
    }
    return result
  }

  private static func value(at path: ArraySlice<String>, in json: JSON) -> JSON? {
    guard let first = path.first else { return json }
    guard let member = json[first] else { return nil }
    return value(at: path.dropFirst(), in: member)
  }

  private static func set(
    _ value: JSON, at path: ArraySlice<String>, in object: inout JSONObject
  ) {
    guard let first = path.first else { return }
    if path.count == 1 {
      object[first] = value
      return
    }
    var inner = object[first]?.object ?? JSONObject()
    set(value, at: path.dropFirst(), in: &inner)
    object[first] = .object(inner)
  }
}

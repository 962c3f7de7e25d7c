/// What a field of a message holds, as far as production checks it.
enum FieldKind: Sendable {
  case string, bool, integer, number
  /// `3.5s`.
  case duration
  /// RFC 3339.
  case time
  case strings, durations
  /// Any names, and strings.
  case stringMap
  /// Any object, which is handed on as it is.
  case object
  /// One of these names of an enumeration, in any case of letters.
  case names([String], type: String)
  case message(MessageShape)
  case messages(MessageShape)

  /// What production calls it in its errors.
  var wireName: String {
    switch self {
    case .string, .strings, .stringMap: "TYPE_STRING"
    case .bool: "TYPE_BOOL"
    case .integer: "TYPE_INT32"
    case .number: "TYPE_FLOAT"
    case .duration, .durations: "type.googleapis.com/google.protobuf.Duration"
    case .time: "type.googleapis.com/google.protobuf.Timestamp"
    case .object: "type.googleapis.com/google.protobuf.Struct"
    case .names(_, let type): "type.googleapis.com/google.firebase.fcm.v1.\(type)"
    case .message(let shape), .messages(let shape):
      "type.googleapis.com/google.firebase.fcm.v1.\(shape.name)"
    }
  }
}

/// The fields of a message, by their names in snake case.
struct MessageShape: Sendable {
  let name: String
  let fields: [String: FieldKind]

  init(_ name: String, fields: [String: FieldKind]) {
    self.name = name
    self.fields = fields
  }
}

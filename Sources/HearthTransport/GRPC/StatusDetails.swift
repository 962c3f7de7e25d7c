import HearthWire

/// Details of a refusal as gRPC has them: a `google.rpc.Status` in a trailer, whose details are the
/// messages that REST shows as JSON.
/// https://github.com/googleapis/googleapis/blob/master/google/rpc/error_details.proto
extension GRPCStatus {
  /// In Base64, as all headers that end with `-bin`. Nil where there are none. A trailer must stay
  /// small: PROTOCOL-HTTP2.md suggests that clients take 8 KiB. What is longer is left out, since
  /// the call must not fail for it.
  var encodedDetails: String? {
    guard !details.isEmpty else { return nil }
    var status = WireMessage()
    status.append(1, varint: UInt64(bitPattern: Int64(code)))
    status.append(2, text: message)
    // The fields of `google.rpc.Status`: 1 is the code, 2 the message, 3 a detail.
    for detail in details {
      guard let type = detail["@type"]?.string, let value = Self.encode(detail) else { continue }
      // A `google.protobuf.Any`, whose JSON has the same `@type`.
      var any = WireMessage()
      any.append(1, text: type)
      any.append(2, message: value)
      status.append(3, message: any)
    }
    guard status.bytes.count <= 4096 else { return nil }
    return Base64.encode(status.bytes)
  }

  private static func encode(_ detail: JSON) -> WireMessage? {
    switch detail["@type"]?.string?.split(separator: ".").last {
    case "ErrorInfo": errorInfo(detail)
    case "Help": list(detail["links"], of: ["description", "url"])
    case "BadRequest": list(detail["fieldViolations"], of: ["field", "description"])
    default: nil
    }
  }

  /// Its fields: 1 is the reason, 2 the domain, 3 the metadata.
  private static func errorInfo(_ detail: JSON) -> WireMessage {
    var info = message(detail, of: ["reason", "domain"])
    for (key, value) in detail["metadata"]?.object?.members ?? [] {
      // A map is a repeated message of key and value.
      var entry = WireMessage()
      entry.append(1, text: key)
      entry.append(2, text: value.string ?? "")
      info.append(3, message: entry)
    }
    return info
  }

  /// A message whose first field is repeated.
  private static func list(_ items: JSON?, of fields: [String]) -> WireMessage {
    var list = WireMessage()
    for item in items?.array ?? [] { list.append(1, message: message(item, of: fields)) }
    return list
  }

  /// A message of texts, whose fields have the numbers 1, 2 and so on.
  private static func message(_ json: JSON, of fields: [String]) -> WireMessage {
    var message = WireMessage()
    for (index, field) in fields.enumerated() {
      if let text = json[field]?.string { message.append(UInt64(index + 1), text: text) }
    }
    return message
  }
}

/// A message in the binary format, field by field: the field's number and wire type, 0 for a varint
/// and 2 for bytes with their length, and then the value.
private struct WireMessage {
  private(set) var bytes: [UInt8] = []

  mutating func append(_ field: UInt64, varint value: UInt64) {
    append(varint: field << 3)
    append(varint: value)
  }

  mutating func append(_ field: UInt64, text: String) { append(field, content: Array(text.utf8)) }

  mutating func append(_ field: UInt64, message: WireMessage) {
    append(field, content: message.bytes)
  }

  private mutating func append(_ field: UInt64, content: [UInt8]) {
    append(varint: field << 3 | 2)
    append(varint: UInt64(content.count))
    bytes += content
  }

  private mutating func append(varint value: UInt64) {
    var rest = value
    while rest > 0x7f {
      bytes.append(UInt8(rest & 0x7f | 0x80))
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}

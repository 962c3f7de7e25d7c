import HearthWire

/// Details of a refusal as gRPC has them: a `google.rpc.Status` in a trailer, whose details are the
/// messages that REST shows as JSON.
/// https://github.com/googleapis/googleapis/blob/master/google/rpc/error_details.proto
extension GRPCStatus {
  /// Nil where there are none. A trailer must stay small: what is longer is left out.
  var encodedDetails: String? {
    guard !details.isEmpty else { return nil }
    var status = WireMessage()
    status.append(1, varint: UInt64(bitPattern: Int64(code)))
    status.append(2, text: message)
    for detail in details {
      guard let type = detail["@type"]?.string, let value = Self.encode(detail) else { continue }
      var any = WireMessage()
      any.append(1, text: type)
      any.append(2, value)
      status.append(3, any)
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

  private static func errorInfo(_ detail: JSON) -> WireMessage {
    var info = message(detail, of: ["reason", "domain"])
    for (key, value) in detail["metadata"]?.object?.members ?? [] {
      var entry = WireMessage()
      entry.append(1, text: key)
      entry.append(2, text: value.string ?? "")
      info.append(3, entry)
    }
    return info
  }

  /// A message whose first field is repeated.
  private static func list(_ items: JSON?, of fields: [String]) -> WireMessage {
    var list = WireMessage()
    for item in items?.array ?? [] { list.append(1, message(item, of: fields)) }
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

/// A message in the binary format, field by field.
private struct WireMessage {
  private(set) var bytes: [UInt8] = []

  mutating func append(_ field: UInt64, varint value: UInt64) {
    append(varint: field << 3)
    append(varint: value)
  }

  mutating func append(_ field: UInt64, text: String) { append(field, Array(text.utf8)) }

  mutating func append(_ field: UInt64, _ message: WireMessage) { append(field, message.bytes) }

  private mutating func append(_ field: UInt64, _ content: [UInt8]) {
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

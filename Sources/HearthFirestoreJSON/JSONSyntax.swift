package import HearthErrors
import HearthWire

extension FirestoreJSON {
  /// What Google's services say of a text that is not JSON. Nil for one that is, and for one that is
  /// nested too deeply to tell.
  package static func syntaxError(of json: [UInt8]) -> APIError? {
    json.withUnsafeBufferPointer { bytes in
      var reader = JSONToWire(bytes, isLenient: false)
      do throws(JSONFault) {
        try reader.whole()
        return nil
      } catch {
        return error.isSyntax ? error.refusal : nil
      }
    }
  }
}

/// Reading without a message to fill.
extension JSONToWire {
  fileprivate mutating func whole() throws(JSONFault) {
    try anything(depth: 1)
    try end()
  }

  private mutating func anything(depth: Int) throws(JSONFault) {
    try check(depth)
    switch reader.peek() {
    case UInt8(ascii: "{"): try members(depth: depth)
    case UInt8(ascii: "["): try elements(depth: depth)
    case UInt8(ascii: "\""): _ = try text()
    case _ where reader.isNumberNext(): _ = try rangeOfNumber()
    default:
      for word in ["null", "true", "false"] as [StaticString] where try take(word: word) { return }
      throw unexpected()
    }
  }

  private mutating func members(depth: Int) throws(JSONFault) {
    _ = reader.take("{")
    if reader.take("}") { return }
    repeat {
      _ = try key()
      try anything(depth: depth + 1)
    } while reader.take(",")
    try expect("}", or: "Expected , or } after key:value pair.")
  }

  private mutating func elements(depth: Int) throws(JSONFault) {
    _ = reader.take("[")
    if reader.take("]") { return }
    repeat {
      try anything(depth: depth + 1)
    } while reader.take(",")
    try expect("]", or: "Expected , or ] after array value.")
  }
}

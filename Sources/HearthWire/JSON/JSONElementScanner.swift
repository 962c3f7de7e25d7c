/// Cuts a long JSON text into the elements of one of its top-level arrays, as the bytes come in, so
/// that a file of any size can be read in little memory.
///
/// What surrounds the elements is kept, and parsed at the end: broken text is refused in the
/// end, although its first elements are passed on before that shows.
package struct JSONElementScanner {
  private static let largestFrame = 1 << 20
  private static let largestElement = 16 << 20

  private let member: [UInt8]
  private var depth = 0
  private var isInString = false
  private var isEscaped = false
  /// The string that was read last, while it may still be the wanted member's name.
  private var text: [UInt8] = []
  private var isInArray = false
  private var element: [UInt8] = []
  private var isBehindComma = false
  /// The text without the array's elements.
  private var frame: [UInt8] = []
  /// Where in the frame elements were left out, and how many bytes of them.
  private var gap = (at: Int.max, size: 0)
  private var position = 0

  /// Looks for the elements of `{"<member>": [ … ]}`.
  package init(member: String) { self.member = Array(member.utf8) }

  /// Takes more of the text, and hands over each element that is now complete.
  package mutating func feed(
    _ bytes: some Sequence<UInt8>, handle: (JSON) throws -> Void
  ) throws {
    for byte in bytes {
      if isInArray {
        try feedElement(byte, handle: handle)
      } else {
        try feedOutside(byte)
      }
      position += 1
    }
  }

  /// - Throws: `JSON.ParseError` unless the text that was fed is a whole object, whose member, if it
  ///   has that, is an array.
  package func finish() throws {
    if isInArray {
      guard element.allSatisfy({ $0 <= 0x20 }) else {
        // What is wrong with the element says more than that the text ends.
        _ = try parsed()
        throw fault("Expected a comma or the end of the array", at: position)
      }
      throw fault("Unexpected end of JSON input", at: position)
    }
    let json: JSON
    do throws(JSON.ParseError) {
      json = try JSON.parse(frame)
    } catch {
      throw fault(error.reason, at: error.offset + (error.offset >= gap.at ? gap.size : 0))
    }
    guard case .object(let object) = json else { throw fault("Expected a JSON object", at: 0) }
    let name = String(decoding: member, as: UTF8.self)
    guard object[name] == nil || object[name] == [] else {
      throw fault("'\(name)' is not an array", at: 0)
    }
  }

  private func fault(_ reason: String, at offset: Int) -> JSON.ParseError {
    JSON.ParseError(reason: reason, offset: offset)
  }

  private mutating func feedOutside(_ byte: UInt8) throws {
    guard frame.count < Self.largestFrame else {
      throw fault(
        "There is too much around '\(String(decoding: member, as: UTF8.self))'",
        at: position)
    }
    frame.append(byte)
    if isInString {
      followString(byte)
      if isInString, depth == 1, text.count <= member.count { text.append(byte) }
      return
    }
    switch byte {
    case UInt8(ascii: "\""):
      isInString = true
      if depth == 1 { text = [] }
    case UInt8(ascii: "{"): depth += 1
    case UInt8(ascii: "["):
      if depth == 1, text == member {
        isInArray = true
        isBehindComma = false
        element = []
        gap = (at: frame.count, size: 0)
      }
      depth += 1
    case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
    case UInt8(ascii: ","): if depth == 1 { text = [] }
    default: break
    }
  }

  /// Notices the end of the string.
  private mutating func followString(_ byte: UInt8) {
    if isEscaped {
      isEscaped = false
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      isInString = false
    }
  }

  private mutating func feedElement(_ byte: UInt8, handle: (JSON) throws -> Void) throws {
    guard element.count < Self.largestElement else {
      throw fault(
        "An element of '\(String(decoding: member, as: UTF8.self))' is too large", at: position)
    }
    if isInString {
      element.append(byte)
      return followString(byte)
    }
    if depth == 2, byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]") {
      return try endElement(byte, handle: handle)
    }
    switch byte {
    case UInt8(ascii: "\""): isInString = true
    case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      guard depth > 2 else { throw fault("Unexpected token in JSON", at: position) }
      depth -= 1
    default: break
    }
    element.append(byte)
  }

  private mutating func endElement(_ byte: UInt8, handle: (JSON) throws -> Void) throws {
    let isLast = byte == UInt8(ascii: "]")
    if !element.allSatisfy({ $0 <= 0x20 }) {
      try handle(try parsed())
    } else if !isLast || isBehindComma {
      throw fault("Unexpected token in JSON", at: position)
    }
    gap.size += element.count
    element.removeAll(keepingCapacity: true)
    isBehindComma = !isLast
    guard isLast else {
      gap.size += 1
      return
    }
    frame.append(byte)
    isInArray = false
    depth -= 1
    text = []
  }

  private func parsed() throws -> JSON {
    do throws(JSON.ParseError) {
      return try JSON.parse(element)
    } catch {
      throw fault(error.reason, at: position - element.count + error.offset)
    }
  }
}

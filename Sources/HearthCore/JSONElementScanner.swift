/// Cuts a long JSON text into the elements of one of its top-level arrays, as the bytes come in, so
/// that a file of any size can be read in little memory.
package struct JSONElementScanner {
  private let member: [UInt8]
  private var depth = 0
  private var isInString = false
  private var isEscaped = false
  /// The string that was read last, while it may still be the wanted member's name.
  private var text: [UInt8] = []
  private var isInArray = false
  private var element: [UInt8] = []

  /// Looks for the elements of `{"<member>": [ … ]}`.
  package init(member: String) { self.member = Array(member.utf8) }

  /// Takes more of the text, and hands over each element that is now complete.
  package mutating func feed(
    _ bytes: some Sequence<UInt8>, _ handle: ([UInt8]) throws -> Void
  ) throws {
    for byte in bytes {
      if isInArray {
        try feedElement(byte, handle)
      } else {
        feedOutside(byte)
      }
    }
  }

  private mutating func feedOutside(_ byte: UInt8) {
    if isInString {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isInString = false
        return
      }
      if depth == 1, text.count <= member.count { text.append(byte) }
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
        element = []
      }
      depth += 1
    case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
    case UInt8(ascii: ","): if depth == 1 { text = [] }
    default: break
    }
  }

  private mutating func feedElement(
    _ byte: UInt8, _ handle: ([UInt8]) throws -> Void
  ) throws {
    if isInString {
      element.append(byte)
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isInString = false
      }
      return
    }
    let atTop = depth == 2
    if atTop, byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]") {
      if !element.allSatisfy({ $0 <= 0x20 }) { try handle(element) }
      element.removeAll(keepingCapacity: true)
      if byte == UInt8(ascii: "]") {
        isInArray = false
        depth -= 1
        text = []
      }
      return
    }
    switch byte {
    case UInt8(ascii: "\""): isInString = true
    case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
    case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
    default: break
    }
    element.append(byte)
  }
}

/// The id of an operation, with `*` for any run of characters.
package struct FaultPattern: Sendable {
  package let text: String

  package init(text: String) { self.text = text }

  package func matches(_ operation: String) -> Bool {
    Self.glob(Array(text.utf8), text: Array(operation.utf8))
  }

  /// Steps back to the last `*` only, so that no pattern takes long.
  private static func glob(_ pattern: [UInt8], text: [UInt8]) -> Bool {
    var position = 0
    var index = 0
    var retry: (pattern: Int, text: Int)?
    while index < text.count {
      if position < pattern.count, pattern[position] == UInt8(ascii: "*") {
        position += 1
        retry = (position, index)
      } else if position < pattern.count, pattern[position] == text[index] {
        position += 1
        index += 1
      } else if let last = retry {
        position = last.pattern
        index = last.text + 1
        retry = (last.pattern, index)
      } else {
        return false
      }
    }
    return pattern[position...].allSatisfy { $0 == UInt8(ascii: "*") }
  }
}

/// Cuts what a client writes into lines, each of which is a message.
package struct MCPLines: Sendable {
  package enum Line: Sendable, Equatable {
    case message([UInt8])
    case tooLong
  }

  /// The longest message.
  package static let longest = 4 << 20

  private let longest: Int
  private var rest: [UInt8] = []
  private var isSkipping = false

  package init(longest: Int = Self.longest) { self.longest = longest }

  /// The lines that end in these bytes. Empty lines are left out.
  package mutating func feed(_ bytes: some Sequence<UInt8>) -> [Line] {
    var lines: [Line] = []
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        end(&lines)
      } else if !isSkipping {
        rest.append(byte)
        if rest.count > longest { skip(&lines) }
      }
    }
    return lines
  }

  /// The last line, if nothing ends it.
  package mutating func finish() -> [Line] {
    var lines: [Line] = []
    end(&lines)
    return lines
  }

  private mutating func end(_ lines: inout [Line]) {
    if rest.last == UInt8(ascii: "\r") { rest.removeLast() }
    if !rest.isEmpty { lines.append(.message(rest)) }
    rest = []
    isSkipping = false
  }

  /// Forgets the line up to its end.
  private mutating func skip(_ lines: inout [Line]) {
    lines.append(.tooLong)
    rest = []
    isSkipping = true
  }
}

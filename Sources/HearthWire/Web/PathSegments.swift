/// A path, cut at its slashes. The segments are ranges of its bytes: a string for each of them would take
/// most of the time in which a row is found.
struct PathSegments {
  private let bytes: [UInt8]
  /// Where the slashes are, and the end of the path.
  private let ends: [Int]

  init(_ path: Substring) {
    var path = path
    let bytes = path.withUTF8 { Array($0) }
    var ends: [Int] = []
    ends.reserveCapacity(16)
    for index in bytes.indices where bytes[index] == UInt8(ascii: "/") { ends.append(index) }
    ends.append(bytes.count)
    self.bytes = bytes
    self.ends = ends
  }

  var count: Int { ends.count }

  /// The bytes of a segment.
  subscript(index: Int) -> Range<Int> { (index == 0 ? 0 : ends[index - 1] + 1)..<ends[index] }

  /// From the beginning of a segment to the end of the path.
  func rest(from index: Int) -> Range<Int> { self[index].lowerBound..<bytes.count }

  /// What is written there, percent-decoded.
  func text(of range: Range<Int>, droppingLast suffix: Int = 0) -> String {
    bytes[range].dropLast(suffix).withUnsafeBufferPointer {
      PercentCoding.decode($0[...], plusAsSpace: false)
    }
  }

  func segment(_ index: Int, is literal: [UInt8]) -> Bool {
    let range = self[index]
    return range.count == literal.count && end(at: range.upperBound, is: literal)
  }

  func segment(_ index: Int, endsWith suffix: [UInt8]) -> Bool {
    let range = self[index]
    return range.count >= suffix.count && end(at: range.upperBound, is: suffix)
  }

  private func end(at end: Int, is text: [UInt8]) -> Bool {
    let start = end - text.count
    for index in text.indices where bytes[start + index] != text[index] { return false }
    return true
  }

  /// The first bytes of the first segment; zero where it is empty.
  var beginning: UInt64 { count > 1 ? Self.first(bytes[self[1]]) : 0 }

  /// The first bytes of the verb, which is after the last colon of the path; zero where there is none.
  var verb: UInt64 {
    let last = bytes[self[count - 1]]
    guard let colon = last.lastIndex(of: UInt8(ascii: ":")) else { return 0 }
    return Self.first(last[colon...].dropFirst())
  }

  static func first(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }
}

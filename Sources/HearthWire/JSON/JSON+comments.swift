extension JSON {
  /// Files of Firebase's tools may hold comments, which JSON does not know; they become blanks, so
  /// that positions in messages stay true.
  package static func withoutComments(_ bytes: [UInt8]) -> [UInt8] {
    var output = bytes
    var index = 0
    var isInString = false
    while index < bytes.count {
      let next = index + 1 < bytes.count ? bytes[index + 1] : 0
      switch bytes[index] {
      case UInt8(ascii: "\\") where isInString: index += 1
      case UInt8(ascii: "\""): isInString.toggle()
      case UInt8(ascii: "/") where !isInString && next == UInt8(ascii: "/"):
        let end = bytes[index...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        for position in index..<end { output[position] = UInt8(ascii: " ") }
        index = end
      case UInt8(ascii: "/") where !isInString && next == UInt8(ascii: "*"):
        let end = endOfComment(bytes, from: index + 2)
        for position in index..<end where bytes[position] != UInt8(ascii: "\n") {
          output[position] = UInt8(ascii: " ")
        }
        index = end - 1
      default: break
      }
      index += 1
    }
    return output
  }

  private static func endOfComment(_ bytes: [UInt8], from start: Int) -> Int {
    var index = start
    while index + 1 < bytes.count {
      if bytes[index] == UInt8(ascii: "*") && bytes[index + 1] == UInt8(ascii: "/") {
        return index + 2
      }
      index += 1
    }
    return bytes.count
  }
}

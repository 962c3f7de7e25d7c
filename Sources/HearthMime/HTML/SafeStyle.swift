/// CSS without what loads or runs. It has no backslashes any more.
struct SafeStyle {
  private let bytes: [UInt8]
  private var output: [UInt8] = []
  private var index = 0

  init(_ css: String) { bytes = Array(css.utf8) }

  /// The closure gives the address to write for that of a picture, and nil to leave it out.
  mutating func text(_ picture: (String) -> String?) -> String {
    output.reserveCapacity(bytes.count)
    while index < bytes.count {
      if bytes.hasBytes("url(", at: index) {
        replaceAddress(picture)
      } else if let word = Self.refused.first(where: { bytes.hasBytes($0, at: index) }) {
        index += word.utf8CodeUnitCount
        output.append(contentsOf: "x".utf8)
      } else {
        output.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static let refused: [StaticString] = [
    "@import", "expression(", "-moz-binding", "behavior", "image-set(", "image(", "cross-fade(",
    "src(",
  ]

  private mutating func replaceAddress(_ picture: (String) -> String?) {
    let start = index + 4
    let end = bytes[start...].firstIndex(of: UInt8(ascii: ")")) ?? bytes.count
    let address = bytes[start..<end].filter {
      !$0.isWhitespace && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "'")
    }
    let replacement = picture(String(decoding: address, as: UTF8.self)) ?? ""
    // Nothing that could end the address or the rule.
    let isPlain = replacement.utf8.allSatisfy { $0 > 0x20 && !"\"'(){}".utf8.contains($0) }
    output.append(contentsOf: "url(\(isPlain ? replacement : ""))".utf8)
    index = min(end + 1, bytes.count)
  }
}

import HearthWire

/// The path of a field, as indexes name it: `a.b`, with backticks around segments that are not plain
/// names. `*` stands for every field of a collection group.
package struct IndexedPath: Sendable, Hashable, Comparable, CustomStringConvertible {
  package let segments: [String]

  package static let name = IndexedPath(segments: ["__name__"])
  package static let every = IndexedPath(segments: ["*"])

  package init(segments: [String]) { self.segments = segments }

  /// Nil for a text that is not a path.
  package init?(_ text: String) {
    var segments: [String] = []
    var current: [UInt8] = []
    var isQuoted = false
    var bytes = text.utf8.makeIterator()
    while let byte = bytes.next() {
      switch byte {
      case UInt8(ascii: "`"): isQuoted.toggle()
      case UInt8(ascii: "\\") where isQuoted:
        guard let escaped = bytes.next() else { return nil }
        current.append(escaped)
      case UInt8(ascii: ".") where !isQuoted:
        guard !current.isEmpty else { return nil }
        segments.append(String(decoding: current, as: UTF8.self))
        current = []
      default: current.append(byte)
      }
    }
    guard !isQuoted, !current.isEmpty else { return nil }
    segments.append(String(decoding: current, as: UTF8.self))
    self.segments = segments
  }

  package var isName: Bool { self == .name }

  package var description: String {
    self == .every ? "*" : segments.map(Self.quoted).joined(separator: ".")
  }

  /// The maps that hold the field, the nearest first.
  var parents: [IndexedPath] {
    (1..<max(1, segments.count)).reversed().map {
      IndexedPath(segments: Array(segments.prefix($0)))
    }
  }

  package static func < (left: IndexedPath, right: IndexedPath) -> Bool {
    left.segments.lexicographicallyPrecedes(right.segments) {
      $0.utf8.lexicographicallyPrecedes($1.utf8)
    }
  }

  private static func quoted(_ segment: String) -> String {
    if isPlain(segment) { return segment }
    let escaped = segment.replacing("\\", with: "\\\\").replacing("`", with: "\\`")
    return "`\(escaped)`"
  }

  private static func isPlain(_ segment: String) -> Bool {
    guard let first = segment.utf8.first, !first.isASCIIDigit else { return false }
    return segment.utf8.allSatisfy { $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "_") }
  }
}

/// A path as Google's APIs write it: literal segments, `{variable}`, a literal `:verb` after
/// either, and `{variable=**}` for the rest of the path.
///
/// A variable matches any run of characters but `/`, the empty run included: importers address
/// the project's own accounts as `/tenants//accounts`. Matching is exact and case-sensitive, on the
/// path as it was sent; only what a variable captured is percent-decoded.
package struct PathTemplate: Sendable, Hashable, CustomStringConvertible {
  package enum Segment: Sendable, Hashable {
    case literal(String)
    case variable(String, suffix: String)
    case rest(String, suffix: String)
  }

  package let description: String
  package let segments: [Segment]
  /// How much of the path is spelled out: where two templates match, the more specific one wins.
  package let specificity: Int

  package init(_ template: String) {
    description = template
    segments = template.splitAtSlashes.map(Self.segment)
    specificity = segments.reduce(0) { sum, segment in
      switch segment {
      case .literal: sum + 1000
      case .variable(_, let suffix): sum + 500 + suffix.utf8.count
      case .rest(_, let suffix): sum + suffix.utf8.count
      }
    }
  }

  /// Bytes, because each start makes all templates, and characters would cost most of that.
  private static func segment(_ text: String) -> Segment {
    let bytes = text.utf8
    guard bytes.first == UInt8(ascii: "{"), let end = bytes.firstIndex(of: UInt8(ascii: "}"))
    else { return .literal(text) }
    let name = bytes[..<end].dropFirst()
    let suffix = String(text[bytes.index(after: end)...])
    if name.suffix(rest.utf8.count).elementsEqual(rest.utf8) {
      return .rest(String(Substring(name.dropLast(rest.utf8.count))), suffix: suffix)
    }
    return .variable(String(Substring(name)), suffix: suffix)
  }

  private static let rest = "=**"

  package var isLiteral: Bool {
    segments.allSatisfy { if case .literal = $0 { true } else { false } }
  }

  package var variables: [String] {
    segments.compactMap {
      switch $0 {
      case .literal: nil
      case .variable(let name, _), .rest(let name, _): name
      }
    }
  }

  /// The segments that `{name=**}` captured in a path that matches, each decoded by itself: an encoded
  /// slash separates nothing. None where the template has no such variable.
  package func rest(of path: Substring) -> [String] {
    guard case .rest(_, let suffix)? = segments.last else { return [] }
    let path = PathSegments(path)
    let first = segments.count - 1
    guard first < path.count else { return [] }
    return (first..<path.count).map { index in
      path.text(of: path[index], droppingLast: index == path.count - 1 ? suffix.utf8.count : 0)
    }
  }
}

extension String {
  /// By bytes: a slash and a combining mark after it are one `Character`. That is several times as quick
  /// as the `split` of collections, too.
  package var splitAtSlashes: [String] {
    var text = self
    return text.withUTF8 { bytes in
      var segments: [String] = []
      segments.reserveCapacity(8)
      var start = 0
      for index in bytes.indices where bytes[index] == UInt8(ascii: "/") {
        segments.append(String(decoding: bytes[start..<index], as: UTF8.self))
        start = index + 1
      }
      segments.append(String(decoding: bytes[start...], as: UTF8.self))
      return segments
    }
  }
}

extension [String] {
  /// The opposite of ``Swift/String/splitAtSlashes``. Several times as quick as the `joined` of sequences,
  /// which lets the text grow.
  package var joinedBySlashes: String {
    let size = reduce(count) { $0 + $1.utf8.count }
    return String(unsafeUninitializedCapacity: size) { buffer in
      var end = 0
      for (index, segment) in enumerated() {
        if index > 0 {
          buffer[end] = UInt8(ascii: "/")
          end += 1
        }
        var segment = segment
        end = segment.withUTF8 { buffer[end...].update(fromContentsOf: $0) }
      }
      return end
    }
  }
}

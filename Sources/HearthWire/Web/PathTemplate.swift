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
    segments = Self.split(template[...]).map(Self.segment)
    specificity = segments.reduce(0) { sum, segment in
      switch segment {
      case .literal: sum + 1000
      case .variable(_, let suffix): sum + 500 + suffix.utf8.count
      case .rest(_, let suffix): sum + suffix.utf8.count
      }
    }
  }

  /// Bytes, because each start makes all templates, and characters would cost most of that.
  private static func segment(_ text: Substring) -> Segment {
    let bytes = text.utf8
    guard bytes.first == UInt8(ascii: "{"), let end = bytes.firstIndex(of: UInt8(ascii: "}"))
    else { return .literal(String(text)) }
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

  /// What the variables captured, percent-decoded; nil when the path does not match.
  package func match(_ path: [Substring]) -> [String: String]? {
    guard fits(path) else { return nil }
    var captured: [String: String] = [:]
    for (index, segment) in segments.enumerated() {
      switch segment {
      case .literal: continue
      case .variable(let name, let suffix):
        captured[name] = PercentCoding.decode(Self.part(path[index], without: suffix))
      case .rest(let name, let suffix):
        captured[name] = PercentCoding.decode(
          Self.part(Self.joined(path[index...]), without: suffix))
      }
    }
    return captured
  }

  /// Most templates that are tried do not fit: nothing is captured before it is known that one does.
  private func fits(_ path: [Substring]) -> Bool {
    guard let last = segments.last else { return path.isEmpty }
    if case .rest(_, let suffix) = last {
      guard path.count >= segments.count - 1 else { return false }
      if path.count < segments.count {
        guard suffix.isEmpty else { return false }
      } else if let end = path.last, !Self.ends(end, with: suffix) {
        return false
      }
    } else if path.count != segments.count {
      return false
    }
    return zip(segments, path).allSatisfy { segment, part in
      switch segment {
      case .literal(let text): part == text
      case .variable(_, let suffix): Self.ends(part, with: suffix)
      case .rest: true
      }
    }
  }

  /// What the segments of one path are together.
  private static func joined(_ segments: ArraySlice<Substring>) -> Substring {
    guard let first = segments.first, let last = segments.last else { return "" }
    return Substring(first.base.utf8[first.startIndex..<last.endIndex])
  }

  private static func ends(_ part: Substring, with suffix: String) -> Bool {
    suffix.isEmpty || part.utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
  }

  private static func part(_ part: Substring, without suffix: String) -> Substring {
    Substring(part.utf8.dropLast(suffix.utf8.count))
  }

  /// The segments that `{name=**}` captured in a path that matches, each decoded by itself: an encoded
  /// slash separates nothing. None where the template has no such variable.
  package func rest(of path: Substring) -> [String] {
    guard case .rest(_, let suffix)? = segments.last else { return [] }
    var captured = Self.split(path).dropFirst(segments.count - 1)
    if let last = captured.popLast() { captured.append(Self.part(last, without: suffix)) }
    return captured.map { PercentCoding.decode($0) }
  }

  /// Several times as quick as the `split` of collections.
  package static func split(_ path: Substring) -> [Substring] {
    var path = path
    let slashes = path.withUTF8 { bytes in
      bytes.indices.filter { bytes[$0] == UInt8(ascii: "/") }
    }
    let bytes = path.utf8
    var segments: [Substring] = []
    segments.reserveCapacity(slashes.count + 1)
    var start = bytes.startIndex
    for slash in slashes {
      let end = bytes.index(bytes.startIndex, offsetBy: slash)
      segments.append(Substring(bytes[start..<end]))
      start = bytes.index(after: end)
    }
    segments.append(Substring(bytes[start...]))
    return segments
  }
}

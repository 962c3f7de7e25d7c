package import HearthErrors
import HearthWire

/// Which documents are meant: a path below `documents` with wildcards.
///
/// It is checked and parsed once, and matched with each change of a document. Its length is bounded
/// because it is kept.
package struct PathPattern: Sendable, Equatable {
  package enum Syntax: Sendable {
    /// No wildcards at all.
    case exact
    /// `{name}`, `{name=*}` and `{name=**}`, as functions of the first generation have them.
    case variables
    /// The same, `*` for a part of a segment and `**` for any number of segments.
    case wildcards
  }

  private enum Part: Equatable {
    case literal(String)
    /// One segment, of any text.
    case any
    /// Any number of segments, none included.
    case rest
    /// A segment with `*` in it.
    case glob([UInt8])
  }

  private static let longest = 8 << 10
  private static let mostSegments = 200

  /// As it was given.
  package let text: String
  private let parts: [Part]

  /// - Throws: INVALID_ARGUMENT where it is not such a path.
  package init(_ text: String, syntax: Syntax) throws(APIError) {
    guard text.utf8.count <= Self.longest else {
      throw APIError(
        .invalidArgument, detail: "a path pattern is longer than \(Self.longest) bytes")
    }
    self.text = text
    var path = text.utf8[...]
    if syntax == .wildcards {
      // A pattern for webhooks may begin with a slash, and an empty one means all documents.
      if path.first == UInt8(ascii: "/") { path = path.dropFirst() }
      if path.isEmpty {
        parts = [.rest]
        return
      }
    }
    let segments = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard segments.count <= Self.mostSegments else {
      throw APIError(
        .invalidArgument,
        detail: "the path pattern '\(text)' has more than \(Self.mostSegments) segments")
    }
    var parts: [Part] = []
    for segment in segments {
      parts.append(try Self.part(String(Substring(segment)), syntax: syntax, text: text))
    }
    guard parts.contains(.rest) || parts.count.isMultiple(of: 2) else {
      throw APIError(
        .invalidArgument,
        detail:
          "the path pattern '\(text)' names a collection; a document has an even number of segments"
      )
    }
    self.parts = parts
  }

  private static func part(
    _ segment: String, syntax: Syntax, text: String
  ) throws(APIError) -> Part {
    guard !segment.isEmpty else {
      throw APIError(.invalidArgument, detail: "the path pattern '\(text)' has an empty segment")
    }
    if syntax == .exact {
      guard !segment.utf8.contains(where: "{}*".utf8.contains) else {
        throw APIError(
          .invalidArgument,
          detail: "the path '\(text)' has wildcards, which need the matchType PATH_PATTERN")
      }
      return .literal(segment)
    }
    if segment.contains("{") || segment.contains("}") { return try variable(segment, text: text) }
    guard syntax == .wildcards, segment.contains("*") else { return .literal(segment) }
    if segment == "**" { return .rest }
    guard !segment.contains("**") else {
      throw APIError(
        .invalidArgument, detail: "in the path pattern '\(text)', ** must be a whole segment")
    }
    return segment == "*" ? .any : .glob(Array(segment.utf8))
  }

  private static func variable(_ segment: String, text: String) throws(APIError) -> Part {
    let inner = segment.dropFirst().dropLast()
    let halves = inner.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let isWhole = segment.hasPrefix("{") && segment.hasSuffix("}") && segment.utf8.count > 2
    guard isWhole, !inner.contains("{"), !inner.contains("}"), halves.first?.isEmpty == false else {
      throw APIError(
        .invalidArgument,
        detail: "in the path pattern '\(text)', '\(segment)' must be one variable, such as {id}")
    }
    switch halves.count > 1 ? halves[1] : "*" {
    case "*": return .any
    case "**": return .rest
    default:
      throw APIError(
        .invalidArgument,
        detail: "in the path pattern '\(text)', '\(segment)' may stand for * or ** only")
    }
  }

  /// Whether the document is meant that has this path.
  ///
  /// Each `**` first takes nothing, and one segment more each time that the rest does not fit. Only
  /// the latest one is ever tried again, which is enough: what comes before it has matched already.
  /// So the time is bounded by the product of the lengths.
  package func matches(_ path: [String]) -> Bool {
    var (part, segment) = (0, 0)
    // Where the latest `**` is, and up to which segment it reaches.
    var open: (part: Int, segment: Int)?
    while segment < path.count {
      if part < parts.count, parts[part] == .rest {
        open = (part, segment)
        part += 1
      } else if part < parts.count, Self.matches(parts[part], segment: path[segment]) {
        part += 1
        segment += 1
      } else if let last = open {
        open = (last.part, last.segment + 1)
        part = last.part + 1
        segment = last.segment + 1
      } else {
        return false
      }
    }
    return parts[part...].allSatisfy { $0 == .rest }
  }

  private static func matches(_ part: Part, segment: String) -> Bool {
    switch part {
    // By bytes: names that Unicode takes for the same are different documents.
    case .literal(let text): text.hasSameBytes(as: segment)
    case .any, .rest: true
    case .glob(let pattern): matches(pattern, text: Array(segment.utf8))
    }
  }

  /// The same as above, for the bytes of a segment.
  private static func matches(_ pattern: [UInt8], text: [UInt8]) -> Bool {
    var (place, index) = (0, 0)
    var open: (place: Int, index: Int)?
    while index < text.count {
      if place < pattern.count, pattern[place] == UInt8(ascii: "*") {
        open = (place, index)
        place += 1
      } else if place < pattern.count, pattern[place] == text[index] {
        place += 1
        index += 1
      } else if let last = open {
        open = (last.place, last.index + 1)
        place = last.place + 1
        index = last.index + 1
      } else {
        return false
      }
    }
    return pattern[place...].allSatisfy { $0 == UInt8(ascii: "*") }
  }
}

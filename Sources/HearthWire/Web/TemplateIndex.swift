/// Finds the template of a path: literal paths by hashing, the others by trying those with the same
/// number of segments, the most specific first.
///
/// It knows rows by their places only, because each request asks it, and what is generic over rows is
/// several times as slow.
struct TemplateIndex: Sendable {
  enum Match {
    case found(place: Int, variables: [String: String])
    case wrongMethod(allowed: [String])
    case unknown
  }

  /// A row of the table.
  struct Entry: Sendable {
    let method: String
    let template: PathTemplate
    let place: Int
    private let outline: PathOutline

    init(_ method: String, template: PathTemplate, place: Int) {
      self.method = method
      self.template = template
      self.place = place
      outline = PathOutline(template)
    }

    func mayFit(_ path: PathOutline) -> Bool { outline.mayFit(path) }
  }

  private var literal: [String: [Entry]] = [:]
  /// With the open ones at their ends.
  private var bySegmentCount: [Int: [Entry]] = [:]
  /// Those that end with `{name=**}`.
  private var open: [Entry] = []

  init(_ entries: [Entry]) {
    // Places are sorted, because an entry is many words to move.
    let specificity = entries.map { $0.template.specificity }
    for place in entries.indices.sorted(by: { specificity[$0] > specificity[$1] }) {
      let entry = entries[place]
      if entry.template.isLiteral {
        literal[entry.template.description, default: []].append(entry)
      } else if case .rest? = entry.template.segments.last {
        open.append(entry)
      } else {
        bySegmentCount[entry.template.segments.count, default: []].append(entry)
      }
    }
    bySegmentCount = bySegmentCount.mapValues { $0 + open }
  }

  func match(method: String, path: Substring) -> Match {
    if let entries = literal[String(path)] {
      if let entry = entries.first(where: { $0.method == method }) {
        return .found(place: entry.place, variables: [:])
      }
      return .wrongMethod(allowed: entries.map(\.method))
    }
    if bySegmentCount.isEmpty, open.isEmpty { return .unknown }
    let segments = PathTemplate.split(path)
    let outline = PathOutline(segments)
    let entries = bySegmentCount[segments.count] ?? open
    var allowed: [String] = []
    var decided: Int?
    for place in entries.indices where entries[place].mayFit(outline) {
      let entry = entries[place]
      // A less specific template must not answer for a path that a more specific one owns.
      if let decided, entry.template.specificity < decided { break }
      guard let variables = entry.template.match(segments) else { continue }
      if entry.method == method { return .found(place: entry.place, variables: variables) }
      decided = entry.template.specificity
      allowed.append(entry.method)
    }
    return allowed.isEmpty ? .unknown : .wrongMethod(allowed: allowed)
  }
}

/// What tells of most templates that they do not fit a path, before their segments are looked at.
struct PathOutline: Sendable {
  /// The first bytes of the first segment; zero where that is a variable.
  private let first: UInt64
  /// The first bytes of the verb, which is after the last colon of the path; zero where there is none.
  private let verb: UInt64

  init(_ path: [Substring]) {
    first = path.count > 1 ? Self.bytes(path[1].utf8) : 0
    verb = path.last.map { Self.verb(of: $0) } ?? 0
  }

  init(_ template: PathTemplate) {
    if template.segments.count > 1, case .literal(let text) = template.segments[1] {
      first = Self.bytes(text[...].utf8)
    } else {
      first = 0
    }
    verb =
      switch template.segments.last {
      case .literal(let text)?, .variable(_, suffix: let text)?, .rest(_, suffix: let text)?:
        Self.verb(of: text[...])
      case nil: 0
      }
  }

  func mayFit(_ path: PathOutline) -> Bool {
    (first == 0 || first == path.first) && (verb == 0 || verb == path.verb)
  }

  private static func verb(of segment: Substring) -> UInt64 {
    guard let colon = segment.utf8.lastIndex(of: UInt8(ascii: ":")) else { return 0 }
    return bytes(segment.utf8[colon...].dropFirst())
  }

  private static func bytes(_ text: Substring.UTF8View) -> UInt64 {
    text.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }
}

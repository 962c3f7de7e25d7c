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
    fileprivate let matcher: PathMatcher

    init(_ method: String, template: PathTemplate, place: Int) {
      self.method = method
      self.template = template
      self.place = place
      matcher = PathMatcher(template)
    }
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
    let segments = PathSegments(path)
    let (beginning, verb) = (segments.beginning, segments.verb)
    let entries = bySegmentCount[segments.count] ?? open
    var allowed: [String] = []
    var decided: Int?
    for place in entries.indices
    where entries[place].matcher.mayFit(beginning: beginning, verb: verb) {
      let entry = entries[place]
      // A less specific template must not answer for a path that a more specific one owns.
      if let decided, entry.template.specificity < decided { break }
      guard entry.matcher.fits(segments) else { continue }
      if entry.method == method {
        return .found(place: entry.place, variables: entry.matcher.variables(of: segments))
      }
      decided = entry.template.specificity
      allowed.append(entry.method)
    }
    return allowed.isEmpty ? .unknown : .wrongMethod(allowed: allowed)
  }
}

/// A template as it is compared with paths.
private struct PathMatcher: Sendable {
  private struct Part: Sendable {
    enum Kind: Sendable {
      case literal
      case variable(String)
      case rest(String)
    }

    let kind: Kind
    /// What is spelled out: all of a literal, the end of a variable.
    let text: [UInt8]

    init(_ segment: PathTemplate.Segment) {
      switch segment {
      case .literal(let text): (kind, self.text) = (.literal, Array(text.utf8))
      case .variable(let name, let suffix): (kind, text) = (.variable(name), Array(suffix.utf8))
      case .rest(let name, let suffix): (kind, text) = (.rest(name), Array(suffix.utf8))
      }
    }
  }

  private let parts: [Part]
  /// The first bytes of the first segment, and of the verb; zero where every path may fit. They tell of
  /// most templates that they do not fit, before their segments are looked at.
  private let beginning: UInt64
  private let verb: UInt64

  init(_ template: PathTemplate) {
    parts = template.segments.map(Part.init)
    beginning =
      if parts.count > 1, case .literal = parts[1].kind { PathSegments.first(parts[1].text) } else {
        0
      }
    let last = parts.last?.text ?? []
    verb =
      last.lastIndex(of: UInt8(ascii: ":")).map { PathSegments.first(last[$0...].dropFirst()) } ?? 0
  }

  func mayFit(beginning: UInt64, verb: UInt64) -> Bool {
    (self.beginning == 0 || self.beginning == beginning) && (self.verb == 0 || self.verb == verb)
  }

  func fits(_ path: PathSegments) -> Bool {
    guard let last = parts.last else { return false }
    if case .rest = last.kind {
      // Nothing may be left for it, unless something must be written after it.
      guard path.count >= parts.count || (path.count == parts.count - 1 && last.text.isEmpty)
      else { return false }
    } else if path.count != parts.count {
      return false
    }
    for (index, part) in parts.enumerated() {
      switch part.kind {
      case .literal: guard path.segment(index, is: part.text) else { return false }
      case .variable: guard path.segment(index, endsWith: part.text) else { return false }
      case .rest:
        guard part.text.isEmpty || path.segment(path.count - 1, endsWith: part.text) else {
          return false
        }
      }
    }
    return true
  }

  /// What the variables captured in a path that fits, percent-decoded.
  func variables(of path: PathSegments) -> [String: String] {
    var captured = [String: String](minimumCapacity: parts.count)
    for (index, part) in parts.enumerated() {
      switch part.kind {
      case .literal: continue
      case .variable(let name):
        captured[name] = path.text(of: path[index], droppingLast: part.text.count)
      case .rest(let name):
        captured[name] =
          index < path.count
          ? path.text(of: path.rest(from: index), droppingLast: part.text.count) : ""
      }
    }
    return captured
  }
}

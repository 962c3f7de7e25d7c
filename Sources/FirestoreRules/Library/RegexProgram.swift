/// A pattern as steps of a machine that follows all ways through it at once, so that its time grows
/// with the text and the pattern and not with the ways: https://swtch.com/~rsc/regexp/regexp2.html
struct RegexProgram {
  enum Step {
    case test(ScalarTest)
    /// Goes on at both; the first is preferred.
    case either(Int, Int)
    case jump(Int)
    case assert(Assertion)
    case end
  }

  enum Assertion {
    case textStart
    case textEnd
    case lineStart
    case lineEnd
    case wordBoundary
    case noWordBoundary
  }

  /// What one call of a method may cost, in moves of the machine: about a second.
  static let budget = 10_000_000

  let steps: [Step]

  /// Whether some way through the pattern takes all of the text.
  func matchesWhole(_ text: [Unicode.Scalar]) throws -> Bool {
    var budget = Self.budget
    return try run(text, from: 0, isWhole: true, &budget) != nil
  }

  /// The leftmost match, and of those the one that the pattern prefers.
  func firstMatch(
    in text: [Unicode.Scalar], from start: Int, _ budget: inout Int
  ) throws -> Range<Int>? {
    try run(text, from: start, isWhole: false, &budget)
  }

  private func run(
    _ text: [Unicode.Scalar], from start: Int, isWhole: Bool, _ budget: inout Int
  ) throws -> Range<Int>? {
    var threads = Threads(steps.count)
    var next = Threads(steps.count)
    var found: Range<Int>?
    // To make room for them costs too.
    budget -= steps.count / 8
    for position in start...text.count {
      if found == nil, position == start || !isWhole {
        follow(0, begun: position, text, position, &threads)
      }
      if threads.all.isEmpty, found != nil || isWhole { break }
      budget -= threads.all.count + 1
      if budget < 0 {
        throw EvaluationError("a regular expression that takes too long")
      }
      threads: for thread in threads.all {
        switch steps[thread.step] {
        case .test(let test):
          guard position < text.count, test.passes(text[position]) else { continue }
          follow(thread.step + 1, begun: thread.start, text, position + 1, &next)
        case .end:
          if isWhole && position < text.count { continue }
          found = thread.start..<position
          // The others are less preferred.
          break threads
        case .either, .jump, .assert: continue
        }
      }
      swap(&threads, &next)
      next.removeAll()
    }
    return found
  }

  /// Adds the steps that can be reached without a character, the preferred ones first.
  private func follow(
    _ step: Int, begun start: Int, _ text: [Unicode.Scalar], _ position: Int,
    _ threads: inout Threads
  ) {
    var pending = [step]
    while let step = pending.popLast() {
      guard threads.visit(step) else { continue }
      switch steps[step] {
      case .jump(let target): pending.append(target)
      case .either(let first, let second):
        pending.append(second)
        pending.append(first)
      case .assert(let assertion):
        if Self.holds(assertion, text, position) { pending.append(step + 1) }
      case .test, .end: threads.all.append(Thread(step: step, start: start))
      }
    }
  }

  private static func holds(
    _ assertion: Assertion, _ text: [Unicode.Scalar], _ position: Int
  ) -> Bool {
    func isWord(_ index: Int) -> Bool {
      guard text.indices.contains(index) else { return false }
      switch text[index] {
      case "a"..."z", "A"..."Z", "0"..."9", "_": return true
      default: return false
      }
    }
    switch assertion {
    case .textStart: return position == 0
    case .textEnd: return position == text.count
    case .lineStart: return position == 0 || text[position - 1] == "\n"
    case .lineEnd: return position == text.count || text[position] == "\n"
    case .wordBoundary: return isWord(position - 1) != isWord(position)
    case .noWordBoundary: return isWord(position - 1) == isWord(position)
    }
  }

  private struct Thread {
    let step: Int
    let start: Int
  }

  /// The ways that are followed at one position, each step once.
  private struct Threads {
    var all: [Thread] = []
    private var visited: [Int]
    private var round = 1

    init(_ count: Int) { visited = Array(repeating: 0, count: count) }

    mutating func visit(_ step: Int) -> Bool {
      guard visited[step] != round else { return false }
      visited[step] = round
      return true
    }

    mutating func removeAll() {
      all.removeAll(keepingCapacity: true)
      round += 1
    }
  }
}

/// What one character has to be.
enum ScalarTest {
  case literal(Unicode.Scalar)
  case anyCase(Unicode.Scalar)
  case any
  case notNewline
  /// A class, such as `\d` or `[a-z]`.
  case oneOf(CharacterClass)

  func passes(_ scalar: Unicode.Scalar) -> Bool {
    switch self {
    case .literal(let wanted): scalar == wanted
    case .anyCase(let wanted):
      scalar.properties.lowercaseMapping == wanted.properties.lowercaseMapping
        || scalar.properties.uppercaseMapping == wanted.properties.uppercaseMapping
    case .any: true
    case .notNewline: scalar != "\n"
    case .oneOf(let characters): characters.contains(scalar)
    }
  }
}

/// A class of characters as Swift's `Regex` understands it, asked once for each of them.
final class CharacterClass {
  private let regex: Regex<AnyRegexOutput>
  private var known: [Unicode.Scalar: Bool] = [:]

  init(_ pattern: String, ignoringCase: Bool) throws {
    regex = try RegexPattern.swiftRegex(pattern).ignoresCase(ignoringCase)
  }

  func contains(_ scalar: Unicode.Scalar) -> Bool {
    if let answer = known[scalar] { return answer }
    let answer = (try? regex.wholeMatch(in: String(Character(scalar)))) ?? nil != nil
    known[scalar] = answer
    return answer
  }
}

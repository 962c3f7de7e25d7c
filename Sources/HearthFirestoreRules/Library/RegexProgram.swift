/// A pattern as steps of a machine that follows all ways through it at once, so that its time grows
/// with the text and the pattern and not with the ways: https://swtch.com/~rsc/regexp/regexp2.html
struct RegexProgram {
  enum Step {
    case test(ScalarTest)
    /// Goes on at both; the first is preferred.
    case either(Int, Int)
    case jump(Int)
    case assert(Assertion)
    /// Keeps the position in this slot: where a group begins or ends.
    case save(Int)
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

  let steps: [Step]

  /// Whether some way through the pattern takes all of the text.
  func matchesWhole(_ text: [Unicode.Scalar], _ budget: RuleBudget) throws -> Bool {
    try run(text, from: 0, isWhole: true, groups: 0, budget) != nil
  }

  /// The leftmost match, and of those the one that the pattern prefers.
  func firstMatch(
    in text: [Unicode.Scalar], from start: Int, _ groups: Int, _ budget: RuleBudget
  ) throws -> RegexMatch? {
    try run(text, from: start, isWhole: false, groups: groups, budget)
  }

  private func run(
    _ text: [Unicode.Scalar], from start: Int, isWhole: Bool, groups: Int, _ budget: RuleBudget
  ) throws -> RegexMatch? {
    var threads = Threads(steps.count)
    var next = Threads(steps.count)
    var found: RegexMatch?
    let none = Array(repeating: -1, count: 2 * groups)
    // To make room for them costs too: `replace()` does it for each match.
    try budget.spend(16 + steps.count / 8)
    for position in start...text.count {
      if found == nil, position == start || !isWhole {
        follow(Thread(step: 0, start: position, captures: none), text, position, &threads)
      }
      if threads.all.isEmpty, found != nil || isWhole { break }
      // A thread that keeps groups copies them.
      try budget.spend(threads.visits * (1 + groups / 4) + 1)
      threads: for thread in threads.all {
        switch steps[thread.step] {
        case .test(let test):
          guard position < text.count, try test.passes(text[position], budget) else { continue }
          var moved = thread
          moved.step += 1
          follow(moved, text, position + 1, &next)
        case .end:
          if isWhole && position < text.count { continue }
          found = RegexMatch(range: thread.start..<position, captures: thread.captures)
          // The others are less preferred.
          break threads
        case .either, .jump, .assert, .save: continue
        }
      }
      swap(&threads, &next)
      next.removeAll()
    }
    return found
  }

  /// Adds the steps that can be reached without a character, the preferred ones first.
  private func follow(
    _ thread: Thread, _ text: [Unicode.Scalar], _ position: Int, _ threads: inout Threads
  ) {
    var pending = [thread]
    while var thread = pending.popLast() {
      guard threads.visit(thread.step) else { continue }
      let step = thread.step
      switch steps[step] {
      case .jump(let target):
        thread.step = target
        pending.append(thread)
      case .either(let first, let second):
        var other = thread
        other.step = second
        pending.append(other)
        thread.step = first
        pending.append(thread)
      case .assert(let assertion):
        thread.step += 1
        if Self.holds(assertion, text, position) { pending.append(thread) }
      case .save(let slot):
        thread.step += 1
        if slot < thread.captures.count { thread.captures[slot] = position }
        pending.append(thread)
      case .test, .end: threads.all.append(thread)
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
    var step: Int
    let start: Int
    var captures: [Int]
  }

  /// The ways that are followed at one position, each step once.
  private struct Threads {
    var all: [Thread] = []
    /// How many steps were looked at.
    private(set) var visits = 0
    private var visited: [Int]
    private var round = 1

    init(_ count: Int) { visited = Array(repeating: 0, count: count) }

    mutating func visit(_ step: Int) -> Bool {
      guard visited[step] != round else { return false }
      visited[step] = round
      visits += 1
      return true
    }

    mutating func removeAll() {
      all.removeAll(keepingCapacity: true)
      round += 1
      visits = 0
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

  func passes(_ scalar: Unicode.Scalar, _ budget: RuleBudget) throws -> Bool {
    switch self {
    case .literal(let wanted): scalar == wanted
    case .anyCase(let wanted):
      try scalar == wanted || Self.areSameLetter(scalar, wanted, budget)
    case .any: true
    case .notNewline: scalar != "\n"
    case .oneOf(let characters): try characters.contains(scalar, budget)
    }
  }

  private static func areSameLetter(
    _ one: Unicode.Scalar, _ other: Unicode.Scalar, _ budget: RuleBudget
  ) throws -> Bool {
    try budget.spend(4)
    return one.properties.lowercaseMapping == other.properties.lowercaseMapping
      || one.properties.uppercaseMapping == other.properties.uppercaseMapping
  }
}

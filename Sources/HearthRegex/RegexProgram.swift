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

  /// The leftmost match, and of those the one that the pattern prefers; or whether some way through
  /// the pattern takes all of the text.
  func run(
    _ text: [Unicode.Scalar], from start: Int, isWhole: Bool, groups: Int, work: inout RegexWork
  ) throws(RegexError) -> RegexMatch? {
    var threads = RegexThreads(steps.count, slots: 2 * groups)
    var next = RegexThreads(steps.count, slots: 2 * groups)
    var way = RegexWay(slots: 2 * groups)
    var found: RegexMatch?
    // To make room for them costs too: `replace()` does it for each match.
    try work.spend(16 + steps.count / 8)
    for position in start...text.count {
      if found == nil, position == start || !isWhole {
        way.begin(at: position)
        follow(0, text: text, position: position, way: &way, threads: &threads)
      }
      if threads.isEmpty, found != nil || isWhole { break }
      // A thread that keeps groups copies them.
      try work.spend(threads.visits * (1 + groups / 4) + 1)
      threads: for index in 0..<threads.count {
        let step = threads.step(index)
        switch steps[step] {
        case .test(let test):
          guard position < text.count, try test.passes(text[position], work: &work) else {
            continue
          }
          threads.copy(index, to: &way)
          follow(step + 1, text: text, position: position + 1, way: &way, threads: &next)
        case .end:
          if isWhole && position < text.count { continue }
          threads.copy(index, to: &way)
          found = RegexMatch(range: way.start..<position, captures: way.captures)
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
    _ first: Int, text: [Unicode.Scalar], position: Int, way: inout RegexWay,
    threads: inout RegexThreads
  ) {
    way.pending.append(.step(first))
    while let item = way.pending.popLast() {
      guard case .step(let step) = item else {
        if case .restore(let slot, let value) = item { way.captures[slot] = value }
        continue
      }
      guard threads.visit(step) else { continue }
      switch steps[step] {
      case .jump(let target): way.pending.append(.step(target))
      case .either(let preferred, let other):
        way.pending.append(.step(other))
        way.pending.append(.step(preferred))
      case .assert(let assertion):
        if Self.holds(assertion, text: text, position: position) {
          way.pending.append(.step(step + 1))
        }
      case .save(let slot):
        if slot < way.captures.count {
          // The ways that are pending now began before this group.
          way.pending.append(.restore(slot: slot, value: way.captures[slot]))
          way.captures[slot] = position
        }
        way.pending.append(.step(step + 1))
      case .test, .end: threads.append(step, way: way)
      }
    }
  }

  private static func holds(
    _ assertion: Assertion, text: [Unicode.Scalar], position: Int
  ) -> Bool {
    func isWord(_ index: Int) -> Bool { text.indices.contains(index) && text[index].isWord }
    switch assertion {
    case .textStart: return position == 0
    case .textEnd: return position == text.count
    case .lineStart: return position == 0 || text[position - 1] == "\n"
    case .lineEnd: return position == text.count || text[position] == "\n"
    case .wordBoundary: return isWord(position - 1) != isWord(position)
    case .noWordBoundary: return isWord(position - 1) == isWord(position)
    }
  }
}

/// The groups of a pattern, numbered from 1 by their opening parentheses.
struct RegexGroups {
  var count = 0
  var names: [String: Int] = [:]
}

/// A place in a text that a pattern matches.
struct RegexMatch {
  let range: Range<Int>
  /// Where each group begins and ends, from the first group on; -1 where it took no part.
  let captures: [Int]

  func group(_ number: Int) -> Range<Int>? {
    if number == 0 { return range }
    let (start, end) = (captures[2 * number - 2], captures[2 * number - 1])
    return start >= 0 && end >= start ? start..<end : nil
  }
}

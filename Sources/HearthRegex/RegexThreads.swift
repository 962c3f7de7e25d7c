/// The ways through a pattern that are followed at one position, each step once.
///
/// Where their groups are is in one array, so that a position of the text allocates nothing.
struct RegexThreads {
  /// How many steps were looked at.
  private(set) var visits = 0
  private var steps: [Int] = []
  private var starts: [Int] = []
  private var captures: [Int] = []
  private let slots: Int
  private var visited: [Int]
  private var round = 1

  init(_ count: Int, slots: Int) {
    self.slots = slots
    visited = Array(repeating: 0, count: count)
  }

  var count: Int { steps.count }
  var isEmpty: Bool { steps.isEmpty }
  func step(_ index: Int) -> Int { steps[index] }

  /// False for a step that was looked at before.
  mutating func visit(_ step: Int) -> Bool {
    guard visited[step] != round else { return false }
    visited[step] = round
    visits += 1
    return true
  }

  mutating func append(_ step: Int, way: RegexWay) {
    steps.append(step)
    starts.append(way.start)
    if slots > 0 { captures.append(contentsOf: way.captures) }
  }

  func copy(_ index: Int, to way: inout RegexWay) {
    way.start = starts[index]
    for slot in 0..<slots { way.captures[slot] = captures[index * slots + slot] }
  }

  mutating func removeAll() {
    steps.removeAll(keepingCapacity: true)
    starts.removeAll(keepingCapacity: true)
    captures.removeAll(keepingCapacity: true)
    round += 1
    visits = 0
  }
}

/// One way through a pattern, while its next steps are looked for.
struct RegexWay {
  enum Item {
    case step(Int)
    /// What a slot was before the steps above it.
    case restore(slot: Int, value: Int)
  }

  var start = 0
  var captures: [Int]
  var pending: [Item] = []

  init(slots: Int) { captures = Array(repeating: -1, count: slots) }

  mutating func begin(at position: Int) {
    start = position
    for slot in captures.indices { captures[slot] = -1 }
  }
}

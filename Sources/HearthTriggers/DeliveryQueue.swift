/// Which delivery is next. Those of one line come one after the other, in their order; lines take
/// turns. What waits has a bound in bytes.
package struct DeliveryQueue<Item: Sendable>: Sendable {
  private struct Waiting: Sendable {
    let item: Item
    let bytes: Int
  }

  private let mostBytes: Int
  private let mostAtOnce: Int
  /// Without those that are under way. A line that is empty is not here.
  private var lines: [String: Fifo<Waiting>] = [:]
  /// The lines whose next delivery can begin, first come first served.
  private var ready = Fifo<String>()
  private var busy: Set<String> = []
  /// Of what waits and of what is under way.
  package private(set) var bytes = 0

  package init(mostBytes: Int, mostAtOnce: Int) {
    self.mostBytes = mostBytes
    self.mostAtOnce = mostAtOnce
  }

  package var isEmpty: Bool { lines.isEmpty && busy.isEmpty }

  /// Adds a delivery at the end of its line.
  ///
  /// - Returns: false where there is no room: it is not added then.
  package mutating func add(_ item: Item, to line: String, bytes size: Int) -> Bool {
    guard bytes + size <= mostBytes else { return false }
    bytes += size
    if lines[line] == nil, !busy.contains(line) { ready.append(line) }
    lines[line, default: Fifo()].append(Waiting(item: item, bytes: size))
    return true
  }

  /// The next delivery, which is under way from then on; nil when there is none, or when as many as
  /// may be are under way.
  package mutating func next() -> (item: Item, line: String, bytes: Int)? {
    guard busy.count < mostAtOnce, let line = ready.popFirst(),
      let first = lines[line]?.popFirst()
    else { return nil }
    if lines[line]?.isEmpty == true { lines[line] = nil }
    busy.insert(line)
    return (first.item, line, first.bytes)
  }

  /// The delivery of that line has ended.
  package mutating func end(_ line: String, bytes size: Int) {
    bytes -= size
    busy.remove(line)
    if lines[line] != nil { ready.append(line) }
  }
}

/// First in, first out; taking the first does not move the others each time.
private struct Fifo<Element: Sendable>: Sendable {
  private var elements: [Element?] = []
  private var head = 0

  var isEmpty: Bool { head == elements.count }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func popFirst() -> Element? {
    guard head < elements.count else { return nil }
    let first = elements[head]
    elements[head] = nil
    head += 1
    if head == elements.count || head >= 64 && head * 2 >= elements.count {
      elements.removeFirst(head)
      head = 0
    }
    return first
  }
}

/// How long to wait before a delivery is tried again.
package enum Backoff {
  /// One second before the second try, four before the third, and so on up to a minute.
  package static func delay(afterTry number: Int) -> Duration {
    var seconds = 1
    for _ in 1..<max(1, number) where seconds < 60 { seconds *= 4 }
    return .seconds(min(seconds, 60))
  }
}

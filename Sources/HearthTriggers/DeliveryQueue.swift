/// Which delivery is next. Those of one line come one after the other, in their order; receivers,
/// and the lines of each, take turns.
///
/// A value without a clock or a task. Its owner guards it, calls ``next()`` until it gives nothing,
/// and ``end(_:bytes:)`` for each delivery that it has got. What waits and what is under way has a
/// bound in bytes; how many are under way has one for all, and one for each receiver.
package struct DeliveryQueue<Item: Sendable>: Sendable {
  private struct Waiting: Sendable {
    let item: Item
    let bytes: Int
  }

  /// Exists as long as something of it waits or is under way, so old names take no memory.
  private struct Receiver: Sendable {
    /// The lines whose next delivery can begin, first come first served.
    var ready = Fifo<String>()
    var underWay = 0
    /// Whether it is among those that take turns.
    var hasTurn = false
  }

  private let mostBytes: Int
  private let mostAtOnce: Int
  private let mostOfReceiver: Int
  /// Without those that are under way. A line that is empty is not here.
  private var lines: [String: Fifo<Waiting>] = [:]
  /// Those that have something to begin, or something under way.
  private var receivers: [String: Receiver] = [:]
  /// The receivers whose next delivery can begin.
  private var turns = Fifo<String>()
  /// The lines with a delivery under way, and whose they are.
  private var busy: [String: String] = [:]
  /// Bytes of what waits and of what is under way.
  package private(set) var bytes = 0

  /// `mostOfReceiver` is for each receiver; nil allows it all of `mostAtOnce`.
  package init(mostBytes: Int, mostAtOnce: Int, mostOfReceiver: Int? = nil) {
    self.mostBytes = mostBytes
    self.mostAtOnce = mostAtOnce
    self.mostOfReceiver = mostOfReceiver ?? mostAtOnce
  }

  /// Whether nothing waits and nothing is under way.
  package var isEmpty: Bool { lines.isEmpty && busy.isEmpty }

  /// Adds a delivery at the end of its line, which is always of the same receiver.
  ///
  /// - Returns: false if the queue is full: it is not added then.
  package mutating func add(
    _ item: Item, to line: String, of receiver: String = "", bytes size: Int
  ) -> Bool {
    guard bytes + size <= mostBytes else { return false }
    bytes += size
    // A line that waits already, or has a delivery under way, gets its turn when that has ended.
    if lines[line] == nil, busy[line] == nil {
      receivers[receiver, default: Receiver()].ready.append(line)
      giveTurn(to: receiver)
    }
    lines[line, default: Fifo()].append(Waiting(item: item, bytes: size))
    return true
  }

  /// The next delivery, which is under way from then on; nil when there is none, or when as many as
  /// may be are under way.
  package mutating func next() -> (item: Item, line: String, bytes: Int)? {
    guard busy.count < mostAtOnce, let receiver = turns.popFirst() else { return nil }
    receivers[receiver]?.hasTurn = false
    guard let line = receivers[receiver]?.ready.popFirst(), let first = lines[line]?.popFirst()
    else { return nil }
    if lines[line]?.isEmpty == true { lines[line] = nil }
    busy[line] = receiver
    receivers[receiver]?.underWay += 1
    giveTurn(to: receiver)
    return (first.item, line, first.bytes)
  }

  /// The delivery of that line has ended, well or not. The next one of the line may begin.
  package mutating func end(_ line: String, bytes size: Int) {
    bytes -= size
    guard let receiver = busy.removeValue(forKey: line) else { return }
    receivers[receiver]?.underWay -= 1
    if lines[line] != nil { receivers[receiver]?.ready.append(line) }
    giveTurn(to: receiver)
  }

  /// If it has none, and something can begin. One that is slow does not get the turns of the others.
  private mutating func giveTurn(to name: String) {
    guard let receiver = receivers[name], !receiver.hasTurn else { return }
    if receiver.ready.isEmpty {
      if receiver.underWay == 0 { receivers[name] = nil }
    } else if receiver.underWay < mostOfReceiver {
      receivers[name]?.hasTurn = true
      turns.append(name)
    }
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
    // The element is let go at once, and not when the array is moved.
    elements[head] = nil
    head += 1
    // Moved when half of it is empty, so that each element is moved once on average.
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

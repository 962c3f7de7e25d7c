/// Which delivery is next. Those of one line come one after the other, in their order; receivers,
/// and the lines of each, take turns.
///
/// A value without a clock or a task. Its owner guards it, calls ``next()`` until it gives nothing,
/// and ``end(_:)`` for each delivery that it has got. How many are under way has a bound for all,
/// and one for each receiver.
///
/// What waits and what is under way has bounds in bytes. A receiver that has filled its share loses
/// its oldest delivery. When all have filled the queue together, the project with the most loses,
/// and of it the receiver with the most. So a receiver that takes nothing costs the others nothing.
package struct DeliveryQueue<Item: Sendable>: Sendable {
  /// What ``next()`` gives.
  package struct Begun: Sendable {
    package let item: Item
    package let receiver: DeliveryReceiver
    package let line: String
    package let bytes: Int
  }

  fileprivate struct Waiting: Sendable {
    let item: Item
    let bytes: Int
    /// Of its receiver, in the order in which they came.
    let number: Int
  }

  /// Exists as long as something of it waits or is under way, or its turn has not come.
  fileprivate struct Line: Sendable {
    var waiting = Fifo<Waiting>()
    var isUnderWay = false
    /// Whether it is among the lines that can begin.
    var isReady = false
  }

  /// Exists as long as something of it waits or is under way, so old names take no memory.
  fileprivate struct Receiver: Sendable {
    var lines: [String: Line] = [:]
    /// The lines whose next delivery can begin, first come first served. One of them may have lost
    /// what it had.
    var ready = Fifo<String>()
    /// All that waits, the oldest first. Some of it may have begun by now.
    var order = Fifo<(line: String, number: Int)>()
    var lastNumber = 0
    var waiting = 0
    var waitingBytes = 0
    var underWay = 0
    var bytes = 0
    /// Whether it is among those that take turns.
    var hasTurn = false
    /// Deliveries that it has lost since it had room last.
    var lost = 0
    /// The bytes with which it lost the first of them.
    var bytesWhenFull = 0
  }

  private let mostBytes: Int
  private let mostBytesOfReceiver: Int
  private let mostAtOnce: Int
  private let mostOfReceiver: Int
  private var receivers: [DeliveryReceiver: Receiver] = [:]
  /// The receivers whose next delivery can begin.
  private var turns = Fifo<DeliveryReceiver>()
  private var underWay = 0
  /// Bytes of what waits and of what is under way.
  package private(set) var bytes = 0

  /// What is for each receiver is nil where it may have all.
  package init(
    mostBytes: Int, mostBytesOfReceiver: Int? = nil, mostAtOnce: Int, mostOfReceiver: Int? = nil
  ) {
    self.mostBytes = mostBytes
    self.mostBytesOfReceiver = mostBytesOfReceiver ?? mostBytes
    self.mostAtOnce = mostAtOnce
    self.mostOfReceiver = mostOfReceiver ?? mostAtOnce
  }

  /// Whether nothing waits and nothing is under way.
  package var isEmpty: Bool { receivers.isEmpty }

  /// The receivers that have lost deliveries since they had room last, and how many.
  package var losses: [(receiver: DeliveryReceiver, count: Int)] {
    receivers.filter { $0.value.lost > 0 }.map { ($0.key, $0.value.lost) }
  }

  /// Adds a delivery at the end of its line of a receiver.
  ///
  /// - Returns: the receivers that lose one now, and had lost none since they had room last.
  package mutating func add(
    _ item: Item, to line: String, of receiver: DeliveryReceiver, bytes size: Int
  ) -> [DeliveryReceiver] {
    var full: [DeliveryReceiver] = []
    while (receivers[receiver]?.bytes ?? 0) + size > mostBytesOfReceiver,
      dropOldest(of: receiver, &full)
    {}
    while bytes + size > mostBytes, let fullest, dropOldest(of: fullest, &full) {}
    guard bytes + size <= mostBytes,
      (receivers[receiver]?.bytes ?? 0) + size <= mostBytesOfReceiver
    else {
      // All that is there is under way. One that has nothing there would never end its loss.
      if receivers[receiver] != nil {
        countLoss(of: receiver, &full)
      } else {
        full.append(receiver)
      }
      return full
    }
    append(item, line: line, receiver: receiver, size: size)
    return full
  }

  private mutating func append(
    _ item: Item, line: String, receiver: DeliveryReceiver, size: Int
  ) {
    bytes += size
    var entry = receivers.removeValue(forKey: receiver) ?? Receiver()
    entry.lastNumber += 1
    entry.waiting += 1
    entry.waitingBytes += size
    entry.bytes += size
    entry.order.append((line, entry.lastNumber))
    entry.lines[line, default: Line()].waiting.append(
      Waiting(item: item, bytes: size, number: entry.lastNumber))
    // A line with a delivery under way gets its turn when that has ended.
    entry.makeReady(line)
    receivers[receiver] = entry
    giveTurn(to: receiver)
  }

  /// The next delivery, which is under way from then on; nil when there is none, or when as many as
  /// may be are under way.
  package mutating func next() -> Begun? {
    while underWay < mostAtOnce, let receiver = turns.popFirst() {
      receivers[receiver]?.hasTurn = false
      let first = receivers[receiver]?.begin()
      giveTurn(to: receiver)
      guard let (line, waiting) = first else { continue }
      underWay += 1
      return Begun(item: waiting.item, receiver: receiver, line: line, bytes: waiting.bytes)
    }
    return nil
  }

  /// The delivery has ended, well or not. The next one of its line may begin.
  ///
  /// - Returns: how many the receiver has lost, if it had lost some and has room again by now.
  package mutating func end(_ begun: Begun) -> Int? {
    underWay -= 1
    bytes -= begun.bytes
    receivers[begun.receiver]?.end(begun.line, bytes: begun.bytes)
    var lost: Int?
    if let entry = receivers[begun.receiver], entry.lost > 0,
      entry.bytes <= entry.bytesWhenFull / 2
    {
      lost = entry.lost
      receivers[begun.receiver]?.lost = 0
    }
    giveTurn(to: begun.receiver)
    return lost
  }

  /// Drops all that waits for a receiver, which gets nothing more. What is under way still has to
  /// end.
  ///
  /// - Returns: how many it had lost before, since it had room last.
  package mutating func remove(_ receiver: DeliveryReceiver) -> Int {
    guard let entry = receivers[receiver] else { return 0 }
    bytes -= entry.waitingBytes
    receivers[receiver]?.removeWaiting()
    giveTurn(to: receiver)
    return entry.lost
  }

  // MARK: Losing

  /// The receiver that loses when all of them have filled the queue; nil where nothing waits. It is
  /// only asked for then.
  private var fullest: DeliveryReceiver? {
    var projects: [String: Int] = [:]
    for (receiver, entry) in receivers {
      projects[receiver.project, default: 0] += entry.waitingBytes
    }
    guard let project = projects.max(by: { $0.value < $1.value }), project.value > 0 else {
      return nil
    }
    return receivers.filter { $0.key.project == project.key }
      .max { $0.value.waitingBytes < $1.value.waitingBytes }?.key
  }

  /// - Returns: false if nothing of it waits.
  private mutating func dropOldest(
    of receiver: DeliveryReceiver, _ full: inout [DeliveryReceiver]
  ) -> Bool {
    let before = receivers[receiver]?.bytes ?? 0
    guard let size = receivers[receiver]?.dropOldest() else { return false }
    bytes -= size
    countLoss(of: receiver, &full, bytes: before)
    return true
  }

  private mutating func countLoss(
    of receiver: DeliveryReceiver, _ full: inout [DeliveryReceiver], bytes: Int? = nil
  ) {
    guard let entry = receivers[receiver] else { return }
    if entry.lost == 0 {
      receivers[receiver]?.bytesWhenFull = bytes ?? entry.bytes
      full.append(receiver)
    }
    receivers[receiver]?.lost += 1
  }

  /// If it has none, and something can begin. One that is slow does not get the turns of the others.
  private mutating func giveTurn(to name: DeliveryReceiver) {
    guard let receiver = receivers[name], !receiver.hasTurn else { return }
    if receiver.ready.isEmpty {
      if receiver.underWay == 0, receiver.waiting == 0 { receivers[name] = nil }
    } else if receiver.underWay < mostOfReceiver {
      receivers[name]?.hasTurn = true
      turns.append(name)
    }
  }
}

extension DeliveryQueue.Receiver {
  /// If it has something, nothing of it is under way, and its turn is not coming already.
  fileprivate mutating func makeReady(_ line: String) {
    guard let entry = lines[line], !entry.isReady, !entry.isUnderWay, !entry.waiting.isEmpty
    else { return }
    lines[line]?.isReady = true
    ready.append(line)
  }

  /// The first of the line that is next; nil where none can begin.
  fileprivate mutating func begin() -> (line: String, DeliveryQueue.Waiting)? {
    while let line = ready.popFirst() {
      lines[line]?.isReady = false
      guard let first = lines[line]?.waiting.popFirst() else {
        lines[line] = nil
        continue
      }
      lines[line]?.isUnderWay = true
      underWay += 1
      forget(first)
      tidyOrder()
      return (line, first)
    }
    return nil
  }

  fileprivate mutating func end(_ line: String, bytes size: Int) {
    underWay -= 1
    bytes -= size
    lines[line]?.isUnderWay = false
    if lines[line]?.waiting.isEmpty == true { lines[line] = nil } else { makeReady(line) }
  }

  /// - Returns: its bytes; nil where nothing waits.
  fileprivate mutating func dropOldest() -> Int? {
    while let (line, number) = order.popFirst() {
      // What has begun is not in its line any more.
      guard lines[line]?.waiting.first?.number == number,
        let first = lines[line]?.waiting.popFirst()
      else { continue }
      forget(first)
      bytes -= first.bytes
      // A line that is ready is let go when its turn comes.
      if let entry = lines[line], entry.waiting.isEmpty, !entry.isUnderWay, !entry.isReady {
        lines[line] = nil
      }
      return first.bytes
    }
    return nil
  }

  fileprivate mutating func removeWaiting() {
    bytes -= waitingBytes
    waiting = 0
    waitingBytes = 0
    lost = 0
    order = Fifo()
    ready = Fifo()
    lines = lines.filter(\.value.isUnderWay).mapValues { _ in DeliveryQueue.Line(isUnderWay: true) }
  }

  private mutating func forget(_ item: DeliveryQueue.Waiting) {
    waiting -= 1
    waitingBytes -= item.bytes
  }

  /// Keeps the list of what waits about as long as that, also where one line never ends.
  private mutating func tidyOrder() {
    guard order.count > 2 * waiting + 64 else { return }
    let lines = lines
    order.keep { (lines[$0.line]?.waiting.first?.number ?? .max) <= $0.number }
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

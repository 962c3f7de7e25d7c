/// The latest commits of one database, in order. It has no lock: it is a part of the state of
/// ``CommitLog``, which decides how much of it stays.
///
/// A place is a number that counts the commits of the database, and stays valid when earlier ones
/// are dropped.
struct DatabaseHistory {
  struct Entry: Sendable {
    let time: Int64
    /// The machine's time at which it came in, in microseconds.
    let arrival: Int64
    fileprivate(set) var effects: [LoggedEffect]
    fileprivate(set) var bytes: Int
  }

  /// The newest commits stay decoded up to about so many bytes: listeners read them next.
  private static let freshBytes = 1 << 20
  private static let freshChanges = 1000
  /// What was before a restore is kept for this many of them, up to about so many bytes: tests may
  /// restore a thousand times.
  private static let mostSealed = 4
  private static let sealedBytes = 8 << 20

  /// The commits until the documents became those of a snapshot. By the machine's time, in
  /// microseconds: nothing between the two is missing.
  private struct Sealed: Sendable {
    let entries: [Entry]
    let bytes: Int
    let since: Int64
    let until: Int64
  }

  /// Those before `head` are dropped, and leave the array from time to time.
  private var entries: [Entry] = []
  private var head = 0
  /// The place of the first entry of the array among all commits of the database.
  private var base = 0
  /// The first entry that is not packed.
  private var firstFresh = 0
  /// What is not packed: its bytes and its changes.
  private var fresh = (bytes: 0, changes: 0)
  private(set) var bytes = 0
  private(set) var changes = 0
  /// How often the documents have become those of a snapshot.
  private(set) var restores = 0
  /// The time of the newest commit that is not here any more.
  private(set) var forgotten: Int64?
  /// The same, of those that were dropped one by one.
  private(set) var cut: Int64?
  /// The time of the newest commit that was forgotten otherwise. Nothing of the documents tells what
  /// they were before: those of a snapshot keep the times that they had.
  private(set) var floor: Int64?
  private var sealed: [Sealed] = []
  /// The machine's time of the newest commit that is not among the entries, or of the newest restore.
  private var since: Int64 = 0

  init(forgotten: Int64? = nil) {
    self.forgotten = forgotten
    floor = forgotten
  }

  /// The place after the newest commit.
  var end: Int { base + entries.count }
  var count: Int { entries.count - head }
  var oldestArrival: Int64? { count > 0 ? entries[head].arrival : nil }

  mutating func append(time: Int64, arrival: Int64, _ effects: [LoggedEffect], bytes size: Int) {
    entries.append(Entry(time: time, arrival: arrival, effects: effects, bytes: size))
    bytes += size
    changes += effects.count
    fresh.bytes += size
    fresh.changes += effects.count
    while fresh.bytes > Self.freshBytes || fresh.changes > Self.freshChanges,
      firstFresh < entries.count - 1
    {
      pack(firstFresh)
      firstFresh += 1
    }
  }

  private mutating func pack(_ index: Int) {
    let before = entries[index].bytes
    fresh.bytes -= before
    fresh.changes -= entries[index].effects.count
    for effect in entries[index].effects.indices { entries[index].effects[effect].pack() }
    entries[index].bytes = entries[index].effects.reduce(0) { $0 + $1.bytes }
    bytes += entries[index].bytes - before
  }

  mutating func dropFirst() {
    guard count > 0 else { return }
    let entry = entries[head]
    forgotten = entry.time
    cut = entry.time
    since = entry.arrival
    bytes -= entry.bytes
    changes -= entry.effects.count
    if head >= firstFresh {
      fresh.bytes -= entry.bytes
      fresh.changes -= entry.effects.count
      firstFresh = head + 1
    }
    // Frees the documents at once.
    entries[head].effects = []
    head += 1
    // Not each time: the others move up.
    guard head == entries.count || head >= 1024 && head * 2 >= entries.count else { return }
    entries.removeFirst(head)
    base += head
    firstFresh -= head
    head = 0
  }

  /// Forgets everything until that time; `arrival` is the same moment by the machine's clock. Every
  /// reader has missed something then. At a restore, what was before it is kept for rewinding.
  mutating func dropAll(until time: Int64, arrival: Int64, isRestore: Bool = false) {
    if isRestore {
      restores += 1
      seal(until: arrival)
    } else {
      sealed = []
    }
    since = arrival
    // One more than there were, so that a reader at the very end notices too.
    base += entries.count + 1
    entries = []
    (head, firstFresh, changes) = (0, 0, 0)
    bytes = sealed.reduce(0) { $0 + $1.bytes }
    fresh = (0, 0)
    forgotten = time
    floor = time
    cut = nil
  }

  private mutating func seal(until arrival: Int64) {
    let size = bytes - sealed.reduce(0) { $0 + $1.bytes }
    sealed.append(
      Sealed(entries: Array(entries[head...]), bytes: size, since: since, until: arrival))
    while sealed.count > Self.mostSealed
      || sealed.reduce(0, { $0 + $1.bytes }) > Self.sealedBytes
    {
      sealed.removeFirst()
    }
  }

  /// Forgets what is kept of the time before restores, up to a time of the machine.
  mutating func dropSealed(until arrival: Int64 = .max) {
    guard sealed.first.map({ $0.until <= arrival }) == true else { return }
    bytes -= sealed.prefix { $0.until <= arrival }.reduce(0) { $0 + $1.bytes }
    sealed.removeAll { $0.until <= arrival }
  }

  /// The commits after a moment of the machine, up to the next restore. `end` is nil for now.
  ///
  /// - Returns: nil when some of them are forgotten, or there was a restore between the two.
  func entries(afterMoment moment: Int64, until end: Int64?) -> ArraySlice<Entry>? {
    let known: ArraySlice<Entry>
    if moment >= since {
      known = entries[head...]
    } else if let end,
      let part = sealed.last(where: { $0.since <= moment && end <= $0.until })
    {
      known = part.entries[...]
    } else {
      return nil
    }
    return known[(known.firstIndex { $0.arrival > moment } ?? known.endIndex)...]
  }

  /// The commits from a place on; nil when some of them are forgotten.
  func entries(from place: Int) -> ArraySlice<Entry>? {
    guard place >= base + head else { return nil }
    return entries[(place - base)...]
  }

  /// The commits after a time. Times only go up, so the first one is found by halving.
  func entries(after time: Int64) -> ArraySlice<Entry> {
    var (low, high) = (head, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].time > time { high = middle } else { low = middle + 1 }
    }
    return entries[low...]
  }

  func place(of index: Int) -> Int { base + index }
}

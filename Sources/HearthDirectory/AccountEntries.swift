import HearthIdentityToolkit

/// What accounts are searched, filtered and sorted by, in little memory: about 130 bytes each.
///
/// The texts of all accounts follow each other in one buffer, so that one search of the C library goes
/// through all of them. An account that changes moves to the end.
struct AccountEntries: Sendable {
  struct Flags: OptionSet, Sendable {
    let rawValue: UInt8
    static let isLive = Flags(rawValue: 1)
    static let isDisabled = Flags(rawValue: 2)
    static let isVerified = Flags(rawValue: 4)
    static let hasPhoneFactor = Flags(rawValue: 8)
    static let hasTotpFactor = Flags(rawValue: 16)
    static let isCustom = Flags(rawValue: 32)
  }

  struct Entry: Sendable {
    let row: Int64
    let createdAt: Int64
    let lastLoginAt: Int64
    /// A bit for each provider, by its number.
    let providers: UInt64
    let start: Int
    let owner: UInt32
    let idCount: UInt16
    let emailCount: UInt16
    var flags: Flags
  }

  /// Project and tenant of an account.
  struct Owner: Sendable, Hashable {
    let project: String
    let tenant: String
  }

  private(set) var entries: [Entry] = []
  private(set) var owners: [Owner] = []
  private var ownerNumbers: [Owner: UInt32] = [:]
  private var providerNumbers: [String: UInt64] = [:]
  private var text: [UInt8] = []
  /// The first entries are in the order of their rows; where the others are.
  private var sortedCount = 0
  private var moved: [Int64: Int] = [:]
  private var deadCount = 0

  /// About what it takes in memory.
  var bytes: Int { entries.count * MemoryLayout<Entry>.stride + text.count + moved.count * 32 }

  /// Most of the entries are of accounts that have changed since.
  var isMostlyDead: Bool { deadCount > 1000 && deadCount > entries.count / 2 }

  var lastRow: Int64 { entries.last?.row ?? 0 }

  // MARK: Changes

  mutating func put(_ facts: AccountFacts, row: Int64, of owner: Owner) {
    remove(row: row)
    if sortedCount == entries.count, row > lastRow {
      sortedCount += 1
    } else {
      moved[row] = entries.count
    }
    entries.append(
      Entry(
        row: row, createdAt: facts.createdAt, lastLoginAt: facts.lastLoginAt,
        providers: facts.providers.reduce(0) { $0 | bit(ofProvider: $1) }, start: text.count,
        owner: number(of: owner), idCount: UInt16(clamping: facts.id.count),
        emailCount: UInt16(clamping: facts.email.count), flags: facts.flags.union(.isLive)))
    for part in [facts.id, facts.email, facts.phone, facts.name] {
      text += part
      text.append(0)
    }
  }

  mutating func remove(row: Int64) {
    guard let index = index(of: row) else { return }
    entries[index].flags.remove(.isLive)
    moved[row] = nil
    deadCount += 1
  }

  private func index(of row: Int64) -> Int? {
    if let index = moved[row] { return index }
    var range = 0..<sortedCount
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      if entries[middle].row == row {
        return entries[middle].flags.contains(.isLive) ? middle : nil
      }
      range = entries[middle].row < row ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return nil
  }

  private mutating func number(of owner: Owner) -> UInt32 {
    if let known = ownerNumbers[owner] { return known }
    let number = UInt32(owners.count)
    owners.append(owner)
    ownerNumbers[owner] = number
    return number
  }

  /// Providers beyond the sixty-third share the last bit.
  private mutating func bit(ofProvider id: String) -> UInt64 {
    if let known = providerNumbers[id] { return known }
    let bit: UInt64 = 1 << min(63, providerNumbers.count)
    providerNumbers[id] = bit
    return bit
  }

  /// Zero where no account has it.
  func bit(ofKnownProvider id: String) -> UInt64 { providerNumbers[id] ?? 0 }

  // MARK: Looking

  /// Calls the body with what puts entries in order.
  func withRanking<Value>(
    _ page: AccountPage, body: (AccountRanking) -> Value
  ) -> Value {
    entries.withUnsafeBufferPointer { entries in
      text.withUnsafeBytes { body(AccountRanking(entries: entries, text: $0, page)) }
    }
  }

  /// Calls the closure with the index of each entry that has the text, in their order; without a text
  /// with all, the latest first.
  @inline(__always)
  func search(_ sought: [UInt8], found: (Int) -> Void) {
    guard !sought.isEmpty else {
      var index = entries.count
      while index > 0 {
        index -= 1
        found(index)
      }
      return
    }
    text.withUnsafeBytes { bytes in
      let search = ByteSearch(sought, in: bytes)
      var position = 0
      var index = 0
      while let match = search.next(from: position) {
        index = self.index(at: match, from: index)
        found(index)
        index += 1
        guard index < entries.count else { return }
        position = entries[index].start
      }
    }
  }

  /// The entry whose text is at that offset; it is not before the given one.
  private func index(at offset: Int, from first: Int) -> Int {
    // Matches often follow each other closely.
    var step = 1
    var low = first
    while low + step < entries.count, entries[low + step].start <= offset {
      low += step
      step *= 2
    }
    var high = min(low + step, entries.count)
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if entries[middle].start <= offset { low = middle } else { high = middle }
    }
    return low
  }
}

import HearthIdentityToolkit

/// Pages of accounts in any order.
extension AccountEntries {
  package func find(
    _ filter: AccountFilter, page: AccountPage, in project: String, tenant: String?
  ) -> AccountDirectory.Result {
    let wanted = page.offset.addingReportingOverflow(page.limit + 1)
    return withRanking(page) { ranking in
      var best = Best(ranking, most: wanted.overflow ? Int.max / 8 : wanted.partialValue)
      var count = 0
      each(filter, in: project, tenant: tenant) { index in
        count += 1
        if let place = page.after, !ranking.isBehind(index, place: place) { return }
        best.add(index)
      }
      let sorted = best.sorted()
      let shown = sorted.dropFirst(page.offset).prefix(page.limit)
      let isLast = sorted.count - page.limit <= page.offset
      return AccountDirectory.Result(
        count: count, rows: shown.map { entries[$0].row },
        next: isLast ? nil : shown.last.map { page.token(of: ranking.place(of: $0)) })
    }
  }

  package func rows(_ filter: AccountFilter, in project: String, tenant: String?) -> [Int64] {
    var rows: [Int64] = []
    each(filter, in: project, tenant: tenant) { rows.append(entries[$0].row) }
    return rows
  }

  /// Nil for the accounts of all tenants.
  @inline(__always)
  private func each(
    _ filter: AccountFilter, in project: String, tenant: String?, body: (Int) -> Void
  ) {
    let isOwner = owners.map { owner in
      owner.project == project && (tenant == nil || owner.tenant == tenant)
    }
    let test = AccountTest(filter, in: self)
    entries.withUnsafeBufferPointer { entries in
      search(filter.text) { index in
        guard isOwner[Int(entries[index].owner)],
          test.accepts(entries[index].flags, providers: entries[index].providers)
        else { return }
        body(index)
      }
    }
  }
}

/// The order of entries by their indices. It borrows their memory: copies of a million entries would
/// take most of the time.
struct AccountRanking {
  private let entries: UnsafeBufferPointer<AccountEntries.Entry>
  private let text: UnsafeRawBufferPointer
  private let key: AccountPage.Key
  private let isDescending: Bool

  init(
    entries: UnsafeBufferPointer<AccountEntries.Entry>, text: UnsafeRawBufferPointer,
    _ page: AccountPage
  ) {
    self.entries = entries
    self.text = text
    key = page.key
    isDescending = page.isDescending
  }

  @inline(__always)
  func precedes(_ left: Int, _ right: Int) -> Bool {
    let (one, other) = isDescending ? (right, left) : (left, right)
    if key.isText {
      let order = Self.compare(bytes(one), bytes(other))
      return order == 0 ? entries[one].row < entries[other].row : order < 0
    }
    let (first, second) = (number(one), number(other))
    return first == second ? entries[one].row < entries[other].row : first < second
  }

  /// Whether an entry comes after the last one of the page before.
  func isBehind(_ index: Int, place: AccountPage.Place) -> Bool {
    var order: Int
    if key.isText {
      order = place.text.withUnsafeBytes { Self.compare(bytes(index), $0) }
    } else {
      let number = number(index)
      order = number == place.number ? 0 : number < place.number ? -1 : 1
    }
    let row = entries[index].row
    if order == 0 { order = row == place.row ? 0 : row < place.row ? -1 : 1 }
    return isDescending ? order < 0 : order > 0
  }

  func place(of index: Int) -> AccountPage.Place {
    AccountPage.Place(
      number: key.isText ? 0 : number(index), text: key.isText ? Array(bytes(index)) : [],
      row: entries[index].row)
  }

  private func number(_ index: Int) -> Int64 {
    key == .created ? entries[index].createdAt : entries[index].lastLoginAt
  }

  /// The address or the uid as it is compared.
  private func bytes(_ index: Int) -> UnsafeRawBufferPointer {
    let entry = entries[index]
    let start = key == .email ? entry.start + Int(entry.idCount) + 1 : entry.start
    let count = key == .email ? entry.emailCount : entry.idCount
    return UnsafeRawBufferPointer(rebasing: text[start..<start + Int(count)])
  }

  private static func compare(
    _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
  ) -> Int {
    for index in 0..<min(left.count, right.count) where left[index] != right[index] {
      return left[index] < right[index] ? -1 : 1
    }
    return left.count - right.count
  }
}

/// The first of very many in an order, without sorting all of them.
private struct Best {
  private let ranking: AccountRanking
  private let most: Int
  private var kept: [Int] = []
  /// The worst of those that count, once there are enough.
  private var last = -1

  init(_ ranking: AccountRanking, most: Int) {
    self.ranking = ranking
    self.most = most
  }

  @inline(__always)
  mutating func add(_ index: Int) {
    if last >= 0, !ranking.precedes(index, last) { return }
    kept.append(index)
    if kept.count / 4 >= max(most, 256) { cut() }
  }

  private mutating func cut() {
    kept.sort { ranking.precedes($0, $1) }
    guard kept.count >= most else { return }
    kept.removeLast(kept.count - most)
    last = kept[most - 1]
  }

  func sorted() -> [Int] {
    var copy = self
    copy.cut()
    return copy.kept
  }
}

import CHearthSQLite

#if canImport(Glibc)
  import Glibc
#endif

/// Gives memory of a database in memory back to the system where it stays: what lies after the end
/// of the file, and its free pages.
///
/// SQLite reads nothing of most of its free pages: it only knows their numbers, and writes a page as
/// a whole when it takes it up again. Until then the system may have the memory; it reads as zeros
/// afterwards. No page is moved, so it takes no time. It is called with the store locked and outside
/// of a transaction.
enum FreePages {
  /// Releases what was the end of the file: it is shorter now, but the piece of memory that it lies
  /// in is not.
  static func release(
    behindEndOf connection: Connection, until before: Int64
  ) throws(DatabaseError) {
    guard let file = try File(connection), file.size < before else { return }
    file.release(file.size..<Int(before))
  }

  /// Releases all free pages but those in which SQLite lists the others.
  static func release(of connection: Connection) throws(DatabaseError) {
    guard let file = try File(connection) else { return }
    let pageSize = Int(try connection.number("PRAGMA page_size"))
    // The file format, section 1.5: each page of the list has the number of the next one, how many
    // follow, and the numbers of free pages. Numbers have four bytes, and begin with 1.
    var free: [Int] = []
    var list = file.number(at: 32)
    var listed = 0
    while list > 0, listed <= file.size / pageSize {
      listed += 1
      let start = (list - 1) * pageSize
      guard start + pageSize <= file.size else { return }
      let count = min(file.number(at: start + 4), pageSize / 4 - 2)
      for index in 0..<count { free.append(file.number(at: start + 8 + 4 * index) - 1) }
      list = file.number(at: start)
    }
    free.sort()
    var rest = free[...]
    while let first = rest.first {
      // Neighbours together: pages of the system begin somewhere within those of the file.
      let run = zip(rest, first...).prefix { $0 == $1 }.count
      let end = (first + run) * pageSize
      guard first >= 1, end <= file.size else { return }
      file.release(first * pageSize..<end)
      rest.removeFirst(run)
    }
  }

  /// How many bytes of the file are in the machine's memory.
  static func resident(in connection: Connection) throws(DatabaseError) -> Int {
    try File(connection)?.resident ?? 0
  }

  /// The file where SQLite has it in memory.
  private struct File {
    let start: UnsafeMutablePointer<UInt8>
    let size: Int

    /// Nil where the database is not such a file.
    init?(_ connection: Connection) throws(DatabaseError) {
      var size: Int64 = 0
      let start = sqlite3_serialize(
        try connection.open(), "main", &size, UInt32(SQLITE_SERIALIZE_NOCOPY))
      guard let start, size >= 100 else { return nil }
      self.start = start
      self.size = Int(size)
    }

    /// Big-endian.
    func number(at offset: Int) -> Int {
      (0..<4).reduce(0) { $0 << 8 | Int(start[offset + $1]) }
    }

    func release(_ range: Range<Int>) {
      #if canImport(Glibc)
        let (unused, _) = pages(within: range)
        if let start = unused.baseAddress { madvise(start, unused.count, MADV_DONTNEED) }
      #endif
    }

    var resident: Int {
      #if canImport(Glibc)
        let (memory, pageSize) = pages(within: 0..<size)
        var isResident = [UInt8](repeating: 0, count: memory.count / pageSize)
        guard let start = memory.baseAddress, mincore(start, memory.count, &isResident) == 0 else {
          return 0
        }
        return isResident.count { $0 & 1 == 1 } * pageSize
      #else
        return size
      #endif
    }

    #if canImport(Glibc)
      /// The system's pages that lie wholly within these bytes of the file.
      private func pages(
        within range: Range<Int>
      ) -> (memory: UnsafeMutableRawBufferPointer, pageSize: Int) {
        let pageSize = sysconf(Int32(_SC_PAGESIZE))
        let address = Int(bitPattern: start)
        let first = (address + range.lowerBound + pageSize - 1) / pageSize * pageSize - address
        let end = (address + range.upperBound) / pageSize * pageSize - address
        guard end > first else {
          return (UnsafeMutableRawBufferPointer(start: nil, count: 0), pageSize)
        }
        return (UnsafeMutableRawBufferPointer(start: start + first, count: end - first), pageSize)
      }
    #endif
  }
}

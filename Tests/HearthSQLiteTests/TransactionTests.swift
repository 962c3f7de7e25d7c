import HearthErrors
import HearthOperations
import HearthSQLite
import HearthTestSupport
import Synchronization
import Testing

@Suite struct `A transaction` {
  private let store: Store

  init() throws { store = try Store() }

  @Test func `that returns is committed`() throws {
    try store.inProject("one") { project throws(APIError) in try project.leaveTrace() }
    #expect(try store.projects == ["one"])
  }

  @Test func `in memory is no other store's`() throws {
    try store.inProject("one") { project throws(APIError) in try project.leaveTrace() }
    #expect(try Store().projects == [])
  }

  @Test func `that refuses is rolled back`() throws {
    #expect(throws: refusal) {
      try store.inProject("one") { project throws(APIError) in
        try project.leaveTrace()
        throw refusal
      }
    }
    #expect(try store.projects == [])
  }

  /// More than SQLite's cache holds, so that pages have been written before the refusal.
  @Test func `that refuses is rolled back however much it wrote`() throws {
    let store = store
    try store.inProject("one") { project throws(APIError) in try project.leaveTrace() }
    let sizes = try store.transaction { transaction throws(APIError) in
      try transaction.fill("kept", rows: 2_000)
      return try transaction.sizes()
    }
    #expect(throws: refusal) {
      try store.transaction { transaction throws(APIError) in
        try transaction.fill("kept", rows: 1_000)
        try? transaction.nested { () throws(APIError) in
          try transaction.fill("inner", rows: 4_000)
          throw refusal
        }
        try transaction.fill("outer", rows: 2_000)
        throw refusal
      }
    }
    #expect(try store.projects == ["kept", "one"])
    #expect(
      try store.transaction { transaction throws(APIError) in try transaction.sizes() } == sizes)
  }

  @Test func `whose refusal keeps what it wrote is committed, and refuses`() throws {
    #expect(throws: refusal.keepingWrites) {
      try store.inProject("one") { project throws(APIError) in
        try project.leaveTrace()
        throw refusal.keepingWrites
      }
    }
    #expect(try store.projects == ["one"])
  }

  @Test func `goes on after a part of it was refused and undone`() throws {
    let store = store
    try store.transaction { transaction throws(APIError) in
      try transaction.leaveTrace("before")
      do throws(APIError) {
        try transaction.nested { () throws(APIError) in
          try transaction.leaveTrace("inside")
          throw refusal
        }
      } catch {
        #expect(error == refusal)
      }
      try transaction.nested { () throws(APIError) in try transaction.leaveTrace("kept") }
      try transaction.leaveTrace("after")
    }
    #expect(try store.projects == ["after", "before", "kept"])
  }

  /// The outer part decides about the inner one.
  @Test func `undoes the parts of a part that is refused`() throws {
    let store = store
    try store.transaction { transaction throws(APIError) in
      do throws(APIError) {
        try transaction.nested { () throws(APIError) in
          try transaction.nested { () throws(APIError) in try transaction.leaveTrace("inner") }
          throw refusal
        }
      } catch {
        #expect(error == refusal)
      }
    }
    #expect(try store.projects == [])
  }

  @Test func `tells of its commit in the order of commits`() async throws {
    let store = store
    let told = Told()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<25 {
            _ = try? store.transaction { transaction throws(APIError) in
              let count = try ProjectSettings.projectIds(in: transaction).count
              try transaction.leaveTrace("p\(count)")
              return count
            } committed: { count in
              told.counts.withLock { $0.append(count) }
            }
          }
        }
      }
    }
    #expect(told.counts.withLock { $0 } == Array(0..<200))
  }

  @Test func `that refuses tells nobody of a commit`() throws {
    let wasTold = Mutex(false)
    #expect(throws: refusal) {
      try store.transaction { _ throws(APIError) in
        throw refusal
      } committed: { () in
        wasTold.withLock { $0 = true }
      }
    }
    #expect(!wasTold.withLock { $0 })
  }

  @Test func `that has no room refuses, and the next one works`() throws {
    let store = store
    try store.transaction { transaction throws(APIError) in
      try transaction.execute("PRAGMA max_page_count = 500")
    }
    let error = #expect(throws: APIError.self) {
      try store.transaction { transaction throws(APIError) in
        try transaction.fill("one", rows: 1_000)
      }
    }
    #expect(error?.message.contains("The data store is full.") == true)
    try store.transaction { transaction throws(APIError) in try transaction.fill("two", rows: 100) }
    #expect(try store.projects == ["two"])
  }

  @Test func `that asks for nonsense refuses, and the next one works`() throws {
    let store = store
    let error = #expect(throws: APIError.self) {
      try store.transaction { transaction throws(APIError) in
        try transaction.leaveTrace("one")
        try transaction.execute("INSERT INTO nowhere VALUES (1)")
      }
    }
    #expect(error?.code == .internalError)
    #expect(try store.projects == [])
  }
}

/// What was told of commits, in the order in which it was told.
private final class Told: Sendable {
  let counts = Mutex<[Int]>([])
}

extension Transaction {
  fileprivate func leaveTrace(_ project: String) throws(APIError) {
    try execute(
      "INSERT INTO projects (project, config, switches) VALUES (?, '{}', '{}')",
      arguments: [project])
  }
}

extension Transaction {
  /// Leaves notes of two kilobytes each, at the end and, by another index, anywhere.
  fileprivate func fill(_ project: String, rows: Int) throws(APIError) {
    try execute(
      "INSERT OR IGNORE INTO projects (project, config, switches) VALUES (?, '{}', '{}')",
      arguments: [project])
    for row in 0..<rows {
      try execute(
        "INSERT INTO notes (key, body) VALUES (?, ?)",
        arguments: [String(row * 7919 % 10_007), String(repeating: "x", count: 2_000)])
    }
  }

  /// How many notes there are, with and without the help of an index.
  fileprivate func sizes() throws(APIError) -> [Int] {
    [
      try count("SELECT count(*) FROM notes NOT INDEXED"),
      try count("SELECT count(*) FROM notes INDEXED BY notes_by_key"),
      try count("SELECT count(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'"),
    ]
  }
}

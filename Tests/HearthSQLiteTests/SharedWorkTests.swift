import HearthErrors
import HearthOperations
import HearthSQLite
import HearthTestSupport
import Synchronization
import Testing

@Suite struct `Work that shares a transaction` {
  private let store: Store
  private let told = Told()

  private let server = ServerFacts()

  init() throws { store = try Store() }

  /// Saves a project of that name, with those found before it as its configuration.
  private func leaving(_ name: String, ending: Ending = .kept) -> SharedWork {
    SharedWork { [told] transaction in
      told.add("try \(name)")
      let result = Result { () throws(APIError) in
        if case .refusedAtOnce = ending { throw refusal }
        if case .failedAtOnce = ending { try transaction.execute("SELECT * FROM nowhere") }
        let before = try ProjectSettings.projectIds(in: transaction).joined(separator: ",")
        try transaction.execute(
          "INSERT INTO projects (project, config, switches) VALUES (?, ?, '{}')",
          arguments: [name, before])
        switch ending {
        case .kept, .refusedAtOnce, .failedAtOnce: break
        case .refused: throw refusal
        case .refusedAndKept: throw refusal.keepingWrites
        case .failed(let sql): try transaction.execute(sql)
        }
      }
      return SharedWork.Attempt(result) {
        switch result {
        case .success: told.add("end \(name)")
        case .failure: told.add("refuse \(name)")
        }
      }
    } failing: { [told] error in
      told.add("fail \(name)")
    }
  }

  private enum Ending {
    case kept
    case refusedAtOnce
    case refused
    case refusedAndKept
    case failedAtOnce
    /// By the database, at this statement.
    case failed(String)
  }

  @Test func `is concluded in its order, when all of it is done`() throws {
    store.run([leaving("a"), leaving("b"), leaving("c")])
    #expect(told.all == ["try a", "try b", "try c", "end a", "end b", "end c"])
    #expect(try store.configurations == ["a": "", "b": "a", "c": "a,b"])
  }

  @Test func `alone has a transaction of its own`() throws {
    store.run([leaving("a", ending: .refused)])
    store.run([leaving("b")])
    store.run([])
    #expect(told.all == ["try a", "refuse a", "try b", "end b"])
    #expect(try store.configurations == ["b": ""])
  }

  @Test func `is not done again for one that refuses before it has written`() throws {
    store.run([leaving("a"), leaving("b", ending: .refusedAtOnce), leaving("c")])
    #expect(told.all == ["try a", "try b", "try c", "end a", "refuse b", "end c"])
    #expect(try store.configurations == ["a": "", "c": "a"])
  }

  @Test func `is not done again for one whose refusal keeps what it wrote`() throws {
    store.run([leaving("a"), leaving("b", ending: .refusedAndKept), leaving("c")])
    #expect(told.all == ["try a", "try b", "try c", "end a", "refuse b", "end c"])
    #expect(try store.configurations == ["a": "", "b": "a", "c": "a,b"])
  }

  @Test func `is done one by one where one has to be undone`() throws {
    store.run([leaving("a"), leaving("b", ending: .refused), leaving("c")])
    #expect(
      told.all == ["try a", "try b", "try a", "end a", "try b", "refuse b", "try c", "end c"])
    #expect(try store.configurations == ["a": "", "c": "a"])
  }

  /// What another process has locked may be free in the next transaction.
  @Test func `is done one by one where the database fails`() throws {
    store.run([leaving("a"), leaving("b", ending: .failedAtOnce), leaving("c")])
    #expect(
      told.all == ["try a", "try b", "try a", "end a", "try b", "refuse b", "try c", "end c"])
    #expect(try store.configurations == ["a": "", "c": "a"])
  }

  /// SQLite undoes all of it by itself, as where the disk is full.
  @Test func `survives one that the database rolls back`() throws {
    let store = store
    try store.transaction { transaction throws(APIError) in
      try transaction.execute(
        """
        CREATE TRIGGER no_room BEFORE DELETE ON projects
        BEGIN SELECT RAISE(ROLLBACK, 'no room'); END
        """)
    }
    store.run([leaving("a"), leaving("b", ending: .failed("DELETE FROM projects")), leaving("c")])
    #expect(
      told.all == ["try a", "try b", "try a", "end a", "try b", "refuse b", "try c", "end c"])
    #expect(try store.configurations == ["a": "", "c": "a"])
  }

  /// What fails at the commit was thought to be kept.
  @Test func `fails by itself where it cannot be committed`() throws {
    store.run([leaving("a"), leaving("b", ending: .failed("ROLLBACK")), leaving("c")])
    #expect(told.all == ["try a", "try b", "try a", "end a", "try b", "fail b", "try c", "end c"])
    #expect(try store.configurations == ["a": "", "c": "a"])
  }

  /// Settings that were changed and then undone are not those that the next one sees.
  @Test func `forgets the settings of what was undone`() throws {
    let saving = SharedWork { [server] transaction in
      let project = ProjectTransaction(
        transaction, projectId: "demo", tenantId: nil, server: server)
      let result = Result { () throws(APIError) in
        var settings = try project.settings()
        settings.switches.rateLimits = true
        try project.save(settings)
        _ = try ProjectTransaction(
          transaction, projectId: "demo", tenantId: nil, server: server
        ).settings()
        throw refusal
      }
      return SharedWork.Attempt(result) {}
    } failing: { _ in
    }
    store.run([leaving("a"), saving])
    #expect(
      try store.inProject("demo", server: server) { project throws(APIError) in
        try project.switches().rateLimits
      } == false
    )
  }

  @Test func `of many threads is done once each`() async throws {
    let store = store
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<8 {
        group.addTask {
          for round in 0..<10 {
            store.run(
              (0..<3).map {
                leaving("\(thread)-\(round)-\($0)", ending: $0 == 1 ? .refused : .kept)
              })
          }
        }
      }
    }
    #expect(try store.configurations.count == 160)
    #expect(told.all.count { $0.hasPrefix("end") } == 160)
    #expect(told.all.count { $0.hasPrefix("refuse") } == 80)
  }
}

/// What was done and told, in its order.
private final class Told: Sendable {
  private let lines = Mutex<[String]>([])

  var all: [String] { lines.withLock { $0 } }
  func add(_ line: String) { lines.withLock { $0.append(line) } }
}

extension Store {
  fileprivate var configurations: [String: String] {
    get throws(APIError) {
      try transaction { transaction throws(APIError) in
        let rows = try transaction.all("SELECT project, config FROM projects") { row in
          (row[0] as String, row[1] as String)
        }
        return Dictionary(uniqueKeysWithValues: rows)
      }
    }
  }
}

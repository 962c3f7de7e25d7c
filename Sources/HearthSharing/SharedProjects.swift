package import HearthErrors
package import HearthTime
import Synchronization

/// The projects of a shared server, and who may do what with them.
///
/// One value for the server. It is read with every call, so the projects are in memory; the store
/// has them for the next start.
package final class SharedProjects: Sendable {
  /// A bound, because a token is compared with each of them, and each has rows in the store.
  package static let most = 1000

  private let operatorHash: TokenHash
  /// The machine's: that of a project can be moved by its tests.
  private let clock: any HearthClock
  private let projects: Mutex<[String: SharedProject]>
  /// New ones, for ``run(_:)`` to wait for their end.
  private let (opened, opening) = AsyncStream.makeStream(of: SharedProject.self)

  package init(
    operatorToken: String, clock: any HearthClock, opened stored: [SharedProject] = []
  ) {
    operatorHash = TokenHash(of: operatorToken)
    self.clock = clock
    projects = Mutex(Dictionary(stored.map { ($0.id, $0) }) { first, _ in first })
    for project in stored { opening.yield(project) }
  }

  /// The project of that id; nil unless it is open.
  package func find(_ id: String) -> SharedProject? {
    projects.withLock { $0[id] }.flatMap { $0.isOver(at: clock.now) ? nil : $0 }
  }

  /// Those that are open, by id.
  package var all: [SharedProject] {
    let now = clock.now
    return projects.withLock { Array($0.values) }.filter { !$0.isOver(at: now) }
      .sorted { $0.id < $1.id }
  }

  /// - Throws: ALREADY_EXISTS for an id that is open, UNAVAILABLE for one that is still being
  ///   cleared, and RESOURCE_EXHAUSTED where there are too many.
  package func add(_ project: SharedProject) throws(APIError) {
    let now = clock.now
    try projects.withLock { projects throws(APIError) in
      if let other = projects[project.id] {
        throw other.isOver(at: now)
          ? APIError(.unavailable, detail: "the project \(project.id) is being cleared; try again")
          : APIError(.alreadyExists, detail: "the project \(project.id) is open")
      }
      guard projects.count < Self.most else {
        throw APIError(.resourceExhausted, detail: "\(Self.most) projects are open")
      }
      projects[project.id] = project
    }
    opening.yield(project)
  }

  /// To be called when it is cleared: its id may be opened again.
  package func remove(_ project: SharedProject) {
    projects.withLock { if $0[project.id] === project { $0[project.id] = nil } }
  }

  /// Has each project cleared whose time is over, until the task is cancelled.
  package func run(_ clear: @escaping @Sendable (SharedProject) async -> Void) async {
    await withDiscardingTaskGroup { group in
      for await project in opened {
        group.addTask { [clock] in
          await withTaskGroup(of: Void.self) { waits in
            waits.addTask { await clock.wait(until: project.expires) }
            waits.addTask { await project.waitUntilOver() }
            await waits.next()
            waits.cancelAll()
          }
          // Who closes a project earlier clears it.
          if !Task.isCancelled, clock.now >= project.expires { await clear(project) }
        }
      }
    }
  }

  /// Whose token it is; nil for nobody's.
  func visitor(with token: String) -> Visitor? {
    let given = TokenHash(of: token)
    if operatorHash.isSame(as: given) { return .operator }
    let now = clock.now
    // All of them are compared, whichever it is.
    let mine = projects.withLock { Array($0.values) }.filter { $0.hash.isSame(as: given) }
    return mine.first { !$0.isOver(at: now) }.map(Visitor.project)
  }
}

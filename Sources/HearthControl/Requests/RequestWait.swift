import HearthErrors
import HearthObservation
import HearthOperations
import HearthTime

/// Holds a request until the log has a call that matches, or the time is over.
struct RequestWait: Sendable {
  private let filter: RequestFilter
  private let project: String
  private let log: RequestLog
  private let clock: any HearthClock
  /// From before the first look on, so that no call comes in between.
  private let changes: AsyncStream<Change>

  private enum Event: Sendable {
    case call([RequestLog.Entry])
    case deadline, end
  }

  init(_ filter: RequestFilter, project: String, control: RequestControl) {
    self.filter = filter
    self.project = project
    log = control.log
    clock = control.server.clock
    changes = control.server.changes.stream()
  }

  /// The calls that match: empty when the time is over.
  func entries(within patience: Duration) async throws(APIError) -> [RequestLog.Entry] {
    let found = filter.entries(of: log, project)
    guard found.isEmpty else { return found }
    switch await nextEvent(clock.now + patience) {
    case .call(let entries): return entries
    // Calls of the console are not announced.
    case .deadline: return filter.entries(of: log, project)
    case .end: throw APIError(.unavailable, detail: "the wait for a request was cancelled")
    }
  }

  private func nextEvent(_ deadline: Timestamp) async -> Event {
    await withTaskGroup(of: Event.self) { group in
      group.addTask { await nextCall() }
      group.addTask {
        await clock.wait(until: deadline)
        return Task.isCancelled ? .end : .deadline
      }
      let first = await group.next() ?? .end
      group.cancelAll()
      return first
    }
  }

  /// Looks only at what came since the last look. The stream drops its oldest changes when too many
  /// are waiting to be read, so it looks after any change.
  private func nextCall() async -> Event {
    var seen: Int64 = 0
    for await _ in changes {
      let newest = log.newest(of: project)
      let found = filter.entries(of: log, project, after: seen)
      if !found.isEmpty { return .call(found) }
      seen = newest
    }
    return .end
  }
}

package import HearthOperations
package import HearthSQLite
import HearthTime
import Synchronization

/// Tells streams when their token does not count any more: it expires, its project's clock is moved,
/// or enforcement is switched on. It owns those who wait, and may be called on any thread.
package final class AppCheckWatch: Sendable {
  private typealias Wakeup = AsyncStream<Void>.Continuation

  private struct State {
    var next = 0
    var waiting: [String: [Int: Wakeup]] = [:]
  }

  private let judge: AppCheckJudge
  private let server: ServerFacts
  private let store: Store
  private let state = Mutex(State())

  package init(_ judge: AppCheckJudge, server: ServerFacts, store: Store) {
    self.judge = judge
    self.server = server
    self.store = store
    server.clocks.observe { [weak self] in self?.wake($0) }
    server.changes.observe { [weak self] changes in
      for case .event(let project, "switches.changed", _) in changes { self?.wake(project) }
    }
  }

  /// Returns when a stream with this token is to be refused; nil where the task is cancelled before.
  package func refusal(
    of token: String?, by service: AppCheckService, in project: String
  ) async -> AppCheckVerdict? {
    let (wakeups, wakeup) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let id = add(wakeup, in: project)
    defer { remove(id, in: project) }
    // What has changed since the stream was admitted.
    wakeup.yield()
    var alarm: Task<Void, Never>?
    defer { alarm?.cancel() }
    for await _ in wakeups {
      alarm?.cancel()
      guard isEnforced(by: service, in: project) else { continue }
      let verdict = await judge.verdict(on: token, in: project)
      guard verdict.isVerified else { return verdict }
      alarm = expiry(of: token, in: project).map { end in
        Task { [server] in
          await server.clock.wait(until: end)
          if !Task.isCancelled { wakeup.yield() }
        }
      }
    }
    return nil
  }

  /// Why a stream with this token is to be refused at this moment; nil where it is not.
  package func refusalNow(
    of token: String?, by service: AppCheckService, in project: String
  ) async -> AppCheckVerdict? {
    guard isEnforced(by: service, in: project) else { return nil }
    let verdict = await judge.verdict(on: token, in: project)
    return verdict.isVerified ? nil : verdict
  }

  private func isEnforced(by service: AppCheckService, in project: String) -> Bool {
    server.appCheck.isAsked
      && server.switches(of: project, in: store).enforcement(of: service) == .enforce
  }

  /// The machine's time when the token expires; nil where the project's clock stands still.
  private func expiry(of token: String?, in project: String) -> Timestamp? {
    let setting = server.clocks.setting(of: project)
    guard setting.stopped == nil, let expiry = judge.expiry(of: token) else { return nil }
    return Timestamp(milliseconds: expiry.milliseconds &- setting.offset)
  }

  private func add(_ wakeup: Wakeup, in project: String) -> Int {
    state.withLock { state in
      state.next += 1
      state.waiting[project, default: [:]][state.next] = wakeup
      return state.next
    }
  }

  private func remove(_ id: Int, in project: String) {
    state.withLock { state in
      state.waiting[project]?[id] = nil
      if state.waiting[project]?.isEmpty == true { state.waiting[project] = nil }
    }
  }

  private func wake(_ project: String) {
    let waiting = state.withLock { Array(($0.waiting[project] ?? [:]).values) }
    for wakeup in waiting { wakeup.yield() }
  }
}

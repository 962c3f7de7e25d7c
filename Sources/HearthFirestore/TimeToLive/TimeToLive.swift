package import HearthErrors
import HearthFirestoreProtos
import HearthOperations
import HearthTime
import Synchronization

/// Deletes documents when their time to live has passed: a field of their collection group holds the
/// time, by the clock of the project.
///
/// It knows when the next document of each database may be due. Commits that bring an earlier one
/// say so; nobody looks at documents in between. A class because it owns that knowledge; it may be
/// called on any thread.
package final class TimeToLive: Sendable {
  /// The paths of fields by collection group.
  package typealias Fields = [String: String]

  private struct State {
    /// The field of each collection group that has a policy: of databases by their ids, whatever
    /// the project, and of those that have policies of their own.
    var standard: [String: [String: FieldPath]] = [:]
    var own: [DatabaseName: [String: FieldPath]] = [:]
    /// A time, in microseconds of the project, before which no document expires. Without an entry
    /// nothing is known, and the documents have to be looked at.
    var next: [DatabaseName: Int64] = [:]
    /// How many are deleting documents of a database.
    var deleting: [DatabaseName: Int] = [:]

    func policies(of database: DatabaseName) -> [String: FieldPath] {
      own[database] ?? standard[database.database] ?? [:]
    }
  }

  private let state = Mutex(State())
  /// Every commit looks here first.
  private let hasPolicies = Atomic(false)
  private let wakeups: AsyncStream<Void>
  private let wake: AsyncStream<Void>.Continuation

  init() {
    (wakeups, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  }

  // MARK: Policies

  /// Makes these all policies: of databases by their ids, and of those that have policies of their
  /// own instead. What is not the path of a field is left out.
  package func replace(standard: [String: Fields], own: [DatabaseName: Fields]) {
    change { state in
      state.standard = standard.mapValues(Self.paths)
      state.own = own.mapValues(Self.paths)
    }
  }

  /// Makes these the policies of a database.
  package func set(_ fields: Fields, of database: DatabaseName) {
    change { $0.own[database] = Self.paths(of: fields) }
  }

  private static func paths(of fields: Fields) -> [String: FieldPath] {
    fields.compactMapValues { try? FieldPath($0) }
  }

  private func change(_ body: (inout State) -> Void) {
    state.withLock { state in
      body(&state)
      state.next = [:]
      let isEmpty =
        state.standard.values.allSatisfy(\.isEmpty) && state.own.values.allSatisfy(\.isEmpty)
      hasPolicies.store(!isEmpty, ordering: .relaxed)
    }
    wake.yield()
  }

  /// The databases that have documents and policies; those of one project, or all.
  private func databases(
    of project: String? = nil, _ firestore: Firestore
  ) throws(APIError) -> [DatabaseName] {
    guard hasPolicies.load(ordering: .relaxed) else { return [] }
    let known = try firestore.read { documents throws(APIError) in try documents.lastCommitTimes() }
    return state.withLock { state in
      known.keys.filter { database in
        (project == nil || database.project == project) && !state.policies(of: database).isEmpty
      }
    }
  }

  /// The policies of a project's databases that have documents.
  func policies(
    of project: String, _ firestore: Firestore
  ) throws(APIError) -> [ExpiryPolicy] {
    let databases = try databases(of: project, firestore)
    let fields = state.withLock { state in databases.map { ($0, state.policies(of: $0)) } }
    return fields.flatMap { database, fields in
      fields.map { ExpiryPolicy(database: database, group: $0, field: $1) }
    }
  }

  // MARK: What happens

  /// To be called with each commit, in its order.
  func note(_ database: DatabaseName, effects: [DocumentEffect]) {
    guard hasPolicies.load(ordering: .relaxed) else { return }
    let isSooner = state.withLock { state in
      let policies = state.policies(of: database)
      guard !policies.isEmpty else { return false }
      let next = state.next[database]
      var earliest = next ?? .max
      for effect in effects {
        guard let after = effect.after, let field = policies[effect.path.parent.id],
          let time = after.expiry(at: field)
        else { continue }
        earliest = min(earliest, time)
      }
      // Where nothing is known yet, everything is looked at.
      guard let next else { return earliest < .max }
      state.next[database] = earliest
      return earliest < next
    }
    if isSooner { wake.yield() }
  }

  /// To be called when documents have come otherwise than by commits.
  func lookAgain(_ database: DatabaseName) {
    guard hasPolicies.load(ordering: .relaxed) else { return }
    state.withLock { $0.next[database] = nil }
    wake.yield()
  }

  /// To be called when the switches of a project or its clock have changed.
  package func reconsider(_ project: String) {
    guard hasPolicies.load(ordering: .relaxed) else { return }
    wake.yield()
  }

  // MARK: Deleting

  /// Deletes documents as they expire, until it is cancelled.
  package func run(_ firestore: Firestore) async {
    // Many documents may expire at once: not on the thread of a socket.
    await withTaskExecutorPreference(globalConcurrentExecutor) {
      var alarm: Task<Void, Never>?
      for await _ in wakeups {
        alarm?.cancel()
        let databases = (try? databases(firestore)) ?? []
        for database in databases {
          // What cannot be deleted now is looked for again when something happens.
          try? await expireDue(in: database, firestore)
        }
        alarm = nextDeadline(databases, firestore: firestore).map { deadline in
          Task { [wake] in
            await firestore.clocks.machine.wait(until: deadline)
            if !Task.isCancelled { wake.yield() }
          }
        }
      }
      alarm?.cancel()
    }
  }

  /// Deletes what has expired in a project, and returns when all of it is gone.
  package func expire(_ project: String, firestore: Firestore) async throws(APIError) {
    let databases = try databases(of: project, firestore)
    guard !databases.isEmpty else { return }
    try await withTaskExecutorPreference(globalConcurrentExecutor) { () async throws(APIError) in
      for database in databases { try await expireDue(in: database, firestore) }
    }
  }

  /// The machine's time when the next document expires; nil where none does by itself.
  private func nextDeadline(_ databases: [DatabaseName], firestore: Firestore) -> Timestamp? {
    let next = state.withLock(\.next)
    let deadlines = databases.compactMap { database -> Timestamp? in
      let setting = firestore.clocks.setting(of: database.project)
      guard let due = next[database], due < Documents.endOfTime, setting.stopped == nil,
        let delay = firestore.switches(database.project).deletionDelay
      else { return nil }
      return Timestamp(milliseconds: (due &+ delay &+ 999) / 1000 &- setting.offset)
    }
    return deadlines.min()
  }

  private func expireDue(
    in database: DatabaseName, _ firestore: Firestore
  ) async throws(APIError) {
    guard let delay = firestore.switches(database.project).deletionDelay else { return }
    let until = firestore.now(of: database) &- delay
    let policies = state.withLock { state -> [String: FieldPath] in
      let isDue = state.next[database].map { $0 <= until } ?? true
      // A caller may wait until all of it is gone.
      guard isDue || state.deleting[database] != nil else { return [:] }
      let policies = state.policies(of: database)
      guard !policies.isEmpty else { return [:] }
      // What commits bring from now on counts, too.
      state.next[database] = .max
      state.deleting[database, default: 0] += 1
      return policies
    }
    guard !policies.isEmpty else { return }
    defer {
      state.withLock { state in
        let others = (state.deleting[database] ?? 1) - 1
        state.deleting[database] = others > 0 ? others : nil
      }
    }
    do throws(APIError) {
      for (group, field) in policies {
        let policy = ExpiryPolicy(database: database, group: group, field: field)
        let next = try await firestore.delete(policy, until: until)
        // Nothing is known where everything has to be looked at again meanwhile.
        state.withLock { state in
          state.next[database] = state.next[database].map { min($0, next) }
        }
      }
    } catch {
      state.withLock { $0.next[database] = nil }
      throw error
    }
  }
}

extension Switches {
  /// Microseconds from the end of a document's life to its deletion; nil where it is never deleted.
  var deletionDelay: Int64? {
    switch timeToLive {
    case .immediate: 0
    case .delayed: timeToLiveDelay * 1_000_000
    case .never: nil
    }
  }
}

extension StoredDocument {
  /// The time in a field, in microseconds; nil where it holds anything else.
  func expiry(at field: FieldPath) -> Int64? {
    guard case .timestampValue(let time)? = fields.value(at: field)?.valueType else { return nil }
    return time.microseconds
  }
}

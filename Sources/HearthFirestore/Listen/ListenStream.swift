import HearthErrors
import HearthFirestoreProtos
import SwiftProtobuf

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The state of one Listen stream: its targets, and how far it has read in the log of commits.
///
/// It belongs to the task of its stream, which calls one method after the other. It holds no lock
/// and nothing of the store while it sends: a client that takes its time keeps nobody waiting. What
/// it keeps between two messages grows with the number of documents that its targets show, not with
/// their size.
struct ListenStream {
  let firestore: Firestore
  /// Tells who calls. Only the first request names the database, and with it the project whose keys
  /// and switches count.
  let resolve: CallerResolution
  let send: @Sendable (ListenResponse) async throws -> Void

  private var caller = FirestoreCaller.nobody
  private var database: DatabaseName?
  private var targets: [Int32: ListenTarget] = [:]
  /// The place in the log of the next commit that the targets have to be told.
  private var place = 0
  /// How many restores the client knows of.
  private var restores = 0
  private var highestID: Int32 = 0
  /// Whether a target has an id that was given here.
  private var hasGivenIDs = false
  private var judgement = Judgement()

  init(
    firestore: Firestore, caller: @escaping CallerResolution,
    send: @escaping @Sendable (ListenResponse) async throws -> Void
  ) {
    self.firestore = firestore
    resolve = caller
    self.send = send
  }

  // MARK: Requests

  /// Adds or removes a target, and sends what follows from that.
  ///
  /// - Throws: what ends the stream. A target that is refused does not end it.
  mutating func handle(_ request: ListenRequest) async throws {
    let named = try DatabaseName(request.database)
    if let database, database != named {
      throw APIError.invalid("A stream must stay with one database.")
    }
    if database == nil {
      caller = try await resolve(named)
      // The stream has no targets yet, so earlier commits do not matter to it.
      place = firestore.log.end(of: named)
      restores = firestore.log.restores(of: named)
    }
    database = named
    switch request.targetChange {
    case .addTarget(let target)?: try await add(target, database: named)
    case .removeTarget(let id)?: try await remove(id)
    case nil: throw APIError.invalid("A request must add or remove a target.")
    }
  }

  /// A target that is not there is acknowledged too: an SDK that removes one while its refusal is
  /// on its way waits for the answer.
  private mutating func remove(_ id: Int32) async throws {
    targets[id] = nil
    try await send(.change(.remove, ids: [id]))
  }

  private mutating func add(_ message: Target, database: DatabaseName) async throws {
    // Older targets hear of older commits first.
    try await catchUp()
    let isProduction = firestore.answersAsProduction(database.project)
    guard let id = try await id(of: message, isProduction: isProduction) else { return }
    if isProduction, message.hasBadResumeToken {
      try await send(.change(.remove, ids: [id], cause: .invalid("bad resume token")))
      return
    }
    // ADD comes before the target is judged: a refusal is a REMOVE with a cause.
    try await send(.change(.add, ids: [id]))
    if isProduction, let since = firestore.resumeTime(of: message) {
      // What the client knows already; production says so before it tells the rest.
      try await send(
        .change(.noChange, ids: [], token: firestore.resumeToken(since), readTime: since))
    }
    do throws(APIError) {
      let judging = firestore.indexJudging(in: database)
      let target = ListenTarget(
        id: id,
        kind: try Self.kind(message, database: database, readsNamesBackwards: judging != nil))
      let judged = target.query.flatMap { judging?.plan($0, by: caller, operation: "listen") }
      let (settled, first) = try await begin(
        target, message: message, database: database, judged: judged)
      targets[id] = first.target
      // First the changes of the other targets: the client takes the time below for the time of all
      // targets.
      let time = first.time
      let token = firestore.resumeToken(time)
      for response in settled.responses(readTime: time, token: token) {
        try await deliver(response)
      }
      for answer in first.answers { try await deliver(answer) }
      // CURRENT: this target is complete. NO_CHANGE without ids: all targets are at that time.
      try await deliver(.change(.current, ids: [id], token: token, readTime: time))
      try await deliver(.change(.noChange, ids: [], token: token, readTime: time))
      if message.once { try await deliver(.change(.remove, ids: [id])) }
      if message.once { targets[id] = nil }
    } catch {
      if let failure { throw failure }
      targets[id] = nil
      try await send(.change(.remove, ids: [id], cause: error))
    }
  }

  /// What a new target shows at first, and what the others have to be told at that moment.
  private mutating func begin(
    _ target: ListenTarget, message: Target, database: DatabaseName, judged: JudgedQuery?
  ) async throws(APIError) -> (
    Settled, (target: ListenTarget, answers: [ListenResponse], time: Int64)
  ) {
    // Copies: the closure below must not hold this value while `settle` changes it.
    let (firestore, caller) = (firestore, caller)
    var reading = ListenReading.small
    var attempts = 0
    while true {
      do throws(APIError) {
        return try await settle(database) { [reading] documents, verdicts throws(APIError) in
          try firestore.first(
            target, message: message, database: database, caller: caller, documents: documents,
            verdicts: verdicts, judged: judged, reading: reading)
        }
      } catch {
        guard error == ListenReading.isLarge, let query = target.query else { throw error }
        attempts += 1
        reading =
          attempts <= ListenReading.mostAttempts
          ? .ahead(try await firestore.readAhead(query)) : .whole
      }
    }
  }

  /// The id of a new target; nil where the target is refused.
  ///
  /// - Throws: INVALID_ARGUMENT, which ends the stream.
  private mutating func id(
    of message: Target, isProduction: Bool
  ) async throws -> Int32? {
    var id = message.targetID
    if isProduction, id > 0 {
      guard !hasGivenIDs else {
        throw APIError.invalid("Target id \(id) is on a stream whose ids the server gives.")
      }
      guard targets[id] == nil else {
        try await send(
          .change(
            .remove, ids: [id],
            cause: APIError(.alreadyExists, message: "Target ID already exists: \(id)")))
        return nil
      }
    }
    if id == 0 {
      id = highestID + 1
      hasGivenIDs = true
    }
    guard id > 0, targets[id] == nil else {
      throw APIError.invalid("Target id \(id) is in use or out of range.")
    }
    // Bounded, so that adding one does not overflow.
    highestID = max(highestID, min(id, .max - 1))
    return id
  }

  /// Why the client could not be told something; that ends the stream and not a target.
  private var failure: (any Error)?

  /// Sends while a target is added. The errors of `send` are kept apart, because those that are
  /// thrown here would be taken for a refusal of the target.
  private mutating func deliver(_ response: ListenResponse) async throws(APIError) {
    do {
      try await send(response)
    } catch {
      failure = error
      throw APIError(.unavailable, message: "The client is gone.")
    }
  }

  private static func kind(
    _ message: Target, database: DatabaseName, readsNamesBackwards: Bool
  ) throws(APIError) -> ListenTarget.Kind {
    switch message.targetType {
    case .documents(let documents)?:
      var paths: [ResourcePath] = []
      for name in documents.documents {
        let path = try ResourcePath.document(name)
        guard path.database == database else {
          throw .otherDatabase(path.database, than: database)
        }
        if !paths.contains(path) { paths.append(path) }
      }
      guard !paths.isEmpty else { throw .invalid("A target must name a document.") }
      return .documents(paths)
    case .query(let query)?:
      let query = try Query(
        parent: ResourcePath.parent(query.parent), query.structuredQuery,
        readsNamesBackwards: readsNamesBackwards)
      guard query.parent.database == database else {
        throw .invalid("The query is not of database \"\(database)\".")
      }
      return .query(query)
    case nil: throw .invalid("A target must be of documents or of a query.")
    }
  }

  // MARK: Commits

  /// Tells everything that was committed since the last time: one snapshot for each commit, until
  /// one of them does not itself tell what it changes; then one for all that are left.
  ///
  /// A commit that needs a query is sent together with all later ones: the store may hold more than
  /// the log up to there, and a client takes the time of a snapshot for the time of all targets.
  mutating func catchUp() async throws {
    guard let database else { return }
    guard !targets.isEmpty else {
      place = firestore.log.end(of: database)
      restores = firestore.log.restores(of: database)
      return
    }
    while try await sendMore(database) {}
  }

  /// - Returns: whether there may be more to send.
  private mutating func sendMore(_ database: DatabaseName) async throws -> Bool {
    guard let (commits, next) = firestore.log.commits(of: database, from: place) else {
      try await askAgain(database)
      return false
    }
    // The commits come first: rules that are older than one of them are noticed here.
    if judgement.isOutdated(by: commits, of: targets, caller: caller, rules: firestore.rules) {
      try await askAgain(database)
      return false
    }
    for commit in commits {
      guard let snapshot = follow(commit) else {
        try await askAgain(database)
        return false
      }
      // Before it is sent: sending suspends, and what was followed is not followed again.
      place = commit.sequence + 1
      try await send(Settled(news: snapshot), at: commit.time)
    }
    place = next
    return !commits.isEmpty
  }

  /// What a commit changes for all targets; nil when one of them has to be asked. Either all
  /// targets follow or none: half of a snapshot cannot be told.
  private mutating func follow(_ commit: LoggedCommit) -> SnapshotMessages? {
    var followed = targets
    var snapshot = SnapshotMessages()
    for id in targets.keys.sorted() {
      guard var target = followed[id] else { continue }
      guard let changes = target.changes(after: commit) else { return nil }
      snapshot.add(changes, target: target)
      followed[id] = target
    }
    targets = followed
    return snapshot
  }

  private mutating func askAgain(_ database: DatabaseName) async throws {
    let firestore = firestore
    let (settled, time) = try await settle(database) { documents, _ throws(APIError) in
      try firestore.readTime(documents, of: database)
    }
    try await send(settled, at: time)
  }

  /// What all targets have to be told at some moment.
  private struct Settled {
    var news = SnapshotMessages()
    /// The targets that the client may not listen to any more.
    var refusals: [(id: Int32, cause: APIError)] = []
    /// The targets that begin again, because the documents are those of a snapshot now.
    var resets: [Int32] = []

    var isEmpty: Bool { news.isEmpty && resets.isEmpty }

    func responses(readTime: Int64, token: Data) -> [ListenResponse] {
      var responses: [ListenResponse] = refusals.map {
        .change(.remove, ids: [$0.id], cause: $0.cause)
      }
      if !resets.isEmpty { responses.append(.change(.reset, ids: resets)) }
      responses += news.responses(readTime: readTime)
      if !resets.isEmpty {
        responses.append(.change(.current, ids: resets, token: token, readTime: readTime))
      }
      return responses
    }
  }

  /// Brings all targets to what the store holds now, and reads something else of the same moment: a
  /// client that hears of a time takes it for the time of every target. The rules are asked about
  /// each target again, so that nobody hears of what is not theirs any more.
  private mutating func settle<Value>(
    _ database: DatabaseName, body: (Documents, RuleVerdicts) throws(APIError) -> Value
  ) async throws(APIError) -> (settled: Settled, value: Value) {
    let stream = self
    // Read before the rules are asked: where they are replaced meanwhile, the targets are judged
    // once more.
    let generation = firestore.rules.generation
    let (state, value) = try await LargeReads.makeRoom { () async throws(APIError) in
      try await RuleVerdicts.settle(in: stream.firestore, database: database) {
        verdicts throws(APIError) in
        try stream.firestore.read { documents throws(APIError) in
          let state = try stream.present(database, documents: documents, verdicts: verdicts)
          return (state, try body(documents, verdicts))
        }
      }
    }
    // Only here, because the body may run several times.
    targets = state.targets
    place = state.place
    restores = state.restores
    judgement.generation = generation
    return (state.settled, value)
  }

  /// Where the stream is after it has told everything up to now.
  private struct Present {
    var targets: [Int32: ListenTarget]
    var settled = Settled()
    let place: Int
    let restores: Int
  }

  private func present(
    _ database: DatabaseName, documents: Documents, verdicts: RuleVerdicts
  ) throws(APIError) -> Present {
    // No commit comes in between: those of the log are those of the store.
    let log = firestore.log
    var present = Present(
      targets: targets, place: log.end(of: database), restores: log.restores(of: database))
    // When there are many, a query is quicker.
    let portion = log.commits(of: database, from: place)
    let commits = portion?.next == present.place ? portion?.commits : nil
    for id in targets.keys.sorted() {
      guard var target = targets[id] else { continue }
      do throws(APIError) {
        try firestore.judge(
          &target, caller: caller, database: database, documents: documents, verdicts: verdicts)
      } catch {
        // Not a refusal: the rules go on in a pool, and all of this is done again.
        if verdicts.isPaused { throw error }
        present.settled.refusals.append((id, error))
        present.targets[id] = nil
        continue
      }
      if present.restores == restores {
        present.settled.news.add(try target.changes(after: commits, in: documents), target: target)
      } else {
        present.settled.resets.append(id)
        present.settled.news.add(try target.reset(in: documents), target: target)
      }
      present.targets[id] = target
    }
    return present
  }

  private func send(_ settled: Settled, at time: Int64) async throws {
    let token = firestore.resumeToken(time)
    for response in settled.responses(readTime: time, token: token) { try await send(response) }
    guard !settled.isEmpty else { return }
    try await send(.change(.noChange, ids: [], token: token, readTime: time))
  }
}

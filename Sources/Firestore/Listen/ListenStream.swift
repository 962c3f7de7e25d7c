import FirestoreProtos
import Foundation
import HearthCore
import SwiftProtobuf

/// The state of one Listen stream: its targets, and how far it has read in the log of commits.
struct ListenStream {
  let firestore: Firestore
  let resolve: CallerResolution
  let send: @Sendable (ListenResponse) async throws -> Void

  private var caller = FirestoreCaller.nobody
  private var database: DatabaseName?
  private var targets: [Int32: ListenTarget] = [:]
  private var place: Int
  private var lastAssigned: Int32 = 1 << 20

  init(
    firestore: Firestore, caller: @escaping CallerResolution,
    send: @escaping @Sendable (ListenResponse) async throws -> Void
  ) {
    self.firestore = firestore
    resolve = caller
    self.send = send
    place = firestore.log.end
  }

  // MARK: Requests

  mutating func handle(_ request: ListenRequest) async throws {
    let named = try DatabaseName(request.database)
    if let database, database != named {
      throw APIError.invalid("A stream must stay with one database.")
    }
    if database == nil { caller = try await resolve(named) }
    database = named
    switch request.targetChange {
    case .addTarget(let target)?: try await add(target, named)
    case .removeTarget(let id)?: try await remove(id)
    case nil: throw APIError.invalid("A request must add or remove a target.")
    }
  }

  private mutating func remove(_ id: Int32) async throws {
    targets[id] = nil
    try await send(.change(.remove, [id]))
  }

  private mutating func add(_ message: Target, _ database: DatabaseName) async throws {
    // Older targets hear of older commits first.
    try await catchUp()
    var id = message.targetID
    if id == 0 {
      lastAssigned += 1
      id = lastAssigned
    }
    guard id > 0, targets[id] == nil else {
      throw APIError.invalid("Target id \(id) is in use or out of range.")
    }
    try await send(.change(.add, [id]))
    do throws(APIError) {
      let target = ListenTarget(id: id, kind: try Self.kind(message, database))
      let (firestore, caller) = (firestore, caller)
      let (news, first) = try settle(database) { documents throws(APIError) in
        try firestore.first(target, message, database, caller, documents)
      }
      targets[id] = first.target
      let time = first.time
      for response in news.responses(readTime: time) { try await deliver(response) }
      for answer in first.answers { try await deliver(answer) }
      try await deliver(
        .change(.current, [id], token: firestore.resumeToken(time), readTime: time))
      try await deliver(.change(.noChange, [], token: firestore.resumeToken(time), readTime: time))
      if message.once { try await deliver(.change(.remove, [id])) }
      if message.once { targets[id] = nil }
    } catch {
      if let failure { throw failure }
      targets[id] = nil
      try await send(.change(.remove, [id], cause: error))
    }
  }

  /// Why the client could not be told something; that ends the stream and not a target.
  private var failure: (any Error)?

  private mutating func deliver(_ response: ListenResponse) async throws(APIError) {
    do {
      try await send(response)
    } catch {
      failure = error
      throw APIError(.unavailable, message: "The client is gone.")
    }
  }

  private static func kind(
    _ message: Target, _ database: DatabaseName
  ) throws(APIError) -> ListenTarget.Kind {
    switch message.targetType {
    case .documents(let documents)?:
      var paths: [ResourcePath] = []
      for name in documents.documents {
        let path = try ResourcePath.document(name)
        guard path.database == database else {
          throw .invalid("Document \"\(name)\" is not in database \"\(database)\".")
        }
        if !paths.contains(path) { paths.append(path) }
      }
      guard !paths.isEmpty else { throw .invalid("A target must name a document.") }
      return .documents(paths)
    case .query(let query)?:
      let query = try Query(parent: query.parent, query.structuredQuery)
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
  mutating func catchUp() async throws {
    guard let database, !targets.isEmpty else {
      place = firestore.log.end
      return
    }
    guard let (commits, next) = firestore.log.commits(of: database, from: place) else {
      return try await askAgain(database)
    }
    for commit in commits {
      guard let snapshot = follow(commit) else { return try await askAgain(database) }
      place = commit.sequence + 1
      try await tell(snapshot, at: commit.time)
    }
    place = next
  }

  /// What a commit changes for all targets; nil when one of them has to be asked.
  private mutating func follow(_ commit: LoggedCommit) -> SnapshotMessages? {
    var followed = targets
    var snapshot = SnapshotMessages()
    for id in targets.keys.sorted() {
      guard var target = followed[id] else { continue }
      guard let changes = target.changes(after: commit) else { return nil }
      snapshot.add(changes, target)
      followed[id] = target
    }
    targets = followed
    return snapshot
  }

  private mutating func askAgain(_ database: DatabaseName) async throws {
    let firestore = firestore
    let (news, time) = try settle(database) { documents throws(APIError) in
      try firestore.readTime(documents, of: database)
    }
    try await tell(news, at: time)
  }

  /// Brings all targets to what the store holds now, and reads something else of the same moment: a
  /// client that hears of a time takes it for the time of every target.
  private mutating func settle<Value>(
    _ database: DatabaseName, _ body: (Documents) throws(APIError) -> Value
  ) throws(APIError) -> (news: SnapshotMessages, value: Value) {
    let (firestore, known, place) = (firestore, targets, place)
    let (settled, news, next, value) = try firestore.read { documents throws(APIError) in
      // No commit comes in between: those of the log are those of the store.
      let next = firestore.log.end
      let commits = firestore.log.commits(of: database, from: place)?.commits
      var settled = known
      var news = SnapshotMessages()
      for id in known.keys.sorted() {
        guard var target = known[id] else { continue }
        news.add(try target.changes(after: commits, in: documents), target)
        settled[id] = target
      }
      return (settled, news, next, try body(documents))
    }
    targets = settled
    self.place = next
    return (news, value)
  }

  private func tell(_ snapshot: SnapshotMessages, at time: Int64) async throws {
    guard !snapshot.isEmpty else { return }
    for response in snapshot.responses(readTime: time) { try await send(response) }
    try await send(
      .change(.noChange, [], token: firestore.resumeToken(time), readTime: time))
  }
}

extension Firestore {
  /// Instance and time: everything that was committed until then is known to the client.
  func resumeToken(_ time: Int64) -> Data {
    Data(instance) + withUnsafeBytes(of: time.bigEndian) { Data($0) }
  }

  private func time(ofToken token: Data) -> Int64? {
    let bytes = [UInt8](token)
    guard bytes.count == 16, bytes.starts(with: instance) else { return nil }
    return bytes[8...].reduce(Int64(0)) { $0 << 8 | Int64($1) }
  }

  /// What a target shows at first: everything, or what has changed since the client saw it last.
  fileprivate func first(
    _ target: ListenTarget, _ message: Target, _ database: DatabaseName, _ caller: FirestoreCaller,
    _ documents: Documents
  ) throws(APIError) -> (target: ListenTarget, answers: [ListenResponse], time: Int64) {
    var target = target
    if let gate = RulesGate(self, caller, database, documents) {
      switch target.kind {
      case .query(let query): try gate.checkList(query)
      case .documents(let paths):
        for path in paths { try gate.checkGet(path, try documents.document(at: path)) }
      }
    }
    let time = try readTime(documents, of: database)
    let result = try target.result(in: documents)
    target.known = Dictionary(
      result.map { ($0.path, $0.updateTime) }, uniquingKeysWith: { $1 })
    var answers: [ListenResponse] = []
    var shown = result
    var gone: [ResourcePath] = []
    if message.resumeType != nil {
      if let news = news(of: target, result, since: message, until: time, database) {
        (shown, gone) = news
      } else {
        answers.append(.change(.reset, [target.id]))
      }
    }
    if case .documents(let paths) = target.kind {
      gone = paths.filter { target.known[$0] == nil }
    }
    var snapshot = SnapshotMessages()
    snapshot.add(shown.map { .shows($0) }, target)
    for path in gone {
      snapshot.add(
        [try documents.document(at: path) == nil ? .deleted(path) : .left(path)], target)
    }
    answers += snapshot.responses(readTime: time)
    return (target, answers, time)
  }

  /// What has changed since the time of a token; nil when nobody can tell.
  private func news(
    of target: ListenTarget, _ result: [StoredDocument], since message: Target, until now: Int64,
    _ database: DatabaseName
  ) -> (shown: [StoredDocument], gone: [ResourcePath])? {
    let since: Int64? =
      switch message.resumeType {
      case .resumeToken(let token)?: time(ofToken: token)
      case .readTime(let time)?: time.microseconds
      case nil: nil
      }
    guard let since, since <= now, let commits = log.commits(of: database, after: since) else {
      return nil
    }
    let changed = Set(commits.flatMap(\.effects).map(\.path))
    if case .query(let query) = target.kind {
      let touched = changed.filter(query.covers)
      if touched.isEmpty { return ([], []) }
      // What moved up into the window has not changed itself.
      if query.limit != nil || query.offset > 0 || query.nearest != nil { return nil }
      return (
        result.filter { touched.contains($0.path) },
        touched.filter { target.known[$0] == nil }.sorted { $0.text < $1.text }
      )
    }
    return (result.filter { changed.contains($0.path) }, [])
  }
}

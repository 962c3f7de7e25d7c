import HearthAppCheck
import HearthErrors
import HearthFirestore
import HearthFirestoreProtos
import HearthObservation
import HearthOperations
import HearthSharing
import HearthTime
import Synchronization

/// A Listen or Write stream, on its way through what all calls go through: credentials, faults and
/// the request log.
///
/// A class, because its requests find out what happens to it, and its answers ask. It owns what is
/// known of the stream, behind a lock of its own, and lives as long as the stream. Its methods may
/// be called on any thread. It holds no messages.
final class FirestoreStream: Sendable {
  private struct State {
    /// Nil until the first message names one.
    var database: DatabaseName?
    /// Whether a fault is to lose the stream at its turning point.
    var isLost = false
    var record = CallRecord()
    /// Its number in the log; nil before it is noted.
    var id: Int64?
    /// What the log has of the lines that its rules have evaluated.
    var evaluated = EvaluatedLines()
    /// The project, when its caller is one whose app counts.
    var guarded: String?
  }

  private let calls: FirestoreCalls
  private let operation: String
  private let path: String
  private let authorization: String?
  private let app: Admission.PresentedApp
  /// The project, when its caller is one whose app counts.
  private let (admitted, admission) = AsyncStream.makeStream(of: String.self)
  /// The project of a shared server, with whose end the stream ends.
  private let (openedProjects, opened) = AsyncStream.makeStream(of: SharedProject.self)
  private let state = Mutex(State())

  init(
    _ calls: FirestoreCalls, verb: String, path: String, authorization: String?,
    app: Admission.PresentedApp
  ) {
    self.calls = calls
    self.app = app
    operation = FirestoreOperations.id(of: verb)
    self.path = path
    self.authorization = authorization
  }

  /// Serves the stream; a refusal that ends it is noted. Errors of the transport are passed on as
  /// they are.
  func serve(_ firestore: Firestore, body: () async throws -> Void) async throws {
    do {
      try await body()
    } catch let refusal as APIError {
      let error = firestore.worded(refusal, for: call.project)
      calls.admission.note(call, record: state.withLock(\.record), error: error)
      throw state.withLock(\.isLost) ? Admission.lost : error
    }
  }

  /// To be asked when the first message names a database. Only then the project is known, and with
  /// it its faults. The stream is noted then, because its end may be hours away.
  ///
  /// - Throws: why the caller is refused, or a fault; the stream ends with it.
  func caller(_ database: DatabaseName) async throws(APIError) -> FirestoreCaller {
    var record = state.withLock { state in
      state.database = database
      return state.record
    }
    // Also where the stream is refused: the record is noted with the refusal.
    defer { state.withLock { [record] in $0.record = record } }
    let party = try await calls.admission.admit(call, record: &record)
    state.withLock { $0.isLost = party.isLost }
    let caller = try party.caller.get()
    if let project = calls.admission.sharing?.projects.find(database.project) {
      opened.yield(project)
    }
    if !caller.isOwner {
      state.withLock { $0.guarded = database.project }
      admission.yield(database.project)
    }
    admission.finish()
    let id = calls.admission.note(call, record: record, error: nil)
    state.withLock { $0.id = id }
    return caller
  }

  /// Says in the log what a target misses: the stream was noted before.
  private func explain(_ missing: String) {
    guard let id = state.withLock(\.id) else { return }
    calls.admission.recorder.requests.explain(id, of: call.project, explanation: missing)
  }

  /// Says in the log which lines the rules have evaluated for the stream. They are the same ones for
  /// most documents, so the log is asked for new ones only.
  private func note(_ lines: EvaluatedLines) {
    let id = state.withLock { state -> Int64? in
      guard let id = state.id, state.evaluated.add(lines) else { return nil }
      return id
    }
    guard let id else { return }
    calls.admission.recorder.requests.note(lines, evaluatedBy: id, of: call.project)
  }

  /// To be called where something has happened: there a stream ends that is to be lost. A
  /// connection that breaks after a commit or a snapshot is what clients have to cope with.
  ///
  /// - Throws: UNAVAILABLE, as SDKs see a broken connection.
  func passTurningPoint() throws(APIError) {
    if state.withLock(\.isLost) { throw Admission.lost }
  }

  /// As far as the stream is known: the default project, before a database was named.
  private var call: FirestoreCall {
    let database = state.withLock(\.database)
    return FirestoreCall(
      operation: operation, path: path, authorization: authorization, app: app,
      project: database?.project ?? calls.defaultProject,
      resource: database?.description)
  }
}

// Shared by gRPC and WebChannel.
extension FirestoreStream {
  /// A stream that is to be lost ends after the first answer to a target, with its snapshot or
  /// its refusal: the client goes on from there.
  func listen<Requests: AsyncSequence & Sendable>(
    _ requests: Requests, in firestore: Firestore,
    send: @escaping @Sendable (ListenResponse) async throws -> Void
  ) async throws where Requests.Element == ListenRequest {
    try await serve(firestore) {
      try await whileAppCounts { [self] in
        try await MissedIndexes.hear({ self.explain($0) }) {
          try await EvaluatedRules.hear({ self.note($0) }) {
            try await firestore.listen(requests, as: resolution) { response in
              try await send(response)
              // After it is sent: the client knows this target, and goes on from its token.
              if response.settlesTarget { try self.passTurningPoint() }
            }
          }
        }
      }
    }
  }

  /// A stream that is to be lost ends when its first batch of writes is committed: the client does
  /// not hear of it.
  func write<Requests: AsyncSequence & Sendable>(
    _ requests: Requests, in firestore: Firestore,
    send: @escaping @Sendable (WriteResponse) async throws -> Void
  ) async throws where Requests.Element == WriteRequest {
    let requests = requests.map { [self] request in
      if !request.writes.isEmpty { try await checkApp() }
      return request
    }
    try await serve(firestore) {
      try await whileOpen { [self] in
        try await EvaluatedRules.hear({ self.note($0) }) {
          try await firestore.write(requests, as: resolution) { response in
            // Before it is sent: the client must not know whether its writes were committed.
            if response.hasCommitTime { try self.passTurningPoint() }
            try await send(response)
          }
        }
      }
    }
  }

  /// Refuses a batch of writes when the app of its stream does not count any more. A stream that waits
  /// for writes goes on: the SDK for JavaScript takes its end for the failure of a write, and breaks
  /// where there is none.
  private func checkApp() async throws(APIError) {
    guard let project = state.withLock(\.guarded),
      let verdict = await calls.admission.appCheckWatch.refusalNow(
        of: app.token, by: .firestore, in: project)
    else { return }
    state.withLock { $0.record.appCheck = verdict.name }
    throw Admission.appRefusal
  }

  /// Ends the stream in its middle when its app does not count any more: its token has expired, or
  /// App Check is enforced from now on.
  private func whileAppCounts(
    _ body: @escaping @Sendable () async throws -> Void
  ) async throws {
    try await whileOpen { [self] in
      try await withThrowingTaskGroup(of: Bool.self) { group in
        group.addTask {
          try await body()
          return true
        }
        group.addTask { [self] in
          for await project in admitted {
            let verdict = await calls.admission.appCheckWatch.refusal(
              of: app.token, by: .firestore, in: project)
            guard let verdict else { continue }
            state.withLock { $0.record.appCheck = verdict.name }
            throw Admission.appRefusal
          }
          return false
        }
        while let isOver = try await group.next(), !isOver {}
        group.cancelAll()
      }
    }
  }

  /// Ends the stream with its project on a shared server.
  private func whileOpen(
    _ body: @escaping @Sendable () async throws -> Void
  ) async throws {
    guard calls.admission.sharing != nil else { return try await body() }
    try await withThrowingTaskGroup(of: Bool.self) { group in
      group.addTask {
        try await body()
        return true
      }
      group.addTask { [self] in
        for await project in openedProjects {
          await project.waitUntilOver()
          if !Task.isCancelled { throw SharedProjects.notOpen(project.id) }
        }
        return false
      }
      while let isOver = try await group.next(), !isOver {}
      group.cancelAll()
    }
  }

  private var resolution: CallerResolution {
    { database async throws(APIError) in try await self.caller(database) }
  }
}

extension ListenResponse {
  /// Whether a target is now told completely, or refused.
  fileprivate var settlesTarget: Bool {
    targetChange.hasCause
      || targetChange.targetChangeType == .noChange && targetChange.hasReadTime
        && targetChange.targetIds.isEmpty
  }
}

import HearthErrors
import HearthFirestore
import HearthFirestoreProtos
import HearthOperations
import HearthTime
import Synchronization

/// A Listen or Write stream, on its way through what all calls go through.
///
/// A class, because its requests find out what happens to it, and its answers ask.
final class FirestoreStream: Sendable {
  private struct State {
    var database: DatabaseName?
    var isLost = false
    var record = CallRecord()
    /// Its number in the log.
    var id: Int64?
  }

  private let calls: FirestoreCalls
  private let operation: String
  private let path: String
  private let authorization: String?
  private let state = Mutex(State())

  init(_ calls: FirestoreCalls, _ verb: String, path: String, authorization: String?) {
    self.calls = calls
    operation = FirestoreCall.operation(verb)
    self.path = path
    self.authorization = authorization
  }

  /// Serves the stream; a refusal that ends it is noted.
  func serve(_ firestore: Firestore, _ body: () async throws -> Void) async throws {
    do {
      try await body()
    } catch let refusal as APIError {
      let error = firestore.worded(refusal, for: call.project)
      calls.admission.note(call, state.withLock(\.record), error)
      throw state.withLock(\.isLost) ? Admission.lost : error
    }
  }

  /// To be asked when the first message names a database. The stream is noted then, because its
  /// end may be hours away.
  func caller(_ database: DatabaseName) async throws(APIError) -> FirestoreCaller {
    var record = state.withLock { state in
      state.database = database
      return state.record
    }
    defer { state.withLock { [record] in $0.record = record } }
    let party = try await calls.admission.admit(call, &record)
    state.withLock { $0.isLost = party.isLost }
    let caller = try party.caller.get()
    let id = calls.admission.note(call, record, nil)
    state.withLock { $0.id = id }
    return caller
  }

  /// Says in the log what a target misses: the stream was noted before.
  private func explain(_ missing: String) {
    guard let id = state.withLock(\.id) else { return }
    calls.admission.recorder.requests.explain(id, of: call.project, missing)
  }

  /// To be called where something has happened: there a stream ends that is to be lost.
  func passTurningPoint() throws(APIError) {
    if state.withLock(\.isLost) { throw Admission.lost }
  }

  private var call: FirestoreCall {
    let database = state.withLock(\.database)
    return FirestoreCall(
      operation: operation, path: path, authorization: authorization,
      project: database?.project ?? calls.defaultProject,
      resource: database?.description)
  }
}

// Both for both ways in.
extension FirestoreStream {
  /// A stream that is to be lost ends behind the first answer to a target, with its snapshot or
  /// its refusal: the client goes on from there.
  func listen<Requests: AsyncSequence & Sendable>(
    _ requests: Requests, in firestore: Firestore,
    _ send: @escaping @Sendable (ListenResponse) async throws -> Void
  ) async throws where Requests.Element == ListenRequest {
    try await serve(firestore) {
      try await MissedIndexes.hear({ self.explain($0) }) {
        try await firestore.listen(requests, as: resolution) { response in
          try await send(response)
          if response.settlesTarget { try self.passTurningPoint() }
        }
      }
    }
  }

  /// A stream that is to be lost ends when its first batch of writes is committed: the client does
  /// not hear of it.
  func write<Requests: AsyncSequence & Sendable>(
    _ requests: Requests, in firestore: Firestore,
    _ send: @escaping @Sendable (WriteResponse) async throws -> Void
  ) async throws where Requests.Element == WriteRequest {
    try await serve(firestore) {
      try await firestore.write(requests, as: resolution) { response in
        if response.hasCommitTime { try self.passTurningPoint() }
        try await send(response)
      }
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

import HearthErrors
import HearthFirestoreProtos
import HearthOperations
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Firestore {
  /// Serves one Listen stream until its requests end. `send` returns when the client can take more;
  /// the stream reads on in the log of commits at that pace.
  ///
  /// Two tasks share an inbox with the log: one reads the client, and the calling task owns the
  /// `ListenStream` and is the only one to send. A client that does not read suspends only that
  /// task: the log does not wait for it, and the stream keeps no commits, only its place.
  package func listen<Requests: AsyncSequence & Sendable>(
    _ requests: Requests, as caller: @escaping CallerResolution,
    send: @escaping @Sendable (ListenResponse) async throws -> Void
  ) async throws where Requests.Element == ListenRequest {
    let inbox = ListenInbox()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        do {
          for try await request in requests { try inbox.add(request) }
          inbox.end()
        } catch {
          inbox.end(error)
        }
      }
      // Before the stream notes its place in the log, so a commit in between is not missed.
      let listener = log.listen { inbox.tick() }
      defer { log.forget(listener: listener) }
      var stream = ListenStream(firestore: self, caller: caller, send: send)
      for await _ in inbox.signals {
        // One signal may stand for several requests and commits, so everything is looked at each
        // time.
        let (requests, isOver) = try inbox.take()
        for request in requests {
          try await LargeAnswers.Answer().whileMade { try await stream.handle(request) }
        }
        try await LargeAnswers.Answer().whileMade { try await stream.catchUp() }
        if isOver { break }
      }
      group.cancelAll()
    }
  }
}

/// What a Listen stream has to do next: requests in their order, and whether there was a commit.
///
/// The task that reads the client and the log fill it; the stream's own task empties it. It owns the
/// requests that are not handled yet, bounded in number, and the signal, which holds at most one
/// element: it says that there is something to do, and not what. It lives as long as the call of
/// `listen`.
private final class ListenInbox: Sendable {
  /// Requests that may wait while a slow client takes an answer. More end the stream.
  private static let mostRequests = 10_000

  private struct State {
    var requests: [ListenRequest] = []
    /// The client will send no more. What it has sent is still handled.
    var isOver = false
    /// Why reading failed. It ends the stream before requests that still wait.
    var failure: (any Error)?
  }

  let signals: AsyncStream<Void>
  private let signal: AsyncStream<Void>.Continuation
  private let state = Mutex(State())

  init() {
    (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  func add(_ request: ListenRequest) throws(APIError) {
    let isFull = state.withLock { state in
      state.requests.append(request)
      return state.requests.count > Self.mostRequests
    }
    if isFull {
      throw APIError(.resourceExhausted, message: "Too many requests wait on this stream.")
    }
    signal.yield()
  }

  func tick() { signal.yield() }

  func end(_ failure: (any Error)? = nil) {
    state.withLock { state in
      state.isOver = true
      state.failure = failure
    }
    signal.yield()
  }

  func take() throws -> (requests: [ListenRequest], isOver: Bool) {
    try state.withLock { state in
      if let failure = state.failure { throw failure }
      defer { state.requests = [] }
      return (state.requests, state.isOver)
    }
  }
}

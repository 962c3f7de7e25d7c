import HearthErrors
import HearthFirestoreProtos
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Firestore {
  /// Serves one Listen stream until its requests end. `send` returns when the client can take more;
  /// the stream reads on in the log of commits at that pace.
  package func listen<Requests: AsyncSequence & Sendable>(
    _ requests: Requests, as caller: @escaping CallerResolution,
    _ send: @escaping @Sendable (ListenResponse) async throws -> Void
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
      let ticks = log.ticks()
      group.addTask { for await _ in ticks { inbox.tick() } }
      var stream = ListenStream(firestore: self, caller: caller, send: send)
      for await _ in inbox.signals {
        let (requests, isOver) = try inbox.take()
        for request in requests { try await stream.handle(request) }
        try await stream.catchUp()
        if isOver { break }
      }
      group.cancelAll()
    }
  }
}

/// What a Listen stream has to do next: requests in their order, and whether there was a commit.
/// The task that reads the client and the writers of commits fill it; the stream's own task empties it.
private final class ListenInbox: Sendable {
  private static let mostRequests = 10_000

  private struct State {
    var requests: [ListenRequest] = []
    var isOver = false
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

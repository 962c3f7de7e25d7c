import Synchronization

/// An answer that comes bit by bit. It ends when the chunks do; the writer hangs up when the
/// client has gone.
package struct ReplyStream: Sendable {
  let chunks: AsyncStream<[UInt8]>
  let hangUp: @Sendable () -> Void
}

/// The streams of answers that are open, so that a server that stops can end them.
final class OpenStreams: Sendable {
  private struct State {
    var next = 0
    var streams: [Int: @Sendable () -> Void] = [:]
    var isClosed = false
  }

  private let state = Mutex(State())

  /// Takes note of a stream, and returns what is to be called when it has ended.
  func add(_ hangUp: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    let id = state.withLock { state -> Int? in
      guard !state.isClosed else { return nil }
      state.next += 1
      state.streams[state.next] = hangUp
      return state.next
    }
    guard let id else {
      hangUp()
      return {}
    }
    return { [self] in _ = state.withLock { $0.streams.removeValue(forKey: id) } }
  }

  func close() {
    let streams = state.withLock { state in
      state.isClosed = true
      return Array(state.streams.values)
    }
    for hangUp in streams { hangUp() }
  }
}

import Synchronization

/// An answer that comes bit by bit. It ends when the chunks do; the writer hangs up when the client
/// has gone, and a caller that refuses to write it hangs up without reading a chunk.
package struct ReplyStream: Sendable {
  package let chunks: AsyncStream<[UInt8]>
  /// May be called on any thread, also more than once and after the end.
  package let hangUp: @Sendable () -> Void

  package init(chunks: AsyncStream<[UInt8]>, hangUp: @escaping @Sendable () -> Void) {
    self.chunks = chunks
    self.hangUp = hangUp
  }
}

/// The streams of answers that are open, so that a server that stops can end them: most have no end
/// of their own.
///
/// It owns what ends each of them, and may be called on any thread. `PortLoad.hanging` bounds how
/// many there are.
package final class OpenStreams: Sendable {
  private struct State {
    var next = 0
    var streams: [Int: @Sendable () -> Void] = [:]
    var isClosed = false
  }

  private let state = Mutex(State())

  package init() {}

  /// Takes note of a stream, and returns what is to be called when it has ended. After `close`,
  /// the stream is ended at once.
  package func add(_ hangUp: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
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

  /// Ends all streams, and those that come later. They are ended outside of the lock, which the end
  /// of a stream takes.
  package func close() {
    let streams = state.withLock { state in
      state.isClosed = true
      return Array(state.streams.values)
    }
    for hangUp in streams { hangUp() }
  }
}

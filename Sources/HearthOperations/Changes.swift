package import HearthWire
import Synchronization

/// What happened, told to those who wait for it, after the commit.
package enum Change: Sendable {
  case messageCaptured(project: String, id: Int64)
  /// Something that people and tests watch for: its name, and what is to be told of it.
  case event(project: String, name: String, JSON)
  /// The same, of what all projects share.
  case eventEverywhere(name: String, JSON)
  /// A call of an API was answered. Its summary is made only when it is sent to somebody.
  case call(project: String, summary: @Sendable () -> JSON)
}

/// Hands committed changes to everyone who listens.
///
/// A listener that does not keep up loses the oldest changes and never holds up a writer; what it
/// missed is in the store.
package final class Changes: Sendable {
  private struct State {
    var next = 0
    var listeners: [Int: Listener] = [:]
    var observers: [@Sendable ([Change]) -> Void] = []
    var isClosed = false
  }

  /// One who hears of changes where they are published, and of the end.
  private struct Listener {
    let hear: @Sendable (Change) -> Void
    let end: @Sendable () -> Void
  }

  /// How many changes a stream may have waiting for it.
  package static let capacity = 256

  private let state = Mutex(State())

  package init() {}

  package func stream() -> AsyncStream<Change> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Change.self, bufferingPolicy: .bufferingNewest(Self.capacity))
    let forget = listen {
      continuation.yield($0)
    } end: {
      continuation.finish()
    }
    continuation.onTermination = { _ in forget() }
    return stream
  }

  /// Calls `hear` with each change where it is published: it must not take long. `end` is called when
  /// no more come.
  ///
  /// - Returns: what is to be called by one who listens no longer.
  package func listen(
    hear: @escaping @Sendable (Change) -> Void, end: @escaping @Sendable () -> Void
  ) -> @Sendable () -> Void {
    let id = state.withLock { state -> Int? in
      guard !state.isClosed else { return nil }
      state.next += 1
      state.listeners[state.next] = Listener(hear: hear, end: end)
      return state.next
    }
    guard let id else {
      end()
      return {}
    }
    return { [weak self] in _ = self?.state.withLock { $0.listeners.removeValue(forKey: id) } }
  }

  /// Calls the body with all changes, where they are published: it must not take long.
  package func observe(_ body: @escaping @Sendable ([Change]) -> Void) {
    state.withLock { $0.observers.append(body) }
  }

  /// Ends all streams, so that nobody waits for what will not come.
  package func close() {
    let listeners = state.withLock { state in
      state.isClosed = true
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.end() }
  }

  /// Whether anybody listens.
  package var isWatched: Bool { state.withLock { !$0.listeners.isEmpty } }

  package func publish(_ changes: [Change]) {
    guard !changes.isEmpty else { return }
    let (listeners, observers) = state.withLock { (Array($0.listeners.values), $0.observers) }
    for observer in observers { observer(changes) }
    for listener in listeners {
      for change in changes { listener.hear(change) }
    }
  }
}

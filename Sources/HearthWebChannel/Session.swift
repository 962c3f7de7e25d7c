import Synchronization

/// One logical stream between a client and its handler, over many requests.
///
/// It owns the stream's state, the handler's task and the time that the client has to come back, and may
/// be called on any thread. `SessionState` decides under the lock; a caller that changed something
/// notifies after it has left the lock, and those that wait look again.
final class Session: Sendable {
  let id: String
  let path: String

  /// Unstructured, because the session outlives each of its requests.
  private struct Tasks {
    var handler: Task<Void, Never>?
    var expiry: Task<Void, Never>?
  }

  private let timing: ChannelTiming
  /// Removes the session from its server. It may be called more than once.
  private let onEnd: @Sendable () -> Void
  private let state: Mutex<SessionState>
  private let tasks = Mutex(Tasks())
  /// Rings where a GET may have something to do.
  private let outgoing = ChangeNotifier()
  /// Rings where there may be room to send.
  private let acknowledged = ChangeNotifier()
  /// Rings where the client has said something.
  private let incoming = ChangeNotifier()

  init(
    id: String, path: String, limits: ChannelLimits, timing: ChannelTiming,
    onEnd: @escaping @Sendable () -> Void
  ) {
    self.id = id
    self.path = path
    self.timing = timing
    self.onEnd = onEnd
    state = Mutex(SessionState(limits))
  }

  /// Says what greets the client.
  func greeting() -> [UInt8] {
    state.withLock { $0.handshake(id, keepAlive: timing.keepAliveMilliseconds) }
  }

  /// Takes what came with the handshake.
  func take(_ body: ForwardBody) -> Bool { state.withLock { $0.receive(body) == .taken } }

  /// Ends the stream at once, whatever there was still to say.
  func end() {
    let isNews = state.withLock { state in
      defer { state.end() }
      return !state.isEnded
    }
    if isNews { conclude() }
  }

  /// Everyone who waits learns that it is over, and finds it gone.
  private func conclude() {
    onEnd()
    for notifier in [outgoing, acknowledged, incoming] { notifier.notify() }
    tasks.withLock { tasks in
      tasks.handler?.cancel()
      tasks.expiry?.cancel()
    }
  }
}

// The handler's side.
extension Session {
  /// Sets the handler to work.
  func start(_ handler: @escaping WebChannelServer.Handler, opening: ChannelOpening) {
    // It keeps the session alive until the handler returns.
    let work = Task { await run(handler, opening: opening) }
    let isEnded = tasks.withLock { tasks in
      tasks.handler = work
      return state.withLock { $0.isEnded }
    }
    // The server may have shut down in between.
    if isEnded { work.cancel() } else { awaitContact() }
  }

  private func run(_ handler: WebChannelServer.Handler, opening: ChannelOpening) async {
    let messages = AsyncStream { await self.nextMessage() }
    var failure: ChannelFailure?
    do {
      try await handler(opening, messages) { await self.send($0) }
    } catch let error as ChannelFailure {
      failure = error
    } catch {
      failure = ChannelFailure(code: 500, status: "INTERNAL", message: "The stream failed.")
    }
    state.withLock { $0.finish(failure) }
    outgoing.notify()
    // Whatever else of the handler's still wants to send will not be heard.
    acknowledged.notify()
  }

  private func nextMessage() async -> String? {
    while true {
      let ticket = incoming.ticket
      let (message, isEnded) = state.withLock { ($0.takeMessage(), $0.isEnded) }
      if isEnded || Task.isCancelled { return nil }
      if let message { return message }
      await incoming.wait(after: ticket)
    }
  }

  /// Returns when the message is on its way, which is where the client has taken enough of what
  /// went before. A client that takes nothing for as long as a silent one may stay away is lost.
  private func send(_ message: String) async {
    let payload = JSONText.ascii(message)
    while true {
      let ticket = acknowledged.ticket
      if Task.isCancelled { return }
      if state.withLock({ $0.send(payload) }) { break }
      // It begins again with each request of the client, which may acknowledge something.
      let surrender = timing.after(timing.expiry) { self.end() }
      await acknowledged.wait(after: ticket)
      surrender.cancel()
    }
    outgoing.notify()
  }
}

// The client's side.
extension Session {
  /// Takes a POST. `nil` where the session cannot go on.
  func receive(_ body: ForwardBody, acknowledging array: Int) -> [UInt8]? {
    let report: [UInt8]? = state.withLock { state in
      guard !state.isEnded, state.receive(body) == .taken else { return nil }
      state.acknowledge(array)
      return state.report
    }
    guard let report else {
      end()
      return nil
    }
    incoming.notify()
    noteAcknowledgement()
    awaitContact()
    return report
  }

  /// Answers a GET with all that is not acknowledged and then with what comes. `nil` where nothing
  /// will come any more.
  func listen(acknowledging array: Int, isBuffered: Bool, patience: Duration)
    -> ChannelChunks?
  {
    let channel = state.withLock {
      $0.openBackChannel(acknowledging: array, isBuffered: isBuffered)
    }
    noteAcknowledgement()
    guard let channel else { return nil }
    // An older GET finds itself replaced.
    outgoing.notify()
    let endNotifier = EndNotifier { [weak self] in self?.hangUp(channel) }
    let chunks = AsyncStream { await self.nextChunk(on: channel, patience: patience, endNotifier) }
    return ChannelChunks(chunks) { [weak self] in self?.hangUp(channel) }
  }

  private func nextChunk(on channel: Int, patience: Duration, _ endNotifier: EndNotifier) async
    -> [UInt8]?
  {
    // One for the whole wait: the client counts from the last byte, not from what woke us.
    var reminder: Task<Void, Never>?
    defer { reminder?.cancel() }
    while true {
      let ticket = outgoing.ticket
      let step = Task.isCancelled ? .end : state.withLock { $0.step(on: channel) }
      switch step {
      case .chunk(let bytes): return bytes
      case .end:
        endNotifier.end()
        return nil
      case .wait:
        reminder = reminder ?? timing.after(patience) { self.keepAlive(channel) }
        await outgoing.wait(after: ticket)
      }
    }
  }

  private func keepAlive(_ channel: Int) {
    state.withLock { $0.keepAlive(channel) }
    outgoing.notify()
  }

  private func noteAcknowledgement() {
    acknowledged.notify()
    // The last word may have been acknowledged.
    if state.withLock({ $0.isEnded }) { conclude() }
  }

  private func hangUp(_ channel: Int) {
    state.withLock { $0.closeBackChannel(channel) }
    outgoing.notify()
    awaitContact()
  }

  /// Ends the session where the client neither asks nor says anything from now on.
  private func awaitContact() {
    guard let contact = state.withLock({ $0.countContact() }) else { return }
    let expiry = timing.after(timing.expiry) { [weak self] in
      guard let self else { return }
      if state.withLock({ $0.isIdle && $0.contacts == contact }) { end() }
    }
    tasks.withLock { tasks in
      tasks.expiry?.cancel()
      tasks.expiry = expiry
    }
  }
}

/// Says once that something is over: when told so, or when nobody holds it any more.
private final class EndNotifier: Sendable {
  private let onEnd: Mutex<(@Sendable () -> Void)?>

  init(onEnd: @escaping @Sendable () -> Void) { self.onEnd = Mutex(onEnd) }

  deinit { end() }

  func end() {
    let act = onEnd.withLock { onEnd in
      defer { onEnd = nil }
      return onEnd
    }
    act?()
  }
}

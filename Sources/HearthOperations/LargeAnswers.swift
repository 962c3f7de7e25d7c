import Synchronization

/// Large answers, from before they are read from the store until their clients have taken them.
///
/// What an answer takes is estimated while it is made, and known when it is complete. Where that
/// does not fit beside the other answers, the call gives back what it has read and waits, the first
/// one first; nobody waits and holds memory. While somebody waits, or where the bytes exceed the
/// bound all the same, each client loses its connection that has not read for a while. So a client
/// that does not read costs others a moment at most, and the memory of the server has a bound.
///
/// It owns the account of these answers, and may be called on any thread. Clients are cut off, and
/// tasks are resumed, outside of its lock. Record 0028.
package final class LargeAnswers: Sendable {
  package static let shared = LargeAnswers()

  /// Smaller answers are not accounted for, and never wait.
  package static let small = 256 << 10
  /// Pieces in which large ones are written.
  package static let piece = 128 << 10
  /// How many times its size in the store an answer takes while it is made: as it was read, decoded,
  /// and encoded into memory that grows.
  package static let expansion = 4

  /// How large the answer of an operation may become: a document at most, or a list of any length.
  /// A document has some room of its own: it does not wait for clients that ask for many.
  package enum Size: Sendable {
    case document
    case any
  }

  private struct State {
    var bytes = 0
    var highest = 0
    var holders: [ObjectIdentifier: Holder] = [:]
    /// In the order in which they came.
    var waiting: [Waiter] = []
    var isWatching = false
  }

  private struct Holder {
    var bytes: Int
    var lastProgress = ContinuousClock.now
    /// Nil until the answer is being written: its client has had nothing to read yet.
    var cut: (@Sendable () -> Void)?
  }

  private struct Waiter {
    let id: ObjectIdentifier
    let size: Size
    let bytes: Int
    let continuation: CheckedContinuation<Void, Never>
  }

  /// In bytes.
  private let most: Int
  /// How long a client may read nothing while others wait for room.
  private let patience: Duration
  private let state = Mutex(State())

  package init(most: Int = 192 << 20, patience: Duration = .seconds(2)) {
    self.most = most
    self.patience = patience
  }

  /// Bytes that are accounted for now.
  package var held: Int { state.withLock(\.bytes) }
  /// The most that was accounted for at any time.
  package var highest: Int { state.withLock(\.highest) }
  /// How many calls wait for room.
  package var waiting: Int { state.withLock(\.waiting.count) }

  // MARK: Taking

  /// Whether the answer has so much room now: it had it, or there is some, and nobody of its kind
  /// waits for it.
  fileprivate func take(_ wanted: Int, size: Size, for id: ObjectIdentifier) -> Int? {
    let bytes = min(wanted, most)
    return state.withLock { state in
      let own = state.holders[id]?.bytes ?? 0
      if own >= bytes { return own }
      guard !state.waiting.contains(where: { $0.size == size }),
        state.bytes - own + bytes <= bound(of: size)
      else { return nil }
      set(bytes, for: id, state: &state)
      return bytes
    }
  }

  /// What the answer really takes. It never waits: the memory is in use already.
  fileprivate func hold(_ bytes: Int, for id: ObjectIdentifier) {
    let (goOn, watches) = state.withLock { state in
      set(bytes, for: id, state: &state)
      let goOn = admit(&state)
      guard state.bytes > most, !state.isWatching else { return (goOn, false) }
      state.isWatching = true
      return (goOn, true)
    }
    for continuation in goOn { continuation.resume() }
    if watches { watch() }
  }

  /// Gives back what the answer has, and returns when there is so much room; without any where the
  /// task is cancelled.
  fileprivate func wait(for wanted: Int, size: Size, id: ObjectIdentifier) async -> Int {
    let bytes = min(wanted, most)
    hold(0, for: id)
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (goesOn, watches) = state.withLock { state in
          if Task.isCancelled { return (true, false) }
          guard
            state.waiting.contains(where: { $0.size == size })
              || state.bytes + bytes > bound(of: size)
          else {
            set(bytes, for: id, state: &state)
            return (true, false)
          }
          state.waiting.append(
            Waiter(id: id, size: size, bytes: bytes, continuation: continuation))
          defer { state.isWatching = true }
          return (false, !state.isWatching)
        }
        if goesOn { continuation.resume() }
        if watches { watch() }
      }
    } onCancel: {
      giveUp(id)
    }
    return state.withLock { $0.holders[id]?.bytes ?? 0 }
  }

  private func giveUp(_ id: ObjectIdentifier) {
    let waiter = state.withLock { state in
      state.waiting.firstIndex { $0.id == id }.map { state.waiting.remove(at: $0) }
    }
    waiter?.continuation.resume()
  }

  private func set(_ bytes: Int, for id: ObjectIdentifier, state: inout State) {
    let own = state.holders[id]?.bytes ?? 0
    state.bytes += bytes - own
    state.highest = max(state.highest, state.bytes)
    if bytes == 0 {
      state.holders[id] = nil
    } else {
      state.holders[id, default: Holder(bytes: 0)].bytes = bytes
    }
  }

  /// Lets those in for whom there is room now. Of its kind, none passes one that came earlier.
  private func admit(_ state: inout State) -> [CheckedContinuation<Void, Never>] {
    guard !state.waiting.isEmpty else { return [] }
    var goOn: [CheckedContinuation<Void, Never>] = []
    var blocked: Set<Size> = []
    var rest: [Waiter] = []
    for waiter in state.waiting {
      if !blocked.contains(waiter.size), state.bytes + waiter.bytes <= bound(of: waiter.size) {
        // Accounted for here, and not when the task runs: others may come in between.
        set(waiter.bytes, for: waiter.id, state: &state)
        goOn.append(waiter.continuation)
      } else {
        blocked.insert(waiter.size)
        rest.append(waiter)
      }
    }
    state.waiting = rest
    return goOn
  }

  private func bound(of size: Size) -> Int {
    switch size {
    case .document: most + most / 3
    case .any: most
    }
  }

  // MARK: Clients that do not read

  fileprivate func note(for id: ObjectIdentifier, cut: (@Sendable () -> Void)?) {
    state.withLock { state in
      if let cut { state.holders[id]?.cut = cut }
      // The time that it took to be made does not count against the client.
      state.holders[id]?.lastProgress = .now
    }
  }

  /// While somebody waits, and while too much is held: cuts off the clients that do not read.
  /// Sockets are judged by the machine's time; a project's clock may stand still.
  private func watch() {
    // A task that inherits the values of this one would keep its answer, and so the room that it
    // waits for.
    Task.detached { [self] in
      while true {
        try? await Task.sleep(for: patience / 5)
        let now = ContinuousClock.now
        let stuck = state.withLock { state -> [@Sendable () -> Void]? in
          guard !state.waiting.isEmpty || state.bytes > most else {
            state.isWatching = false
            return nil
          }
          return state.holders.values.compactMap { holder in
            holder.lastProgress + patience < now ? holder.cut : nil
          }
        }
        guard let stuck else { return }
        for cut in stuck { cut() }
      }
    }
  }
}

extension LargeAnswers {
  /// The answer of one call, of which only a large one is accounted for.
  ///
  /// It owns its share of the account, and gives it back with the last reference to it. One task
  /// makes it; others may have it cut off.
  package final class Answer: Sendable {
    /// That of the call that is being carried out. What is large is found far below the place that
    /// answers, and most answers are small, so it is a value of the task.
    @TaskLocal package static var current: Answer?

    private let size: Size
    private let answers: LargeAnswers
    /// Known here as well, so that a small answer takes no lock.
    private let held = Atomic<Int>(0)
    private let wanted = Atomic<Int>(0)

    package init(_ size: Size = .any, in answers: LargeAnswers = .shared) {
      self.size = size
      self.answers = answers
    }

    deinit { hold(0) }

    /// Carries out the call that makes this answer.
    package func whileMade<Value, Failure: Error>(
      isolation: isolated (any Actor)? = #isolation,
      _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
      let result: Result<Value, Failure> = await Self.$current.withValue(self) {
        do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
      }
      return try result.get()
    }

    /// Whether what has been read so far may be kept, by its bytes in the store. Where it may not,
    /// it is to be dropped, and read again after ``room()``.
    package func mayKeep(_ bytes: Int, isComplete: Bool) -> Bool {
      guard bytes > LargeAnswers.small else { return true }
      var need = bytes * LargeAnswers.expansion
      let held = held.load(ordering: .relaxed)
      if need <= held { return true }
      // How much there is to come, nobody knows: some room at first, and then twice as much each
      // time, so that it is not read again often.
      if !isComplete { need = max(2 * need, answers.most / 3) }
      if let room = answers.take(need, size: size, for: ObjectIdentifier(self)) {
        self.held.store(room >= answers.most ? .max : room, ordering: .relaxed)
        return true
      }
      wanted.store(need, ordering: .relaxed)
      return false
    }

    /// Whether something was not to be kept.
    package var wantsRoom: Bool { wanted.load(ordering: .relaxed) > 0 }

    /// Returns when there is room for what was not to be kept.
    package func room() async {
      let need = wanted.exchange(0, ordering: .relaxed)
      let room = await answers.wait(for: need, size: size, id: ObjectIdentifier(self))
      held.store(room >= answers.most ? .max : room, ordering: .relaxed)
    }

    /// Accounts for what the answer really takes.
    package func hold(_ bytes: Int) {
      let bytes = bytes > LargeAnswers.small ? bytes : 0
      let before = held.exchange(bytes, ordering: .relaxed)
      guard before > 0 || bytes > 0 else { return }
      answers.hold(bytes, for: ObjectIdentifier(self))
    }

    /// As ``hold(_:)``, where it takes more than is accounted for.
    package func hold(atLeast bytes: Int) {
      if held.load(ordering: .relaxed) < bytes { hold(bytes) }
    }

    /// What is to be done when the client is found not to read.
    package func whenStuck(_ cut: @escaping @Sendable () -> Void) {
      guard held.load(ordering: .relaxed) > 0 else { return }
      answers.note(for: ObjectIdentifier(self), cut: cut)
    }

    /// The client has taken a piece.
    package func progress() {
      guard held.load(ordering: .relaxed) > 0 else { return }
      answers.note(for: ObjectIdentifier(self), cut: nil)
    }
  }
}

import NIOCore
import Synchronization

/// Large answers that have been made and that their clients have not read yet.
///
/// Where they come to too many bytes, operations that may make another one wait; and of the clients
/// that have not read for a while, each loses its connection. So a client that does not read costs
/// others a moment at most, and the memory of the server has a bound. What answers with a document
/// at most has some room of its own: it does not wait for clients that ask for many.
///
/// It owns the account of these answers, and may be called on any thread. Clients are cut off, and
/// tasks are resumed, outside of its lock. Record 0028.
final class LargeAnswers: Sendable {
  static let shared = LargeAnswers()

  /// Smaller answers are not accounted for.
  static let small = 256 << 10
  /// Pieces in which large ones are written.
  static let piece = 128 << 10

  /// How large the answer of an operation may become: a document at most, or a list of any length.
  enum Size: Sendable {
    case document
    case any
  }

  private struct State {
    var bytes = 0
    var next = 0
    var answers: [Int: Pending] = [:]
    var waiting: [(size: Size, continuation: CheckedContinuation<Bool, Never>)] = []
    var isWatching = false
  }

  private struct Pending {
    let bytes: Int
    var lastProgress: ContinuousClock.Instant
    /// Nil until the answer is being written: its client has had nothing to read yet.
    var cut: (@Sendable () -> Void)?
  }

  /// Bytes above which an operation that may answer with a list waits.
  private let most: Int
  /// How long a client may read nothing while others wait for room.
  private let patience: Duration
  private let state = Mutex(State())
  /// Whether the bytes exceed `most`. It is written under the lock, and read without it, since
  /// every call of Firestore asks.
  private let full = Atomic<Bool>(false)

  init(most: Int = 192 << 20, patience: Duration = .seconds(2)) {
    self.most = most
    self.patience = patience
  }

  /// A large answer, from when it is made until it is written or given up.
  ///
  /// It owns its share of the account, and gives it back with the last reference to it.
  final class Answer: Sendable {
    private let id: Int
    private let answers: LargeAnswers

    fileprivate init(_ id: Int, _ answers: LargeAnswers) {
      self.id = id
      self.answers = answers
    }

    deinit { answers.remove(id) }

    /// What is to be done when the client is found not to read.
    func whenStuck(_ cut: @escaping @Sendable () -> Void) {
      answers.state.withLock { $0.answers[id]?.cut = cut }
      // The time that it took to be made does not count against the client.
      progress()
    }

    /// The client has taken a piece.
    func progress() {
      answers.state.withLock { $0.answers[id]?.lastProgress = .now }
    }
  }

  /// Takes note of an answer that has just been made; nil where it is small. It never waits: the
  /// bytes are in memory already, so operations that began while there was room may exceed the
  /// bound together.
  func note(_ bytes: Int) -> Answer? {
    guard bytes > Self.small else { return nil }
    let id = state.withLock { state in
      state.next += 1
      state.bytes += bytes
      state.answers[state.next] = Pending(bytes: bytes, lastProgress: .now)
      if state.bytes > most { full.store(true, ordering: .relaxed) }
      return state.next
    }
    return Answer(id, self)
  }

  private func remove(_ id: Int) {
    let waiting = state.withLock { state -> [CheckedContinuation<Bool, Never>] in
      guard let answer = state.answers.removeValue(forKey: id) else { return [] }
      state.bytes -= answer.bytes
      if state.bytes <= most { full.store(false, ordering: .relaxed) }
      let bytes = state.bytes
      let goOn = state.waiting.filter { bytes <= bound(of: $0.size) }.map(\.continuation)
      if !goOn.isEmpty { state.waiting.removeAll { bytes <= bound(of: $0.size) } }
      return goOn
    }
    // They look again: an answer may have been noted since the lock was released.
    for continuation in waiting { continuation.resume(returning: false) }
  }

  private func bound(of size: Size) -> Int {
    switch size {
    case .document: most + most / 3
    case .any: most
    }
  }

  /// Whether no other answer fits, of any size.
  var isFull: Bool { full.load(ordering: .relaxed) }

  /// Returns when another answer of that size may be made.
  func room(for size: Size = .any) async {
    // Those that wait go on together, and the first of them may fill it again.
    while full.load(ordering: .relaxed) {
      let hasRoom = await withCheckedContinuation { continuation in
        let (goesOn, watches) = state.withLock { state in
          guard state.bytes > bound(of: size) else { return (true, false) }
          state.waiting.append((size, continuation))
          defer { state.isWatching = true }
          return (false, !state.isWatching)
        }
        if goesOn { continuation.resume(returning: true) }
        if watches { watch() }
      }
      if hasRoom { return }
    }
  }

  /// As long as somebody waits: cuts off the clients that do not read. Sockets are judged by the
  /// machine's time; a project's clock may stand still.
  private func watch() {
    Task {
      while true {
        try? await Task.sleep(for: patience / 5)
        let now = ContinuousClock.now
        let stuck = state.withLock { state -> [@Sendable () -> Void]? in
          guard !state.waiting.isEmpty else {
            state.isWatching = false
            return nil
          }
          return state.answers.values.compactMap { answer in
            answer.lastProgress + patience < now ? answer.cut : nil
          }
        }
        guard let stuck else { return }
        for cut in stuck { cut() }
      }
    }
  }
}

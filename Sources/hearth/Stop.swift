import Dispatch
import HearthServer
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Ends the process in time, whatever its other threads are busy with.
///
/// Signals are handled, and time is counted, on a thread of its own. The first signal asks the
/// server to end; when that takes too long, what is to be exported is exported from here, and the
/// process ends. A second signal ends it at once. A class, because it owns the signals.
final class Stop: Sendable {
  /// How long requests under way may take.
  static let patience = DispatchTimeInterval.milliseconds(1500)
  /// Some who start programs send a signal that a key has sent already.
  private static let echo = Duration.milliseconds(200)

  private struct State {
    var hearth: Hearth?
    var begin: (@Sendable () -> Void)?
    var isAsked = false
    var askedAt: ContinuousClock.Instant?
    /// They get signals for as long as they are kept.
    var sources: [Source] = []
    /// What is done before the process ends without its server.
    var atOnce: (@Sendable () -> Void)?
  }

  /// Unchecked: nobody uses the source once it is set up. It is kept because it gets signals only
  /// while it lives.
  private struct Source: @unchecked Sendable {
    let source: any DispatchSourceSignal
  }

  /// A serial queue, which has a thread of its own where all others are busy.
  private let queue = DispatchQueue(label: "hearth.stop")
  private let state = Mutex(State())
  private let patience: DispatchTimeInterval

  init(patience: DispatchTimeInterval = Stop.patience) { self.patience = patience }

  /// The work is done where the process ends at once.
  func atOnce(_ work: @escaping @Sendable () -> Void) { state.withLock { $0.atOnce = work } }

  /// Once this returns, the signals do not end the process by themselves. Until then they do: a
  /// signal that nobody handles must not be lost, and Dispatch takes its time on a busy machine.
  ///
  /// They are those that the official command handles. SIGHUP comes when a terminal is closed, and
  /// stays ignored below `nohup`.
  func handleSignals() async {
    for number in [SIGTERM, SIGINT, SIGQUIT, SIGHUP] where number != SIGHUP || !Self.ignores(number)
    {
      #if canImport(Darwin)
        // Elsewhere Dispatch has a handler of its own.
        signal(number, SIG_IGN)
      #endif
      let kept = Source(source: DispatchSource.makeSignalSource(signal: number, queue: queue))
      state.withLock { $0.sources.append(kept) }
      kept.source.setEventHandler { self.handle(number) }
      await withCheckedContinuation { continuation in
        kept.source.setRegistrationHandler { continuation.resume() }
        kept.source.resume()
      }
    }
  }

  private static func ignores(_ number: Int32) -> Bool {
    let handler = signal(number, SIG_IGN)
    signal(number, handler)
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// `begin` asks the server to end. It is called at the first signal, or now if that has come.
  func watch(_ hearth: Hearth, begin: @escaping @Sendable () -> Void) {
    let isLate = state.withLock { state in
      state.hearth = hearth
      state.begin = begin
      return state.isAsked
    }
    if isLate { endSoon(status: 0, begin: begin) }
  }

  /// The server is ending without a signal; the next one ends the process at once.
  func ending(_ hearth: Hearth, status: Int32) {
    state.withLock { state in
      state.hearth = hearth
      state.isAsked = true
      state.askedAt = .now
    }
    endSoon(status: status) {}
  }

  private func handle(_ number: Int32) {
    let now = ContinuousClock.now
    let (isFirst, isEcho, begin) = state.withLock { state in
      defer {
        if !state.isAsked { state.askedAt = now }
        state.isAsked = true
      }
      let isEcho = state.askedAt.map { now - $0 < Self.echo } ?? false
      return (!state.isAsked, isEcho, state.begin)
    }
    if isFirst {
      if let begin { endSoon(status: 0, begin: begin) }
    } else if !isEcho {
      state.withLock(\.atOnce)?()
      _exit(128 + number)
    }
  }

  private func endSoon(status: Int32, begin: () -> Void) {
    begin()
    // A queue of its own: this one goes on handling signals during an export.
    DispatchQueue(label: "hearth.end").asyncAfter(deadline: .now() + patience) {
      self.state.withLock(\.atOnce)?()
      do {
        try self.state.withLock(\.hearth)?.finish()
      } catch {
        warn("\(error)")
        _exit(status == 0 ? 1 : status)
      }
      _exit(status)
    }
  }
}

import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A value that one thread at a time may use.
///
/// Unchecked, because the compiler does not know the lock: nobody else has the value, which is sent
/// in, and it is reached in `withLock` only. Its user must not let it escape from there.
///
/// `Mutex` would check that, but spins before it waits. That was tried: the time that it takes from
/// the other threads is worth more.
final class Exclusive<Value>: @unchecked Sendable {
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  private let value: Value
  private let waiting = Atomic<Int>(0)

  /// Whether a thread waits. It may have ended that by now.
  var hasWaiters: Bool { waiting.load(ordering: .relaxed) > 0 }

  init(_ value: sending Value) {
    self.value = value
    lock = .allocate(capacity: 1)
    pthread_mutex_init(lock, nil)
  }

  deinit {
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  /// Calls the body on this thread, once no other thread is in it. A body that calls it again waits
  /// for ever.
  func withLock<Result, Failure>(
    _ body: (Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if pthread_mutex_trylock(lock) != 0 {
      waiting.add(1, ordering: .relaxed)
      pthread_mutex_lock(lock)
      waiting.subtract(1, ordering: .relaxed)
    }
    defer { pthread_mutex_unlock(lock) }
    return try body(value)
  }
}

import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// How busy a port is. The listener owns it and its connections look at it, each on its own loop:
/// the counts are independent of all else, so relaxed atomics do.
package final class PortLoad: Sendable {
  /// Connections that the port takes at once.
  package let most: Int
  /// Answers that come to no end by themselves, or after minutes: waits and streams. Half of the
  /// connections may have one; the others are for requests.
  let hanging: ByteBudget
  private let open = Atomic<Int>(0)

  package init(most: Int) {
    self.most = most
    hanging = ByteBudget(max(1, most / 2))
  }

  func connectionOpened() { open.add(1, ordering: .relaxed) }

  package func connectionClosed() { open.subtract(1, ordering: .relaxed) }

  /// Whether the next connection has to wait.
  package var isFull: Bool { open.load(ordering: .relaxed) >= most }

  /// Whether idle connections should make room.
  package var isCrowded: Bool { open.load(ordering: .relaxed) > most * 3 / 4 }
}

extension Limits {
  /// The same limits with no more connections than the process may have files open. Without a file
  /// for the next connection, a port would try to accept it again and again.
  package func fitting(ports: Int) -> Limits {
    #if canImport(Darwin)
      let resource = RLIMIT_NOFILE
    #else
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #endif
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0, limit.rlim_cur < 1 << 20 else { return self }
    let files = Int(limit.rlim_cur)
    // The database, the event loops, calls to other servers.
    let others = min(96, files / 2)
    var limits = self
    limits.connections = min(connections, max(1, (files - others) / max(1, ports)))
    return limits
  }
}

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Keeps others from writing to a directory for as long as this one lives: other threads, and other
/// servers. A class, because it owns the descriptor.
package final class DirectoryLock {
  private let descriptor: Int32

  /// Waits until nobody else has it. Where a directory cannot be locked, nobody waits.
  package init(_ path: String) {
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
  }

  deinit { if descriptor >= 0 { _ = close(descriptor) } }
}

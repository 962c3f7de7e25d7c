#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// How many files and connections the process may have open.
enum OpenFiles {
  /// What macOS allows at most.
  private static let enough: rlim_t = 10_240

  /// Shells start programs with few, 256 on macOS, which a suite of clients uses up; the system
  /// allows more to who asks.
  static func raiseLimit() {
    #if canImport(Darwin)
      let resource = RLIMIT_NOFILE
    #else
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #endif
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0, limit.rlim_cur < enough else { return }
    limit.rlim_cur = min(limit.rlim_max, enough)
    _ = setrlimit(resource, &limit)
  }
}

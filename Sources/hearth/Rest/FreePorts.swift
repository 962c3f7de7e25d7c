import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Ports that nobody has, given out one after the other. A class, because it is asked by who plans.
final class FreePorts: Sendable {
  private let rest: Mutex<[Int]>

  init(_ ports: [Int]) { rest = Mutex(ports) }

  /// 0 where all are given out.
  @Sendable func next() -> Int { rest.withLock { $0.popLast() ?? 0 } }

  /// Below those that Linux and macOS give out by themselves, to clients and to servers at port 0:
  /// one of these may be somebody's before the child opens it, which takes seconds.
  private static let range = 16_384..<32_768

  /// As many different ones as are asked for, or fewer where there are no more.
  ///
  /// The child opens a port for TCP; here the same number is held for UDP as long as this process
  /// lives, so that no other hearth, which looks there first, chooses it meanwhile.
  static func find(_ count: Int) -> [Int] {
    var ports: [Int] = []
    let start = Int.random(in: range)
    for port in Array(start..<range.upperBound) + Array(range.lowerBound..<start) {
      guard ports.count < count else { break }
      guard let claim = bound(to: port, isStream: false) else { continue }
      if let probe = bound(to: port, isStream: true) {
        close(probe)
        ports.append(port)
      } else {
        close(claim)
      }
    }
    return ports
  }

  /// A socket of this machine's own address, which no command inherits; nil where the port is somebody's.
  private static func bound(to port: Int, isStream: Bool) -> Int32? {
    #if canImport(Darwin)
      let descriptor = socket(AF_INET, isStream ? SOCK_STREAM : SOCK_DGRAM, 0)
    #else
      let kind = isStream ? SOCK_STREAM : SOCK_DGRAM
      let descriptor = socket(AF_INET, CInt(kind.rawValue), 0)
    #endif
    guard descriptor >= 0 else { return nil }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = UInt16(port).bigEndian
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else {
      close(descriptor)
      return nil
    }
    return descriptor
  }
}

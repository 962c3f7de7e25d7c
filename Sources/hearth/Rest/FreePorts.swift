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

  /// As many different ones as are asked for. They are held until all are found, and free then.
  static func find(_ count: Int) -> [Int] {
    var descriptors: [Int32] = []
    defer { for descriptor in descriptors { close(descriptor) } }
    var ports: [Int] = []
    for _ in 0..<count {
      #if canImport(Darwin)
        let descriptor = socket(AF_INET, SOCK_STREAM, 0)
      #else
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
      #endif
      guard descriptor >= 0 else { return ports }
      descriptors.append(descriptor)
      guard let port = bound(descriptor) else { return ports }
      ports.append(port)
    }
    return ports
  }

  private static func bound(_ descriptor: Int32) -> Int? {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    return withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        guard bind(descriptor, address, length) == 0, getsockname(descriptor, address, &length) == 0
        else { return nil }
        return pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
          Int(UInt16(bigEndian: $0.pointee.sin_port))
        }
      }
    }
  }
}

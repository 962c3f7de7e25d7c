import HearthSettings
import NIOCore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension Hearth {
  /// Refuses to start where a port that is needed is taken, before anything is imported and said.
  /// The port may still be taken until it is opened; then the listener says so.
  ///
  /// - Throws: ``ConfigurationError`` with a line for each such port.
  func checkPorts() throws(ConfigurationError) {
    let needed = plans.filter { $0.isNeeded && !$0.mayMove && $0.port > 0 }
    let taken = needed.filter { PortProbe.isTaken($0.port, at: configuration.host) }
    guard !taken.isEmpty else { return }
    throw ConfigurationError(taken.map(\.takenWords).joined(separator: "\n"))
  }
}

/// Asks the system whether a port is free, without opening it.
package enum PortProbe {
  package static func isTaken(_ port: Int, at host: String) -> Bool {
    guard let address = try? SocketAddress.makeAddressResolvingHost(host, port: port) else {
      return false
    }
    #if canImport(Darwin)
      let kind = SOCK_STREAM
    #else
      let kind = CInt(SOCK_STREAM.rawValue)
    #endif
    let descriptor = socket(CInt(address.protocol.rawValue), kind, 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var isReusable: CInt = 1
    setsockopt(
      descriptor, SOL_SOCKET, SO_REUSEADDR, &isReusable, socklen_t(MemoryLayout<CInt>.size))
    let result = address.withSockAddr { bind(descriptor, $0, socklen_t($1)) }
    return result != 0 && errno == EADDRINUSE
  }
}

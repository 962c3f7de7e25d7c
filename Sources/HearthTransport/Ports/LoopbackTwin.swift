package import NIOCore

/// The address of this machine that clients may mean as well when they mean 127.0.0.1.
///
/// `localhost` is ::1 to some clients, and some are told to use it.
package struct LoopbackTwin {
  package let host = "::1"
  package let port: Int

  /// Nil for any address but 127.0.0.1.
  package init?(of address: SocketAddress?) {
    guard let address, address.ipAddress == "127.0.0.1", let port = address.port else { return nil }
    self.port = port
  }
}

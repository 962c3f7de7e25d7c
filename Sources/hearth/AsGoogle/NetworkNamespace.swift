#if os(Linux)
  import CHearthNamespace
  import Glibc
  import HearthGoogle
  import HearthServer

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// A network in which nothing exists but a loopback interface, and files that are covered.
  ///
  /// The kernel takes a process into a new user namespace only while it has one thread, and the
  /// process that calls this changes for good.
  enum NetworkNamespace {
    /// Moves this process into it.
    ///
    /// - Throws: ``NamespaceFailure`` for the first step that the system refuses. The process is of
    ///   no use then.
    static func enter(covering covers: Covers) throws(NamespaceFailure) {
      try unshareNetwork()
      // Otherwise the mounts below would spread to the machine where its root is shared, as systemd
      // makes it.
      guard mount("none", "/", nil, UInt(MS_REC) | UInt(MS_PRIVATE), nil) == 0 else {
        throw .system("make its mounts private")
      }
      try raiseLoopback()
      for cover in covers.covers { try lay(cover) }
    }

    /// As root without a user namespace, where the system lets it: the files of other users keep
    /// their owners then.
    private static func unshareNetwork() throws(NamespaceFailure) {
      let (user, group) = (geteuid(), getegid())
      if user == 0, unshare(hearth_new_net | hearth_new_mounts) == 0 { return }
      guard unshare(hearth_new_user | hearth_new_net | hearth_new_mounts) == 0 else {
        throw .system("make a user and network namespace")
      }
      // The command stays who it is.
      // The kernel takes a map of groups from an ordinary user only when `setgroups` was denied
      // before.
      try write("deny", to: "/proc/self/setgroups")
      try write("\(user) \(user) 1", to: "/proc/self/uid_map")
      try write("\(group) \(group) 1", to: "/proc/self/gid_map")
    }

    /// In one call of `write`, because the kernel takes such a file only as a whole.
    private static func write(_ text: String, to path: String) throws(NamespaceFailure) {
      let file = open(path, O_WRONLY | O_CLOEXEC)
      guard file >= 0 else { throw .system("open \(path)") }
      defer { close(file) }
      let count = text.utf8.count
      guard Glibc.write(file, text, count) == count else { throw .system("write \(path)") }
    }

    /// Mounts a file or folder over another one. What is not there need not be covered, unless it
    /// is required.
    private static func lay(_ cover: Covers.Cover) throws(NamespaceFailure) {
      guard mount(cover.source, cover.target, nil, UInt(MS_BIND), nil) != 0 else { return }
      if errno == ENOENT, !cover.isRequired { return }
      throw .system("cover \(cover.target)")
    }

    /// Brings the loopback interface up, with the metadata server's address beside its own.
    private static func raiseLoopback() throws(NamespaceFailure) {
      let socket = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      guard socket >= 0 else { throw .system("open a socket") }
      defer { close(socket) }
      var request = interface("lo")
      request.ifr_ifru.ifru_flags = Int16(IFF_UP)
      guard ioctl(socket, UInt(SIOCSIFFLAGS), &request) == 0 else {
        throw .system("bring the loopback interface up")
      }
      // By default the whole of 169.254 would be here.
      for (call, address) in [
        (SIOCSIFADDR, GoogleHosts.metadataAddress), (SIOCSIFNETMASK, "255.255.255.255"),
      ] {
        // An alias of the interface, since the first address is 127.0.0.1.
        var request = interface("lo:1")
        set(address, in: &request)
        guard ioctl(socket, UInt(call), &request) == 0 else {
          throw .system("give the loopback interface \(GoogleHosts.metadataAddress)")
        }
      }
    }

    private static func interface(_ name: String) -> ifreq {
      var request = ifreq()
      withUnsafeMutableBytes(of: &request.ifr_ifrn.ifrn_name) { $0.copyBytes(from: name.utf8) }
      return request
    }

    private static func set(_ address: String, in request: inout ifreq) {
      var socketAddress = IPv4Port(address, port: 0).socketAddress
      withUnsafeBytes(of: &socketAddress) { bytes in
        withUnsafeMutableBytes(of: &request.ifr_ifru.ifru_addr) { $0.copyMemory(from: bytes) }
      }
    }
  }

  /// An IPv4 address and port of the namespace that somebody listens at. There is no IPv6: names
  /// lead to IPv4 addresses.
  struct IPv4Port: Equatable {
    let host: String
    let port: Int

    init(_ host: String, port: Int) {
      self.host = host
      self.port = port
    }

    /// Reads `127.0.0.1:443`.
    init?(_ text: String) {
      let parts = text.split(separator: ":")
      guard parts.count == 2, let port = Int(parts[1]), 0..<65536 ~= port else { return nil }
      self.init(String(parts[0]), port: port)
    }

    var text: String { "\(host):\(port)" }

    var socketAddress: sockaddr_in {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = in_port_t(port).bigEndian
      address.sin_addr.s_addr = inet_addr(host)
      return address
    }

    /// A listening socket of the calling process's network. The caller owns it. It does not block,
    /// as event loops need it.
    func listener() throws(NamespaceFailure) -> Int32 {
      let opened = socket(
        AF_INET,
        Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
          | Int32(SOCK_NONBLOCK.rawValue), 0)
      guard opened >= 0 else { throw .system("open a socket") }
      var yes: Int32 = 1
      setsockopt(opened, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
      var address = socketAddress
      let bound = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(opened, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      guard bound == 0, listen(opened, 256) == 0 else {
        // Before `close`, which may change the error of the system.
        let failure = NamespaceFailure.system("listen on \(text)")
        close(opened)
        throw failure
      }
      return opened
    }
  }
#endif

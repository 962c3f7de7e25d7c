#if os(Linux)
  import Glibc

  /// One end of the talk between `hearth exec --as-google` and the process in the namespace: texts,
  /// and listening sockets, which one hands to the other.
  ///
  /// A value around a descriptor that it does not own: who has it last calls ``closeNow()``. All
  /// calls block. A text is its length in four bytes, the highest first, and its bytes as UTF-8.
  struct ControlSocket {
    /// Bytes of a text. More than a command's variables take: the kernel allows two megabytes for
    /// them.
    private static let longest = 4 << 20
    /// As many as one message may carry: 253 in Linux (`SCM_MAX_FD`).
    static let mostSockets = 250

    let descriptor: Int32

    /// Listens at a path, which is its owner's alone where its folder is.
    static func listening(at path: String) throws(NamespaceFailure) -> ControlSocket {
      let opened = try ControlSocket(path, attach: bind)
      guard listen(opened.descriptor, 1) == 0 else { throw .system("listen at \(path)") }
      return opened
    }

    /// Connects to the socket at a path. Its calls wait for as long as the other end takes.
    static func connected(to path: String) throws(NamespaceFailure) -> ControlSocket {
      try ControlSocket(path, attach: connect)
    }

    private init(
      _ path: String,
      attach: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws(NamespaceFailure) {
      descriptor = socket(
        AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      guard descriptor >= 0 else { throw .system("open a socket") }
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      // The path of a Unix socket has 108 bytes in Linux, with a NUL at the end.
      let bytes = Array(path.utf8)
      let room = MemoryLayout.size(ofValue: address.sun_path)
      guard bytes.count < room else {
        close(descriptor)
        throw NamespaceFailure("use \(path)", reason: "the path of TMPDIR is too long")
      }
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
      let status = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          attach(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      guard status == 0 else {
        // Before the descriptor is closed, which sets errno too.
        let failure = NamespaceFailure.system("reach \(path)")
        close(descriptor)
        throw failure
      }
    }

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// The next caller. Calls that take longer than the given time, in seconds, fail, here and
    /// later.
    func accepted(within seconds: Int) throws(NamespaceFailure) -> ControlSocket {
      limitTime(to: seconds)
      let caller = accept(descriptor, nil, nil)
      guard caller >= 0 else { throw .system("reach the process in the namespace") }
      _ = fcntl(caller, F_SETFD, FD_CLOEXEC)
      let accepted = ControlSocket(descriptor: caller)
      accepted.limitTime(to: seconds)
      return accepted
    }

    private func limitTime(to seconds: Int) {
      var time = timeval(tv_sec: seconds, tv_usec: 0)
      for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
        setsockopt(
          descriptor, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
      }
    }

    func closeNow() { close(descriptor) }

    /// Sends a text. With MSG_NOSIGNAL, an end that is gone is an error and not the signal SIGPIPE.
    func send(_ text: String) throws(NamespaceFailure) {
      let bytes = Array(text.utf8)
      var message = withUnsafeBytes(of: UInt32(bytes.count).bigEndian) { Array($0) }
      message += bytes
      var sent = 0
      while sent < message.count {
        let count = message.withUnsafeBytes { all in
          let rest = UnsafeRawBufferPointer(rebasing: all[sent...])
          return Glibc.send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
        }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw .system("write to the process in the namespace") }
        sent += count
      }
    }

    /// The next text; nil where the other end has closed.
    func receive() throws(NamespaceFailure) -> String? {
      guard let header = try bytes(4) else { return nil }
      let length = header.reduce(0) { $0 << 8 | Int($1) }
      // A length from outside is not trusted with memory.
      guard length <= Self.longest else { throw NamespaceFailure("read a message") }
      return try bytes(length).map { String(decoding: $0, as: UTF8.self) }
    }

    private func bytes(_ count: Int) throws(NamespaceFailure) -> [UInt8]? {
      var received: [UInt8] = []
      var part = [UInt8](repeating: 0, count: min(count, 65536))
      while received.count < count {
        let got = recv(descriptor, &part, min(part.count, count - received.count), 0)
        if got < 0, errno == EINTR { continue }
        guard got >= 0 else { throw .system("read from the process in the namespace") }
        guard got > 0 else { return nil }
        received += part[..<got]
      }
      return received
    }
  }

  /// Sockets travel in a control message: a header, and their numbers.
  extension ControlSocket {
    private static let header = MemoryLayout<cmsghdr>.size

    /// What `CMSG_SPACE` says, a macro that Swift does not import: the contents are rounded up to 8
    /// bytes.
    private static func space(for count: Int) -> Int {
      header + (count * MemoryLayout<Int32>.size + 7) / 8 * 8
    }

    /// Hands over sockets. The kernel makes copies for the other end, so they may be closed here
    /// afterwards.
    func send(sockets: [Int32]) throws(NamespaceFailure) {
      var control = [UInt8](repeating: 0, count: Self.space(for: sockets.count))
      control.withUnsafeMutableBytes { bytes in
        var head = cmsghdr()
        head.cmsg_len = Self.header + sockets.count * MemoryLayout<Int32>.size
        head.cmsg_level = SOL_SOCKET
        head.cmsg_type = Int32(SCM_RIGHTS)
        bytes.storeBytes(of: head, as: cmsghdr.self)
        sockets.withUnsafeBytes { numbers in
          UnsafeMutableRawBufferPointer(rebasing: bytes[Self.header...]).copyMemory(from: numbers)
        }
      }
      let sent = withMessage(&control) { sendmsg(descriptor, &$0, Int32(MSG_NOSIGNAL)) }
      guard sent == 1 else { throw .system("hand over sockets") }
    }

    /// Takes over as many sockets as were asked for. The caller owns them; where others came, all
    /// are closed.
    func receive(sockets count: Int) throws(NamespaceFailure) -> [Int32] {
      var control = [UInt8](repeating: 0, count: Self.space(for: count))
      let got = withMessage(&control) {
        recvmsg(descriptor, &$0, Int32(MSG_CMSG_CLOEXEC))
      }
      guard got == 1 else { throw .system("take over sockets") }
      let sockets = control.withUnsafeBytes { bytes in
        let head = bytes.load(as: cmsghdr.self)
        guard head.cmsg_level == SOL_SOCKET, head.cmsg_type == Int32(SCM_RIGHTS) else {
          return [Int32]()
        }
        let end = min(Int(head.cmsg_len), bytes.count)
        return stride(from: Self.header, to: end, by: MemoryLayout<Int32>.size).map {
          bytes.loadUnaligned(fromByteOffset: $0, as: Int32.self)
        }
      }
      guard sockets.count == count else {
        sockets.forEach { close($0) }
        throw NamespaceFailure("take over sockets", reason: "\(sockets.count) of \(count) came")
      }
      return sockets
    }

    /// A message of one byte, because on a stream a control message does not travel alone.
    private func withMessage(_ control: inout [UInt8], body: (inout msghdr) -> Int) -> Int {
      var byte: UInt8 = 0
      return withUnsafeMutableBytes(of: &byte) { bytes in
        control.withUnsafeMutableBytes { control in
          var part = iovec(iov_base: bytes.baseAddress, iov_len: 1)
          return withUnsafeMutablePointer(to: &part) { part in
            var message = msghdr()
            message.msg_iov = part
            message.msg_iovlen = 1
            message.msg_control = control.baseAddress
            message.msg_controllen = control.count
            return body(&message)
          }
        }
      }
    }
  }
#endif

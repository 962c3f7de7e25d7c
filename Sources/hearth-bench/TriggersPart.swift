import Foundation

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// How long a write takes to reach the function that it triggers.
enum TriggersPart {
  private static let writes = 500

  static func measure(_ binary: String) async throws -> Row {
    let handler = try Handler()
    let server = try await Server(
      binary, flags: ["--functions-emulator", "127.0.0.1:\(handler.port)"])
    defer { server.stop() }
    try await Client.post(
      server.project("/eventarcTrigger?eventarcTriggerId=bench-0"),
      body: """
        {"eventType":"google.cloud.firestore.document.v1.written","database":"(default)",\
        "document":{"value":"bench/{id}","matchType":"PATH_PATTERN"}}
        """)
    var arrivals = handler.arrivals.makeAsyncIterator()
    var times: [Double] = []
    for number in 0..<writes {
      let started = ContinuousClock.now
      try await Client.post(
        server.documents(":commit"),
        body: """
          {"writes":[{"update":{"name":"\(Server.documents)/bench/\(number)",\
          "fields":{"n":{"integerValue":"\(number)"}}}}]}
          """)
      guard let arrival = await arrivals.next() else { break }
      // The first ones open connections.
      if number >= 20 { times.append((arrival - started) / .milliseconds(1)) }
    }
    times.sort()
    let p99 = times.isEmpty ? nil : String(format: "%.2f ms", times[times.count * 99 / 100])
    return Row(
      "a write reaches its function", unit: "ms", value: times.median, bar: 5, less: true, p99: p99)
  }

  /// Answers every request at once, and says when it came. Bare sockets: a server of Foundation's or
  /// NIO's would be a part of the time.
  private struct Handler {
    let port: Int
    let arrivals: AsyncStream<ContinuousClock.Instant>

    init() throws {
      let listening = socket(AF_INET, streamSocket, 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let isOpen = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(listening, $0, size) == 0 && listen(listening, 16) == 0
            && getsockname(listening, $0, &size) == 0
        }
      }
      guard isOpen else { throw Command.Failure("no port can be opened") }
      port = Int(UInt16(bigEndian: address.sin_port))
      let (stream, output) = AsyncStream.makeStream(of: ContinuousClock.Instant.self)
      arrivals = stream
      Thread.detachNewThread {
        while true {
          let connection = accept(listening, nil, nil)
          guard connection >= 0 else { return }
          Thread.detachNewThread { Self.serve(connection, output: output) }
        }
      }
    }

    private static func serve(
      _ connection: Int32, output: AsyncStream<ContinuousClock.Instant>.Continuation
    ) {
      let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}".utf8)
      var buffer = [UInt8](repeating: 0, count: 64 << 10)
      var text = ""
      while true {
        let count = read(connection, &buffer, buffer.count)
        guard count > 0 else { break }
        text += String(decoding: buffer[..<count], as: UTF8.self)
        guard let end = text.range(of: "\r\n\r\n"),
          text.utf8.count >= bodyEnd(text, body: end.upperBound)
        else { continue }
        output.yield(.now)
        text = ""
        guard write(connection, answer, answer.count) == answer.count else { break }
      }
      close(connection)
    }

    /// Where the request ends, by what it says of its length.
    private static func bodyEnd(_ text: String, body: String.Index) -> Int {
      let start = text.utf8.distance(from: text.startIndex, to: body)
      guard let name = text.range(of: "content-length: ", options: .caseInsensitive) else {
        return start
      }
      return start + (Int(text[name.upperBound...].prefix(while: \.isNumber)) ?? 0)
    }
  }
}

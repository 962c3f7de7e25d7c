import HearthCrypto
import Testing

@testable import HearthServer
@testable import HearthTransport

@Suite struct `The first message of a TLS client` {
  @Test func `The name is read, in lower case`() {
    #expect(
      ClientHello.parse(Hello(name: "WWW.googleapis.com").bytes) == .name("www.googleapis.com"))
    #expect(ClientHello.parse(Hello(name: nil).bytes) == .name(nil))
    #expect(ClientHello.parse(Hello(name: "a b").bytes) == .malformed)
    #expect(ClientHello.parse(Hello(name: "").bytes) == .malformed)
  }

  @Test func `A message may be cut anywhere, and into records`() {
    let hello = Hello(name: "example.com")
    for count in 0..<hello.bytes.count {
      #expect(ClientHello.parse(hello.bytes.prefix(count)) == .incomplete)
    }
    #expect(ClientHello.parse(hello.records(of: 40)) == .name("example.com"))
    #expect(ClientHello.parse(hello.records(of: 1)) == .malformed)
  }

  @Test func `What is something else is malformed`() {
    for text in ["GET / HTTP/1.1\r\n\r\n", "\u{16}\u{2}\u{0}\u{0}\u{1}\u{1}"] {
      #expect(ClientHello.parse(text.utf8) == .malformed)
    }
    #expect(ClientHello.parse([22, 3, 1, 0, 0]) == .malformed)
    #expect(ClientHello.parse([22, 3, 1, 0, 1, 2]) == .malformed)
  }

  @Test func `Nothing that a client sends does harm`() {
    var random = SplitMix(seed: 19)
    for _ in 0..<20_000 {
      var bytes = Hello(name: "example.com").bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
      }
      _ = ClientHello.parse(bytes.prefix(Int.random(in: 1...bytes.count, using: &random)))
    }
  }
}

/// A message as a client makes it; all of its bytes are ASCII.
struct Hello {
  private let message: [UInt8]

  init(name: String?) {
    var extensions = Self.block(type: 10, [0, 2, 0, 23])
    if let name {
      let host = [0] + Self.counted(Array(name.utf8), bytes: 2)
      extensions += Self.block(type: 0, Self.counted(host, bytes: 2))
    }
    let body =
      [3, 3] + [UInt8](repeating: 7, count: 32) + [0] + Self.counted([0x13, 1], bytes: 2)
      + Self.counted([0], bytes: 1) + Self.counted(extensions, bytes: 2)
    message = [1] + Self.counted(body, bytes: 3)
  }

  var bytes: [UInt8] { records(of: message.count) }

  func records(of size: Int) -> [UInt8] {
    stride(from: 0, to: message.count, by: size).flatMap { start in
      [22, 3, 1] + Self.counted(Array(message[start...].prefix(size)), bytes: 2)
    }
  }

  private static func block(type: UInt8, _ content: [UInt8]) -> [UInt8] {
    [0, type] + counted(content, bytes: 2)
  }

  private static func counted(_ content: [UInt8], bytes: Int) -> [UInt8] {
    (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: content.count >> (8 * $0)) } + content
  }
}

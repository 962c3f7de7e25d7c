import HearthCrypto
import Testing

@testable import HearthGoogle

@Suite struct `The beginning of a request to the proxy` {
  @Test(arguments: [
    ("CONNECT Www.Googleapis.com:443 HTTP/1.1\r\nHost: x\r\n\r\n", "www.googleapis.com", 443),
    ("CONNECT [::1]:8080 HTTP/1.0\r\n\r\n", "::1", 8080),
  ])
  func `A tunnel is read`(text: String, host: String, port: Int) {
    let (request, length) = ProxyRequest.parse((text + "more").utf8)
    #expect(request == .connect(host: host, port: port))
    #expect(length == text.utf8.count)
    for count in 0..<text.utf8.count {
      #expect(ProxyRequest.parse(text.utf8.prefix(count)).request == .incomplete)
    }
  }

  @Test(arguments: [
    (
      "GET http://Metadata.google.internal/x HTTP/1.1\r\n",
      ProxyRequest.plain(host: "metadata.google.internal")
    ),
    ("POST http://example.com:80?a HTTP/1.1\n", .plain(host: "example.com")),
    ("GET / HTTP/1.1\r\n", .malformed), ("CONNECT example.com HTTP/1.1\r\n", .malformed),
    ("CONNECT example.com:0 HTTP/1.1\r\n", .malformed),
    ("CONNECT example.com:443\r\n", .malformed), ("CONNECT  a:1 HTTP/1.1\r\n", .malformed),
    ("connect a:1 HTTP/1.1\r\n", .malformed), ("CONNECT a:1 HTTP/2.0\r\n", .malformed),
    ("\u{16}\u{3}\u{1}", .malformed), ("GET ftp://a/ HTTP/1.1\r\n", .malformed),
  ])
  func `Anything else is recognised`(text: String, expected: ProxyRequest) {
    let (request, length) = ProxyRequest.parse(text.utf8)
    #expect(request == expected)
    #expect(length == nil)
  }

  @Test func `A head has a bound`() {
    let line = "CONNECT a:443 HTTP/1.1\r\n"
    let fields = String(repeating: "a: b\r\n", count: ProxyRequest.longest / 6)
    #expect(ProxyRequest.parse((line + fields).utf8).request == .malformed)
    let endless = String(repeating: "A", count: ProxyRequest.longest)
    #expect(ProxyRequest.parse(endless.utf8).request == .malformed)
  }

  @Test func `Nothing that a client sends does harm`() {
    var random = SplitMix(seed: 443)
    let seed = Array(
      "CONNECT www.googleapis.com:443 HTTP/1.1\r\nHost: www.googleapis.com\r\n\r\n".utf8)
    for _ in 0..<20_000 {
      var bytes = seed
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
      }
      let (request, length) = ProxyRequest.parse(
        bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
      if case .connect = request { #expect((length ?? .max) <= bytes.count) }
    }
  }
}

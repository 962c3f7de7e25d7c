import AsyncHTTPClient
import Foundation
import HearthCrypto
import HearthObservation
import HearthTestSupport
import HearthWire
import Logging
import NIOCore
import NIOHTTP1
import NIOSSL
import Testing

@testable import HearthGoogle
@testable import HearthServer
@testable import HearthSettings
@testable import HearthTransport

@Suite struct `The hosts of Google` {
  @Test func `Requests are answered by their host, and say who answers`() async throws {
    try await open { server, google in
      let keys = try await google.get(
        "www.googleapis.com",
        path: "/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com")
      #expect(keys.status == 200)
      #expect(keys.json["keys"] != nil)
      #expect(keys.headers["x-hearth"] == ["as-google"])
      let user = try await google.post(
        "identitytoolkit.googleapis.com", path: "/v1/accounts:signUp?key=any",
        body: ["email": "ann@example.com", "password": "secret1"])
      #expect(user.status == 200, "\(user.text)")
      let refresh = try await google.post(
        "securetoken.googleapis.com", path: "/v1/token?key=any",
        body: ["grant_type": "refresh_token", "refresh_token": user.json["refreshToken"] ?? .null])
      #expect(refresh.status == 200, "\(refresh.text)")
      let documents = try await google.get(
        "firestore.googleapis.com",
        path: "/v1/projects/demo-hearth/databases/(default)/documents/a/b")
      #expect(documents.status == 404)
      #expect(documents.json["error"]?["status"] == "NOT_FOUND")
      let discovery = try await google.get(
        "securetoken.google.com", path: "/demo-hearth/.well-known/openid-configuration")
      #expect(discovery.json["jwks_uri"]?.string?.hasPrefix("https://") == true)
    }
  }

  @Test func `Hosts that are not played are named, and counted`() async throws {
    try await open { server, google in
      for _ in 0..<2 {
        let reply = try await google.post(
          "firebaserules.googleapis.com", path: "/v1/projects/demo-hearth/rulesets", body: [:])
        #expect(reply.status == 501)
        #expect(reply.json["error"]?["status"] == "UNIMPLEMENTED")
        #expect(reply.message?.contains("firebaserules.googleapis.com") == true)
        #expect(reply.headers["x-hearth"] == ["as-google"])
      }
      let hosting = try await google.get("demo-hearth.web.app", path: "/index.html")
      #expect(hosting.status == 501)
      let refused = try await server.send("GET", path: "/emulator/v1/refusedHosts")
      #expect(
        refused.json["hosts"] == [
          ["host": "firebaserules.googleapis.com", "way": "notPlayed", "count": 2]
        ])
      let log = try await server.emulator("GET", path: "requests")
      #expect(log.text.contains("/firebaserules.googleapis.com/v1/projects"))
      #expect(server.log.lines.filter { $0.contains("firebaserules.googleapis.com") }.count == 1)
    }
  }

  @Test func `A page may read why a service does not answer`() async throws {
    try await open { _, google in
      let page = [("Origin", "https://demo-hearth.web.app")]
      let preflight = try await google.send(
        "OPTIONS", host: "firebaseremoteconfig.googleapis.com", path: "/v1/x",
        headers: page + [("Access-Control-Request-Method", "POST")])
      #expect(preflight.status == 204)
      let reply = try await google.send(
        "POST", host: "firebaseremoteconfig.googleapis.com", path: "/v1/x", headers: page)
      #expect(reply.status == 501)
      #expect(reply.headers["access-control-allow-origin"] == ["https://demo-hearth.web.app"])
    }
  }

  @Test(arguments: [
    ("firestore.googleapis.com", "/emulator/v1/projects/demo-hearth/messages"),
    ("firestore.googleapis.com", "/emulator/v1/projects/demo-hearth/databases/(default)/documents"),
    ("identitytoolkit.googleapis.com", "/emulator/v1/projects"),
    ("firestore.googleapis.com", "/console/"), ("firestore.googleapis.com", "/"),
    ("firestore.googleapis.com", "/v1/accounts:signUp"),
    ("firestore.googleapis.com", "/v1/r/project/demo-hearth/firestore/indexes"),
    ("demo-hearth.firebaseapp.com", "/__/nothing"),
  ])
  func `Nothing else answers there`(host: String, path: String) async throws {
    try await open { _, google in
      let reply = try await google.get(host, path: path)
      #expect(reply.status == 404, "\(reply.text)")
    }
  }

  @Test func `A host of another one is misdirected`() async throws {
    try await open { server, google in
      let reply = try await google.send(
        "GET", host: "www.googleapis.com", path: "/", headers: [("Host", "example.com")])
      #expect(reply.status == 421)
      #expect(reply.message?.contains("example.com") == true)
      #expect(server.log.lines.contains { $0.contains("example.com") })
    }
  }

  @Test func `A mail provider's host takes mail`() async throws {
    try await open { server, google in
      let reply = try await google.send(
        "POST", host: "api.resend.com", path: "/emails",
        body: #"{"from":"a@x.test","to":"b@x.test","subject":"Hello","text":"Hi"}"#,
        headers: [("Authorization", "Bearer re_1"), ("Content-Type", "application/json")])
      #expect(reply.status == 200, "\(reply.text)")
      let mails = try await server.emulator("GET", path: "messages?to=b@x.test")
      #expect(mails.text.contains("Hello"))
    }
  }

  @Test(arguments: ["example.com", "127.0.0.1.nip.io", nil])
  func `A handshake for another name ends with an alert`(name: String?) async throws {
    try await open { server, _ in
      let connection = try await RawConnection.open(
        port: server.addresses.googlePort ?? 0,
        saying: String(decoding: Hello(name: name).bytes, as: UTF8.self))
      #expect(await connection.text() == "\u{15}\u{3}\u{3}\u{0}\u{2}\u{2}\u{70}")
      let refused = try await server.send("GET", path: "/emulator/v1/refusedHosts")
      #expect(refused.json["hosts"]?.array?.first?["way"] == "tls")
    }
  }

  @Test func `A client without TLS gets a reason`() async throws {
    try await open { server, _ in
      let connection = try await RawConnection.open(
        port: server.addresses.googlePort ?? 0,
        saying: "GET / HTTP/1.1\r\nHost: www.googleapis.com\r\n\r\n")
      let text = await connection.text()
      #expect(text.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
      #expect(text.hasSuffix("This port speaks TLS: use https.\n"))
      let other = try await RawConnection.open(
        port: server.addresses.googlePort ?? 0, saying: "\u{1}\u{2}\u{3}")
      #expect(await other.text() == "")
    }
  }

  @Test func `The proxy leads to the hosts, and to nothing else`() async throws {
    try await open { server, google in
      let proxied = try GoogleClient(server, ca: google.authority, usesProxy: true)
      let keys = try? await proxied.get(
        "www.googleapis.com", path: "/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com"
      )
      try await proxied.end()
      #expect(keys?.status == 200)
      for (request, status, word) in [
        ("CONNECT example.com:443 HTTP/1.1\r\n\r\n", "502", "example.com"),
        ("CONNECT www.googleapis.com:80 HTTP/1.1\r\n\r\n", "502", "www.googleapis.com:80"),
        ("GET http://example.com/ HTTP/1.1\r\nHost: example.com\r\n\r\n", "502", "example.com"),
        ("GET http://169.254.169.25/ HTTP/1.1\r\nHost: x\r\n\r\n", "502", "169.254.169.25 "),
        ("GET / HTTP/1.1\r\n\r\n", "400", "CONNECT"),
      ] {
        let connection = try await RawConnection.open(
          port: server.addresses.proxyPort ?? 0, saying: request)
        let text = await connection.text()
        #expect(text.hasPrefix("HTTP/1.1 \(status) "), "\(text)")
        #expect(text.contains(word))
      }
      let refused = try await server.send("GET", path: "/emulator/v1/refusedHosts")
      #expect(refused.json["hosts"]?.array?.allSatisfy { $0["way"] == "proxy" } == true)
    }
  }

  @Test(arguments: [
    "metadata.google.internal", "metadata.google.internal.", "169.254.169.254",
    "169.254.169.254:80", "Metadata.Google.Internal",
  ])
  func `The proxy leads to the metadata server by each of its names`(host: String) async throws {
    try await open { server, _ in
      let path = "/computeMetadata/v1/project/project-id"
      let connection = try await RawConnection.open(
        port: server.addresses.proxyPort ?? 0,
        saying: "GET http://\(host)\(path) HTTP/1.1\r\nHost: \(host)\r\n"
          + "Metadata-Flavor: Google\r\nConnection: close\r\n\r\n")
      let text = await connection.text()
      #expect(text.hasPrefix("HTTP/1.1 200 ") && text.contains("demo-hearth"), "\(text)")
    }
  }

  @Test func `The log names a failed handshake by BoringSSL's word alone`() {
    let place = "at /build/ssl.c:242"
    let name = TLSFailures.name(
      in: "sslError([Error: 268436504 error:10000418:SSL routines:OPENSSL_internal:"
        + "TLSV1_ALERT_UNKNOWN_CA \(place)])")
    #expect(name == "TLSV1_ALERT_UNKNOWN_CA")
    #expect(TLSFailures.name(in: "eofDuringHandshake \(place)") == nil)
  }

  @Test func `The table has each host once`() {
    let hosts = GoogleHosts(project: "demo-a", authDomains: ["Auth.example.com"])
    #expect(Set(hosts.names).count == hosts.names.count)
    #expect(hosts[host: "auth.example.com"] == .authDomain)
    #expect(hosts[host: "demo-a.firebaseapp.com"] == .authDomain)
    #expect(hosts[host: "email.eu-west-1.amazonaws.com"] == .mailAPI)
    #expect(hosts[host: "example.com"] == nil)
  }

  /// The hosts of mail providers have a guide of their own.
  @Test func `The list of differences names each host that is played, and no other`() {
    let named = Set(GoogleDifferences.rows.flatMap(\.hosts).map { $0.lowercased() })
    let hosts = GoogleHosts(project: GoogleDifferences.project.lowercased())
    for row in hosts.rows where ![.notPlayed, .mailAPI].contains(row.part) {
      #expect(named.contains(row.host), "\(row.host)")
    }
    for host in named { #expect(hosts[host: host] != nil, "\(host)") }
    #expect(GoogleDifferences.markdown.contains("| `oauth2.googleapis.com` |"))
  }

  @Test func `What is counted of other hosts has a bound`() {
    let log = CapturedLog()
    let refused = RefusedHosts(.init(label: "test") { _ in log })
    for number in 0..<1000 { refused.note("host-\(number).test\u{7}", way: .tls) }
    refused.note("update.googleapis.com", way: .tls)
    #expect(refused.json["hosts"]?.array?.count == 200)
    #expect(refused.json["others"] == 800)
    #expect(log.lines.count == 200)
    #expect(log.lines[0].contains("host-0.test? is not emulated"))
  }

  private func open(
    _ body: @Sendable (TestServer, GoogleClient) async throws -> Void
  ) async throws {
    try await TestServer.open {
      $0.asGoogle = true
      $0.tlsPort = 0
      $0.proxyPort = 0
    } body: { server in
      let authority = try await server.send("GET", path: "/emulator/v1/ca.pem").text
      let google = try GoogleClient(server, ca: authority)
      do {
        try await body(server, google)
      } catch {
        try await google.end()
        throw error
      }
      try await google.end()
    }
  }
}

/// Takes this machine for Google, and trusts the certificates of one server.
private struct GoogleClient: Sendable {
  let authority: String
  private let client: HTTPClient
  private let port: Int

  init(_ server: TestServer, ca authority: String, usesProxy: Bool = false) throws {
    self.authority = authority
    port = usesProxy ? 443 : server.addresses.googlePort ?? 0
    var configuration = HTTPClient.Configuration(timeout: .init(connect: .seconds(120)))
    var tls = TLSConfiguration.makeClientConfiguration()
    tls.trustRoots = .certificates(
      [try NIOSSLCertificate(bytes: Array(authority.utf8), format: .pem)])
    configuration.tlsConfiguration = tls
    if usesProxy, let port = server.addresses.proxyPort {
      configuration.proxy = .server(host: "127.0.0.1", port: port)
    } else {
      for host in GoogleHosts(project: "demo-hearth").names {
        configuration.dnsOverride[host] = "127.0.0.1"
      }
    }
    client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
  }

  func end() async throws { try await client.shutdown() }

  func get(_ host: String, path: String) async throws -> TestClient.Reply {
    try await send("GET", host: host, path: path)
  }

  func post(_ host: String, path: String, body: JSON) async throws -> TestClient.Reply {
    try await send(
      "POST", host: host, path: path, body: body.text,
      headers: [("Content-Type", "application/json")])
  }

  func send(
    _ method: String, host: String, path: String, body: String? = nil,
    headers: [(String, String)] = []
  ) async throws -> TestClient.Reply {
    let authority = port == 443 ? host : "\(host):\(port)"
    var request = HTTPClientRequest(url: "https://\(authority)\(path)")
    request.method = HTTPMethod(rawValue: method)
    for (name, value) in headers { request.headers.add(name: name, value: value) }
    if let body { request.body = .bytes(ByteBuffer(string: body)) }
    let response = try await client.execute(request, timeout: .seconds(120))
    let bytes = try await response.body.collect(upTo: 32 << 20)
    return TestClient.Reply(
      status: Int(response.status.code), headers: response.headers, text: String(buffer: bytes))
  }
}

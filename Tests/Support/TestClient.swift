import AsyncHTTPClient
package import HearthWire
import NIOCore
package import NIOHTTP1

/// Plain HTTP requests to one port, as they are without any SDK.
package struct TestClient: Sendable {
  package struct Reply: Sendable {
    package let status: Int
    package let headers: HTTPHeaders
    package let text: String

    package init(status: Int, headers: HTTPHeaders, text: String) {
      self.status = status
      self.headers = headers
      self.text = text
    }

    package var json: JSON { (try? JSON.parse(text)) ?? .null }
    package var message: String? { json["error"]?["message"]?.string }
    package var members: [String] { json.object?.keys.sorted() ?? [] }
    package subscript(member: String) -> JSON? { json[member] }
  }

  /// Redirects are answers here, not something to follow. All tests run at once, and on a busy
  /// machine a connection may take its time.
  private static let client = HTTPClient(
    eventLoopGroupProvider: .singleton,
    configuration: .init(
      redirectConfiguration: .disallow, timeout: .init(connect: .seconds(120))))

  private let port: Int
  /// As it is in URLs.
  private let host: String
  /// Before the path of each request.
  private let prefix: String

  package init(port: Int, prefix: String = "", host: String = "127.0.0.1") {
    self.port = port
    self.host = host
    self.prefix = prefix
  }

  package func below(_ prefix: String) -> TestClient {
    TestClient(port: port, prefix: prefix, host: host)
  }

  package func send(
    _ method: String, path: String, body: String? = nil,
    headers: [(String, String)] = []
  ) async throws -> Reply {
    let url = "http://\(host):\(port)\(prefix)\(path)"
    var request = HTTPClientRequest(url: url)
    request.method = HTTPMethod(rawValue: method)
    for (name, value) in headers { request.headers.add(name: name, value: value) }
    if let body { request.body = .bytes(ByteBuffer(string: body)) }
    let response = try await Self.client.execute(request, timeout: .seconds(120))
    let bytes = try await response.body.collect(upTo: 32 << 20)
    return Reply(
      status: Int(response.status.code), headers: response.headers, text: String(buffer: bytes))
  }
  package func get(_ path: String, headers: [(String, String)] = []) async throws -> Reply {
    try await send("GET", path: path, headers: headers)
  }

  package func post(
    _ path: String, body: JSON, headers: [(String, String)] = []
  ) async throws -> Reply {
    try await send("POST", path: path, body: body, headers: headers)
  }

  /// With a JSON body, where there is one.
  package func send(
    _ method: String, path: String, body: JSON?, headers: [(String, String)] = []
  ) async throws -> Reply {
    try await send(
      method, path: path, body: body?.text,
      headers: [("Content-Type", "application/json")] + headers)
  }

  /// A page's form.
  package func submit(_ path: String, form: String) async throws -> Reply {
    try await send(
      "POST", path: path, body: form,
      headers: [("Content-Type", "application/x-www-form-urlencoded"), ("Accept", "text/html")])
  }
}

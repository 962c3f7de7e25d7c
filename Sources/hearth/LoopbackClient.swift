import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix

/// A client for the commands that ask a running server. Foundation's would bring libcurl and all of
/// Foundation into the binary; this one is in the program anyway.
struct LoopbackClient {
  struct Reply {
    let status: Int
    let body: [UInt8]
  }

  let host: String
  let port: Int

  /// Lives as long as the process. A refused connection is an answer: by default it is tried again.
  private static let client: HTTPClient = {
    var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
    configuration.connectionPool.retryConnectionEstablishment = false
    configuration.timeout.connect = .seconds(5)
    return HTTPClient(
      eventLoopGroup: MultiThreadedEventLoopGroup.singleton, configuration: configuration)
  }()

  /// `http://127.0.0.1:4000` or `127.0.0.1:4000`.
  init?(_ address: String) {
    let bare = address.replacing("http://", with: "").prefix { $0 != "/" }
    guard let colon = bare.lastIndex(of: ":"), let port = Int(bare[bare.index(after: colon)...])
    else { return nil }
    host = bare[..<colon].filter { $0 != "[" && $0 != "]" }
    self.port = port
  }

  func get(_ path: String) async throws -> Reply { try await send("GET", path, body: nil) }

  func send(_ method: String, _ path: String, body: [UInt8]?) async throws -> Reply {
    let host = host.contains(":") ? "[\(host)]" : host
    var request = HTTPClientRequest(url: "http://\(host):\(port)\(path)")
    request.method = HTTPMethod(rawValue: method)
    if let body {
      request.headers.add(name: "Content-Type", value: "application/json")
      request.body = .bytes(body)
    }
    // An import may take minutes.
    let response = try await Self.client.execute(request, deadline: .distantFuture)
    let received = try await response.body.collect(upTo: .max)
    return Reply(status: Int(response.status.code), body: Array(received.readableBytesView))
  }
}

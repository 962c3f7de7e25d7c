import ArgumentParser
import AsyncHTTPClient
import HearthSettings
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A client for the commands that ask a running server. Foundation's would bring libcurl and all of
/// Foundation into the binary; this one is in the program anyway.
struct LoopbackClient {
  struct Reply {
    let status: Int
    let body: [UInt8]
  }

  let host: String
  let port: Int
  /// Nil where the address does not name one.
  private let scheme: String?

  /// Lives as long as the process. A refused connection is an answer: by default it is tried again.
  private static let client: HTTPClient = {
    var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
    configuration.connectionPool.retryConnectionEstablishment = false
    configuration.timeout.connect = .seconds(5)
    // Servers with `--tls` are called at loopback addresses only, where nobody else answers.
    var tls = TLSConfiguration.makeClientConfiguration()
    tls.certificateVerification = .none
    configuration.tlsConfiguration = tls
    return HTTPClient(
      eventLoopGroup: MultiThreadedEventLoopGroup.singleton, configuration: configuration)
  }()

  /// `http://127.0.0.1:4000` or `127.0.0.1:4000`, or with `https:` at a loopback address. Without a
  /// scheme, a server at a loopback address is asked over TLS if it wants that.
  init?(_ address: String) {
    let isSecure = address.hasPrefix("https://")
    let scheme = isSecure ? "https://" : "http://"
    let isNamed = address.hasPrefix(scheme)
    let bare = (isNamed ? address.dropFirst(scheme.count) : address[...]).prefix { $0 != "/" }
    guard let colon = bare.lastIndex(of: ":"), let port = Int(bare[bare.index(after: colon)...])
    else { return nil }
    host = bare[..<colon].filter { $0 != "[" && $0 != "]" }
    self.port = port
    self.scheme = isNamed ? (isSecure ? "https" : "http") : nil
    guard !isSecure || isLoopback else { return nil }
  }

  /// The same, for commands.
  init(checking address: String) throws(ValidationError) {
    guard let client = LoopbackClient(address) else {
      throw ValidationError("'\(address)' is not an address of the form host:port")
    }
    self = client
  }

  /// The token for a server that is shared. It says more than the word `owner`.
  private static let token =
    ["HEARTH_PROJECT_TOKEN", "HEARTH_OPERATOR_TOKEN"].lazy
    .compactMap { ProcessInfo.processInfo.environment[$0] }.first { !$0.isEmpty }

  private var isLoopback: Bool { host == "localhost" || host == "::1" || Self.isLoopback4(host) }

  private static func isLoopback4(_ host: String) -> Bool {
    host.hasPrefix("127.")
      && host.utf8.allSatisfy { $0 < UInt8(ascii: ":") && $0 != UInt8(ascii: "/") }
  }

  init(host: String, port: Int) {
    self.host = host
    self.port = port
    scheme = nil
  }

  func get(_ path: String) async throws -> Reply { try await send("GET", path: path, body: nil) }

  func send(
    _ method: String, path: String, body: [UInt8]?, bearer: String? = nil, accept: String? = nil
  ) async throws -> Reply {
    let bearer = Self.token ?? bearer
    let reply = try await send(
      method, path: path, body: body, bearer: bearer, accept: accept, over: scheme ?? "http")
    guard scheme == nil, isLoopback, reply.status == 400,
      reply.body.starts(with: "This port speaks TLS".utf8)
    else { return reply }
    return try await send(
      method, path: path, body: body, bearer: bearer, accept: accept, over: "https")
  }

  private func send(
    _ method: String, path: String, body: [UInt8]?, bearer: String?, accept: String?,
    over scheme: String
  ) async throws -> Reply {
    let host = host.contains(":") ? "[\(host)]" : host
    var request = HTTPClientRequest(url: "\(scheme)://\(host):\(port)\(path)")
    request.method = HTTPMethod(rawValue: method)
    if let bearer { request.headers.add(name: "Authorization", value: "Bearer \(bearer)") }
    if let accept { request.headers.add(name: "Accept", value: accept) }
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

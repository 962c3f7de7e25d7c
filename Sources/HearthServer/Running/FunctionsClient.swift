import AsyncHTTPClient
import HearthOperations
import HearthWire
import NIOCore
import NIOHTTP1
import NIOPosix

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Calls functions over HTTP. A value around a client that owns its connections, and may be called
/// on any thread.
struct FunctionsClient: FunctionCaller {
  private let client: HTTPClient
  /// Bytes of an answer's body; more is an error.
  private let largestReply: Int

  /// For blocking functions.
  static let functions = FunctionsClient(client(), largestReply: 10 << 20)

  /// For events. Redirects are not followed: they might lead off this machine.
  static let events = FunctionsClient(
    client {
      $0.redirectConfiguration = .disallow
      // As many as may be under way.
      $0.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = EventLimits.atOnce
    }, largestReply: 1 << 20)

  private init(_ client: HTTPClient, largestReply: Int) {
    self.client = client
    self.largestReply = largestReply
  }

  /// A refused connection is an answer: by default it is tried again until the time is up. Lives as
  /// long as the process, as the client's own `shared` does.
  private static func client(
    _ change: (inout HTTPClient.Configuration) -> Void = { _ in }
  ) -> HTTPClient {
    var configuration = HTTPClient.Configuration.singletonConfiguration
    configuration.connectionPool.retryConnectionEstablishment = false
    change(&configuration)
    // Not the client's own, which on macOS waits where a connection is refused.
    return HTTPClient(
      eventLoopGroup: MultiThreadedEventLoopGroup.singleton, configuration: configuration)
  }

  /// - Throws: ``FunctionFailure`` where no answer came. An answer of any status is a reply.
  func send(
    _ message: FunctionRequest, within timeout: Duration
  ) async throws(FunctionFailure) -> FunctionReply {
    // NIO would end the process.
    if let port = URL(string: message.url)?.port, !(0...65535).contains(port) {
      throw .unreachable(reason: "\(port) is not a port")
    }
    do {
      var request = HTTPClientRequest(url: message.url)
      request.method = HTTPMethod(rawValue: message.method)
      request.headers = ["User-Agent": "hearth"]
      for (name, value) in message.headers { request.headers.add(name: name, value: value) }
      if !message.body.isEmpty { request.body = .bytes(ByteBuffer(bytes: message.body)) }
      // Whole seconds, as all callers have them. The time includes the connection and the body.
      let response = try await client.execute(
        request, timeout: .seconds(timeout.components.seconds))
      let bytes = try await response.body.collect(upTo: largestReply)
      return FunctionReply(status: Int(response.status.code), body: Array(buffer: bytes))
    } catch let error as HTTPClientError where error == .deadlineExceeded {
      throw .timedOut
    } catch {
      throw .unreachable(reason: "\(error)")
    }
  }
}

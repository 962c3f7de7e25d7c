import AsyncHTTPClient
import HearthEvents
import HearthOperations
import HearthSettings
import HearthWire
import NIOCore
import NIOHTTP1
import NIOPosix

/// Makes the requests that Hearth makes by itself: to functions, webhooks and identity providers.
/// A value around a client that owns its connections, and may be called on any thread.
///
/// Redirects are not followed: they might lead to where nothing may be sent.
struct FunctionsClient: FunctionCaller {
  private let client: HTTPClient
  private let hosts: OutgoingHosts
  /// Bytes of an answer's body; more is an error.
  private let largestReply: Int

  /// For blocking functions.
  static func functions(_ hosts: OutgoingHosts) -> FunctionsClient {
    FunctionsClient(functionClient, hosts: hosts, largestReply: 10 << 20)
  }

  /// For events, and the keys of identity providers.
  static func events(_ hosts: OutgoingHosts) -> FunctionsClient {
    FunctionsClient(eventClient, hosts: hosts, largestReply: 1 << 20)
  }

  private static let functionClient = client()

  private static let eventClient = client {
    // As many as may be under way.
    $0.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = EventLimits.atOnce
  }

  private init(_ client: HTTPClient, hosts: OutgoingHosts, largestReply: Int) {
    self.client = client
    self.hosts = hosts
    self.largestReply = largestReply
  }

  /// A refused connection is an answer: by default it is tried again until the time is up. Lives as
  /// long as the process, as the client's own `shared` does.
  private static func client(
    _ change: (inout HTTPClient.Configuration) -> Void = { _ in }
  ) -> HTTPClient {
    var configuration = HTTPClient.Configuration.singletonConfiguration
    configuration.connectionPool.retryConnectionEstablishment = false
    configuration.redirectConfiguration = .disallow
    change(&configuration)
    // Not the client's own, which on macOS waits where a connection is refused.
    return HTTPClient(
      eventLoopGroup: MultiThreadedEventLoopGroup.singleton, configuration: configuration)
  }

  /// - Throws: ``FunctionFailure`` where no answer came. An answer of any status is a reply.
  func send(
    _ message: FunctionRequest, within timeout: Duration
  ) async throws(FunctionFailure) -> FunctionReply {
    do throws(OutgoingHosts.Refusal) {
      try hosts.check(message.url)
    } catch {
      throw .refused(error)
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

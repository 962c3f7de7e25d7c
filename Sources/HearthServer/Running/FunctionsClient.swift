import AsyncHTTPClient
import HearthOperations
import HearthWire
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix

/// Calls functions over HTTP.
struct FunctionsClient: FunctionCaller {
  private static let largestReply = 10 << 20

  /// A refused connection is an answer: by default it is tried again until the time is up. Lives as
  /// long as the process, as the client's own `shared` does.
  private static let client: HTTPClient = {
    var configuration = HTTPClient.Configuration.singletonConfiguration
    configuration.connectionPool.retryConnectionEstablishment = false
    // Not the client's own, which on macOS waits where a connection is refused.
    return HTTPClient(
      eventLoopGroup: MultiThreadedEventLoopGroup.singleton, configuration: configuration)
  }()

  func post(
    _ body: JSON, to url: String, within timeout: Duration
  ) async throws(FunctionFailure) -> FunctionReply {
    do {
      var request = HTTPClientRequest(url: url)
      request.method = .POST
      request.headers = [
        "Content-Type": "application/json", "Accept": "*/*", "User-Agent": "hearth",
      ]
      request.body = .bytes(ByteBuffer(bytes: body.bytes))
      let response = try await Self.client.execute(
        request, timeout: .seconds(timeout.components.seconds))
      let bytes = try await response.body.collect(upTo: Self.largestReply)
      return FunctionReply(status: Int(response.status.code), body: Array(buffer: bytes))
    } catch let error as HTTPClientError where error == .deadlineExceeded {
      throw .timedOut
    } catch {
      throw .unreachable(reason: "\(error)")
    }
  }
}

/// Tells a functions emulator of users who come and go. Nobody waits for it.
struct UserEventSender: Sendable {
  /// `host:port` of the functions emulator.
  let address: String
  let caller: any FunctionCaller
  let logger: Logger

  func send(_ events: [JSON], project: String) {
    let url = "http://\(address)/functions/projects/\(project)/trigger_multicast"
    for event in events {
      Task {
        do throws(FunctionFailure) {
          let reply = try await caller.post(event, to: url, within: .seconds(60))
          if reply.status != 200 {
            logger.warning("A user event was not taken: \(url) answered \(reply.status).")
          }
        } catch {
          logger.warning("A user event could not be sent to \(url).")
        }
      }
    }
  }
}

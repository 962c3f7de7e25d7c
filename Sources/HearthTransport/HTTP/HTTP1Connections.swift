import NIOCore
import NIOHTTP1

/// The connections of a port that speak HTTP/1.1.
struct HTTP1Connections: Sendable {
  struct Connection: Sendable {
    fileprivate let client: ConnectedClient
    fileprivate let requests: AsyncStream<ReceivedRequest>
  }

  let limits: Limits
  let load: PortLoad
  let answer: ConnectedClient.Answer

  /// Adds the handlers that a connection needs; on its loop.
  func setUp(_ channel: any Channel) throws -> Connection {
    var decoder = NIOHTTPDecoderLimitConfiguration()
    decoder.maxHeaderFieldSize = limits.headers
    decoder.maxHeaderListSize = limits.headers
    // The bound of bytes alone would allow thousands of fields, and each takes memory of its own.
    decoder.maxHeaderFieldCount = 200
    let pipeline = channel.pipeline.syncOperations
    try pipeline.configureHTTPServerPipeline(
      // The connection's state takes care of pipelining and of errors; the types of
      // swift-http-types hold no header that would have to be checked.
      withPipeliningAssistance: false, withErrorHandling: false,
      withOutboundHeaderValidation: false, withEncoderConfiguration: .init(),
      withDecoderLimitConfiguration: decoder)
    let (requests, output) = AsyncStream.makeStream(of: ReceivedRequest.self)
    let client = ConnectedClient(
      channel: channel, remoteAddress: channel.remoteAddress?.ipAddress ?? "", isHTTP2: false,
      disconnect: Signal())
    try pipeline.addHandler(
      HTTP1ConnectionHandler(limits, load: load, requests: output, disconnect: client.disconnect))
    return Connection(client: client, requests: requests)
  }

  /// Answers one request after the other. Returns when the connection has ended.
  func handle(_ connection: Connection) async {
    let client = connection.client
    await withTaskCancellationHandler {
      for await request in connection.requests {
        guard (try? await answer(request, client)) == true else { break }
      }
      client.channel.close(mode: .output, promise: nil)
      try? await client.channel.closeFuture.get()
    } onCancel: {
      client.channel.close(mode: .input, promise: nil)
    }
  }
}

import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// The connections of a port that speak HTTP/1.1.
struct HTTP1Connections: ServerChildChannel {
  /// Answers a request, and says whether the connection is good for another one.
  typealias Answer =
    @Sendable (_ request: ReceivedRequest, _ remoteAddress: String, any Channel) async throws ->
    Bool

  struct Connection: ServerChildChannelValue {
    let channel: any Channel
    fileprivate let requests: AsyncStream<ReceivedRequest>
  }

  let limits: Limits
  let load: PortLoad
  let answer: Answer

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Connection> {
    channel.eventLoop.makeCompletedFuture {
      var decoder = NIOHTTPDecoderLimitConfiguration()
      decoder.maxHeaderFieldSize = limits.headers
      decoder.maxHeaderListSize = limits.headers
      decoder.maxHeaderFieldCount = 200
      let pipeline = channel.pipeline.syncOperations
      try pipeline.configureHTTPServerPipeline(
        // Requests are answered one after the other; whoever reads them refuses what is none; the
        // types of swift-http-types hold no header that would have to be checked.
        withPipeliningAssistance: false, withErrorHandling: false,
        withOutboundHeaderValidation: false, withEncoderConfiguration: .init(),
        withDecoderLimitConfiguration: decoder)
      let (requests, output) = AsyncStream.makeStream(of: ReceivedRequest.self)
      let assembly = RequestAssembly(limits) {
        output.yield($0)
      } onEnd: {
        output.finish()
      }
      try pipeline.addHandlers([
        HostCheck(), HTTP1ToHTTPServerCodec(secure: false), RequestIntake(limits, load),
        DisconnectHandler(), assembly,
      ])
      return Connection(channel: channel, requests: requests)
    }
  }

  /// Returns when the connection has ended.
  func handle(value connection: Connection, logger: Logger) async {
    let channel = connection.channel
    let remoteAddress = channel.remoteAddress?.ipAddress ?? ""
    await withTaskCancellationHandler {
      for await request in connection.requests {
        guard (try? await answer(request, remoteAddress, channel)) == true else { break }
      }
      // Who closes with bytes unread has the answer lost on its way, so the client closes first, or
      // `RequestIntake` loses patience.
      channel.close(mode: .output, promise: nil)
      try? await channel.closeFuture.get()
    } onCancel: {
      channel.close(mode: .input, promise: nil)
    }
  }
}

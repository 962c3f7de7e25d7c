import NIOCore
import NIOHTTP2
import NIOHTTPTypesHTTP2

/// The connections of a port that speak HTTP/2: gRPC and all that HTTP/1.1 is answered to, each on
/// streams of its own.
struct HTTP2Connections: Sendable {
  /// What is done for one stream.
  typealias Job = @Sendable () async -> Void

  /// A connection with its handlers. The loop adds a job for each stream, at most one, and `handle`
  /// alone takes them.
  struct Connection: Sendable {
    fileprivate let channel: any Channel
    fileprivate let jobs: AsyncStream<Job>
  }

  let limits: Limits
  let load: PortLoad
  let methods: GRPCMethods
  let answer: ConnectedClient.Answer

  /// Adds the handlers that a connection needs; on its loop.
  func setUp(_ channel: any Channel) throws -> Connection {
    let (jobs, output) = AsyncStream.makeStream(of: Job.self)
    let front = HTTP2Front(advertising: limits.http2Settings)
    let connection = HTTP2Connection(limits, load: load, front: front)
    let bound = NIOLoopBound(connection, eventLoop: channel.eventLoop)
    let service = HTTP2Stream.Service(
      limits: limits, methods: methods, answer: answer,
      remoteAddress: channel.remoteAddress?.ipAddress ?? "", jobs: output)
    let http2 = NIOHTTP2Handler(
      mode: .server, eventLoop: channel.eventLoop,
      connectionConfiguration: limits.http2Connection, streamConfiguration: limits.http2Stream,
      streamDelegate: HTTP2StreamNumbers(connection: bound)
    ) { stream in
      stream.eventLoop.makeCompletedFuture {
        try stream.pipeline.syncOperations.addHandler(HTTP2Stream(bound.value, service: service))
      }
    }
    // In front of NIO's handler, which speaks as soon as it is added.
    let pipeline = channel.pipeline.syncOperations
    try pipeline.addHandler(front)
    try pipeline.addHandler(http2)
    try pipeline.addHandler(connection)
    // Otherwise `handle` would wait for ever.
    channel.closeFuture.whenComplete { _ in output.finish() }
    return Connection(channel: channel, jobs: jobs)
  }

  /// Returns when the connection has ended, and all that was begun for it.
  ///
  /// Jobs may outlive their streams: a call that writes runs to its end, whatever its client does.
  func handle(_ connection: Connection) async {
    await withTaskCancellationHandler {
      await withDiscardingTaskGroup { group in
        for await job in connection.jobs { group.addTask { await job() } }
      }
    } onCancel: {
      connection.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
    }
  }
}

extension Limits {
  /// What the client receives, by the numbers of RFC 9113 section 6.5.2:
  /// SETTINGS_MAX_CONCURRENT_STREAMS is 3, and SETTINGS_MAX_HEADER_LIST_SIZE 6.
  fileprivate var http2Settings: [UInt16: UInt32] {
    [3: UInt32(clamping: streams), 6: UInt32(clamping: headers)]
  }

  /// What NIO receives, which ends the connection where it is passed. Up to these bounds
  /// `HTTP2Stream` answers on the stream.
  fileprivate var http2Connection: NIOHTTP2Handler.ConnectionConfiguration {
    var configuration = NIOHTTP2Handler.ConnectionConfiguration()
    configuration.initialSettings = [
      HTTP2Setting(parameter: .maxConcurrentStreams, value: 1 << 20),
      HTTP2Setting(parameter: .maxHeaderListSize, value: max(256 << 10, 2 * headers)),
      HTTP2Setting(parameter: .initialWindowSize, value: Self.window),
    ]
    // Frames that bring nothing cost time, too: a header block may go on in any number of
    // CONTINUATION frames.
    configuration.maximumSequentialContinuationFrames = 32
    configuration.maximumSequentialEmptyDataFrames = 100
    // Frames of streams that the server has ended may be on their way.
    configuration.maximumRecentlyResetStreams = 4 * streams
    configuration.maximumConnectionGlitches = resets
    // Clients may ping as often as they like, within reason.
    configuration.controlFrameRateLimit.maximumCount = resets
    // All streams share the window of the connection (RFC 9113 section 6.9.1). It is larger than
    // that of a stream, so that one stream whose messages are not read does not hold up the others.
    configuration.targetWindowSize = 4 * Self.window
    return configuration
  }

  fileprivate var http2Stream: NIOHTTP2Handler.StreamConfiguration {
    var configuration = NIOHTTP2Handler.StreamConfiguration()
    configuration.targetWindowSize = Self.window
    // A stream is writable again when its client has taken most of a large piece.
    configuration.outboundBufferSizeHighWatermark = 128 << 10
    configuration.outboundBufferSizeLowWatermark = 32 << 10
    configuration.streamResetFrameRateLimit.maximumCount = resets
    configuration.streamErrorRateLimit.maximumCount = resets
    return configuration
  }

  /// Windows as small as the default would make a large message wait for many round trips.
  private static var window: Int { 1 << 20 }
}

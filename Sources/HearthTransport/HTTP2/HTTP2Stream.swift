import HTTPTypes
import HearthErrors
import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOHTTPTypesHTTP2

/// The beginning of every stream's pipeline: looks at the headers, and adds the handlers of what
/// the stream turns out to be.
///
/// It owns the deadline of the request, on the loop of the connection, and is in the connection's
/// list from its headers to its end. It never meets a task: those write to the stream's channel.
final class HTTP2Stream: ChannelDuplexHandler {
  typealias InboundIn = HTTP2Frame.FramePayload
  typealias InboundOut = HTTP2Frame.FramePayload
  typealias OutboundIn = HTTP2Frame.FramePayload
  typealias OutboundOut = HTTP2Frame.FramePayload

  /// What the streams of a connection share. A job runs in the connection's group of tasks.
  struct Service: Sendable {
    let limits: Limits
    let methods: GRPCMethods
    let answer: ConnectedClient.Answer
    let remoteAddress: String
    let jobs: AsyncStream<HTTP2Connections.Job>.Continuation
  }

  private let connection: HTTP2Connection
  private let service: Service
  /// Nil for a request of HTTP, and until the headers have come.
  private var grpc: GRPCStream?
  private var hasBegun = false
  private var isRefused = false
  /// Whether the client has said all that it has to say.
  private var isRequestComplete = false
  /// When the request has to be complete. A method that streams has none: its client may say
  /// nothing for hours.
  private var deadline: Scheduled<Void>?

  init(_ connection: HTTP2Connection, service: Service) {
    self.connection = connection
    self.service = service
  }

  /// A call of gRPC may have no end of its own. A request of HTTP is answered.
  func serverStops() { grpc?.end(.stopping) }

  /// When the client's patience ends, by `grpc-timeout`; nil where it has not said.
  var patienceEnds: NIODeadline? { grpc?.deadline }

  func endAsLate() { grpc?.end(.deadlineExceeded) }

  // MARK: From the client

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isRefused else { return }
    switch unwrapInboundIn(data) {
    case .headers(let payload):
      isRequestComplete = payload.endStream
      if !hasBegun {
        hasBegun = true
        guard begin(payload.headers, context: context) else { return }
      }
    case .data(let payload): isRequestComplete = payload.endStream
    default: return
    }
    context.fireChannelRead(data)
  }

  /// Here and not with the headers: most requests are complete after one read, and never need a
  /// timer.
  func channelReadComplete(context: ChannelHandlerContext) {
    if isRequestComplete {
      deadline?.cancel()
    } else if deadline == nil, grpc?.isLong != true {
      let channel = context.channel
      deadline = context.eventLoop.scheduleTask(in: .seconds(service.limits.requestTime)) {
        channel.close(promise: nil)
      }
    }
    context.fireChannelReadComplete()
  }

  /// Returns whether the stream is served.
  private func begin(_ headers: HPACKHeaders, context: ChannelHandlerContext) -> Bool {
    guard connection.admit(self) else {
      isRefused = true
      // RFC 9113 section 8.7: nothing of the request was processed, so the client may send it
      // again.
      context.writeAndFlush(wrapOutboundOut(.rstStream(.refusedStream)), promise: nil)
      return false
    }
    let call = GRPCCall(headers)
    guard size(of: headers) <= service.limits.headers else {
      refuse(call == nil ? Self.tooLarge : GRPCStream.headersTooLarge, context: context)
      return false
    }
    do {
      if let call {
        let grpc = GRPCStream(call, service: service)
        self.grpc = grpc
        try context.pipeline.syncOperations.addHandler(grpc)
        if let deadline = grpc.deadline { connection.watch(until: deadline) }
      } else {
        try addHTTP(context)
      }
    } catch {
      context.close(promise: nil)
      return false
    }
    return true
  }

  private func addHTTP(_ context: ChannelHandlerContext) throws {
    let service = service
    let client = ConnectedClient(
      channel: context.channel, remoteAddress: service.remoteAddress, isHTTP2: true,
      disconnect: Signal())
    let request = HTTP2Request(service.limits, disconnect: client.disconnect) { request in
      service.jobs.yield {
        let isGood = try? await service.answer(request, client)
        // An answer that fails half-way resets the stream. One that asks for the end of a
        // connection does not matter here.
        if isGood == nil { client.channel.close(promise: nil) }
      }
    }
    try context.pipeline.syncOperations.addHandler(HTTP2FramePayloadToHTTPServerCodec())
    try context.pipeline.syncOperations.addHandler(request)
  }

  /// As RFC 9113 section 6.5.2 counts it: 32 bytes for each field beside its name and value.
  private func size(of headers: HPACKHeaders) -> Int {
    headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 32 }
  }

  private func refuse(_ payloads: [HTTP2Frame.FramePayload], context: ChannelHandlerContext) {
    isRefused = true
    for payload in payloads {
      write(context: context, data: wrapOutboundOut(payload), promise: nil)
    }
    context.flush()
  }

  /// The request does not come as far as `RequestAnswering`, which lets pages of all origins read
  /// such a refusal, too.
  private static var tooLarge: [HTTP2Frame.FramePayload] {
    let reply = ReplyWriter.refusal(APIError(.headersTooLarge))
    let headers = HPACKHeaders([
      (":status", String(reply.status)), ("access-control-allow-origin", "*"),
      ("content-type", reply.headers[.contentType] ?? "application/json"),
      ("content-length", String(reply.body.count)),
    ])
    return [
      .headers(.init(headers: headers)),
      .data(.init(data: .byteBuffer(ByteBuffer(bytes: reply.body)), endStream: true)),
    ]
  }

  // MARK: To the client

  /// A client that is answered before it has said all is asked to say no more; not before it has
  /// the whole answer, since what is on its way to a stream that was reset is dropped. RFC 9113
  /// section 8.1 allows it, and gRPC's PROTOCOL-HTTP2.md asks for it.
  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard !isRequestComplete, unwrapOutboundIn(data).endsStream else {
      return context.write(data, promise: promise)
    }
    let promise = promise ?? context.eventLoop.makePromise()
    promise.futureResult.assumeIsolated().whenSuccess {
      // The client may have ended its request, or the stream, in the meantime.
      guard !self.isRequestComplete, context.channel.isActive else { return }
      context.writeAndFlush(self.wrapOutboundOut(.rstStream(.noError)), promise: nil)
    }
    context.write(data, promise: promise)
  }

  // MARK: Its end

  func channelInactive(context: ChannelHandlerContext) {
    connection.remove(self)
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    deadline?.cancel()
    connection.remove(self)
  }

  /// The stream has been reset, or what it brought is against the protocol, which NIO has answered.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if hasBegun, !isRefused { context.fireErrorCaught(error) }
  }
}

extension HTTP2Frame.FramePayload {
  fileprivate var endsStream: Bool {
    switch self {
    case .headers(let payload): payload.endStream
    case .data(let payload): payload.endStream
    default: false
    }
  }
}

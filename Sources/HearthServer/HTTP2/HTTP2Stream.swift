import HTTPTypes
import HearthErrors
import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOHTTPTypesHTTP2

/// The beginning of every stream's pipeline: looks at the headers, and adds the handlers of what
/// the stream turns out to be.
final class HTTP2Stream: ChannelDuplexHandler {
  typealias InboundIn = HTTP2Frame.FramePayload
  typealias InboundOut = HTTP2Frame.FramePayload
  typealias OutboundIn = HTTP2Frame.FramePayload
  typealias OutboundOut = HTTP2Frame.FramePayload

  /// What the streams of a connection share.
  struct Service: Sendable {
    let limits: Limits
    let methods: GRPCMethods
    let answer: ConnectedClient.Answer
    let remoteAddress: String
    let jobs: AsyncStream<HTTP2Connections.Job>.Continuation
  }

  private let connection: HTTP2Connection
  private let service: Service
  private var grpc: GRPCStream?
  private var hasBegun = false
  private var isRefused = false
  /// Whether the client has said all that it has to say.
  private var isRequestComplete = false
  private var deadline: Scheduled<Void>?

  init(_ connection: HTTP2Connection, _ service: Service) {
    self.connection = connection
    self.service = service
  }

  func serverStops() { grpc?.end(.stopping) }

  /// When the client's patience ends.
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
        guard begin(payload.headers, context) else { return }
      }
    case .data(let payload): isRequestComplete = payload.endStream
    default: return
    }
    context.fireChannelRead(data)
  }

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
  private func begin(_ headers: HPACKHeaders, _ context: ChannelHandlerContext) -> Bool {
    guard connection.admit(self) else {
      isRefused = true
      context.writeAndFlush(wrapOutboundOut(.rstStream(.refusedStream)), promise: nil)
      return false
    }
    let call = GRPCCall(headers)
    guard size(of: headers) <= service.limits.headers else {
      refuse(call == nil ? Self.tooLarge : GRPCStream.headersTooLarge, context)
      return false
    }
    do {
      if let call {
        let grpc = GRPCStream(call, service)
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
    let request = HTTP2Request(service.limits, client.disconnect) { request in
      service.jobs.yield {
        let isGood = try? await service.answer(request, client)
        if isGood == nil { client.channel.close(promise: nil) }
      }
    }
    try context.pipeline.syncOperations.addHandler(HTTP2FramePayloadToHTTPServerCodec())
    try context.pipeline.syncOperations.addHandler(request)
  }

  /// As the protocol counts it.
  private func size(of headers: HPACKHeaders) -> Int {
    headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 32 }
  }

  private func refuse(_ payloads: [HTTP2Frame.FramePayload], _ context: ChannelHandlerContext) {
    isRefused = true
    for payload in payloads {
      write(context: context, data: wrapOutboundOut(payload), promise: nil)
    }
    context.flush()
  }

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

  /// A client that is answered before it has said all is asked to say no more; not before it has the
  /// whole answer, since what is on its way to a stream that was reset is dropped.
  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard !isRequestComplete, unwrapOutboundIn(data).endsStream else {
      return context.write(data, promise: promise)
    }
    let promise = promise ?? context.eventLoop.makePromise()
    promise.futureResult.assumeIsolated().whenSuccess {
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

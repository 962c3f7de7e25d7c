import NIOCore
import NIOHPACK
import NIOHTTP2

/// A part of an answer, as methods write it to the channel. `GRPCStream` makes frames of it.
enum GRPCPart: Sendable {
  /// The headers, where they are to go out before there is a message.
  case headers
  /// A message with its prefix.
  case message(ByteBuffer)
  case status(GRPCStatus)
}

/// A call of gRPC on its stream: puts messages together, has the method run, and writes the answer.
///
/// It owns the state of the call, on the loop of the connection. The method runs in a task of its
/// own and reaches the handler through the channel and the inbox only. The call ends with its
/// status, which either of them may give, or with its stream.
final class GRPCStream: ChannelDuplexHandler {
  typealias InboundIn = HTTP2Frame.FramePayload
  typealias OutboundIn = GRPCPart
  typealias OutboundOut = HTTP2Frame.FramePayload

  private let call: GRPCCall
  private let service: HTTP2Stream.Service
  private let method: Result<GRPCMethods.Method, GRPCStatus>
  /// Comes when the call ends before its method, and cancels a method that streams.
  private let ending = Signal()
  private var reader: GRPCMessageReader
  /// Of a method that streams; nil for one that takes one message.
  private var inbox: GRPCInbox?
  /// The message of a call that has one.
  private var message: GRPCMessage?
  private var hasBegun = false
  /// Whether the answer has begun. A status that comes before has the headers with it.
  private var hasSentHeaders = false
  /// Whether there is a status, after which nothing counts.
  private var isOver = false
  /// Whether NIO wants to read and was not let, since the inbox is full.
  private var isReadHeld = false
  private var context: ChannelHandlerContext?

  /// When the client's patience ends, by the machine's clock; nil for never.
  let deadline: NIODeadline?

  /// Whether the client may send as long as it likes.
  var isLong: Bool { (try? method.get())?.kind == .stream }

  init(_ call: GRPCCall, service: HTTP2Stream.Service) {
    self.call = call
    self.service = service
    method = service.methods.find(call)
    reader = GRPCMessageReader(atMost: service.limits.message)
    deadline = call.timeout.map { .now() + TimeAmount($0) }
  }

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func handlerRemoved(context: ChannelHandlerContext) {
    self.context = nil
    // It knows this handler.
    inbox = nil
  }

  // MARK: From the client

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isOver else { return }
    switch unwrapInboundIn(data) {
    case .headers(let payload):
      // Any others are trailers, in which clients have nothing to say.
      if !hasBegun { begin(context) }
      if payload.endStream { complete(context) }
    case .data(let payload):
      guard case .byteBuffer(var bytes) = payload.data else { return }
      reader.append(&bytes)
      takeMessages()
      if payload.endStream { complete(context) }
    default: break
    }
  }

  /// A method that streams runs from the headers on, one that takes a message when that has come.
  private func begin(_ context: ChannelHandlerContext) {
    hasBegun = true
    let method: GRPCMethods.Method
    switch self.method {
    case .success(let found): method = found
    case .failure(let refusal): return end(refusal)
    }
    if let encoding = call.encoding, !["identity", "gzip", "deflate"].contains(encoding) {
      // gRPC's compression.md: UNIMPLEMENTED, with `grpc-accept-encoding` in the same headers.
      return end(.unimplemented("grpc-encoding \(encoding) is not supported."))
    }
    guard method.kind == .stream else { return }
    let channel = context.channel
    let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
    let inbox = GRPCInbox { channel.eventLoop.execute { bound.value.readOn() } }
    self.inbox = inbox
    // The method may have nothing to say for long: the headers tell that it runs.
    pass(.headers, context: context)
    context.flush()
    run(
      method,
      exchange: GRPCExchange(
        call, input: .many(inbox), largestMessage: service.limits.message, channel: channel))
  }

  private func takeMessages() {
    do throws(GRPCStatus) {
      while let next = try reader.next() {
        if let inbox {
          inbox.add(next)
        } else if message == nil {
          message = next
        } else {
          throw .internalError("The method takes one message, and there are more.")
        }
      }
    } catch {
      end(error)
    }
  }

  /// The client has said all, by END_STREAM. A method of one message runs only then, so one that is
  /// cut off does nothing.
  private func complete(_ context: ChannelHandlerContext) {
    guard !isOver else { return }
    if reader.isInside { return end(.internalError("A message ended early.")) }
    if let inbox { return inbox.finish() }
    guard let method = try? method.get(), let message else {
      return end(.internalError("The method takes one message, and there is none."))
    }
    self.message = nil
    run(
      method,
      exchange: GRPCExchange(
        call, input: .one(message), largestMessage: service.limits.message, channel: context.channel
      ))
  }

  /// Has the method run in the connection's group of tasks. A stream gets a task of its own within,
  /// for `ending` to cancel.
  private func run(_ method: GRPCMethods.Method, exchange: GRPCExchange) {
    guard method.kind == .stream else {
      // What it does is done or not done. One that its client no longer waits for goes on.
      service.jobs.yield { await exchange.answer(method) }
      return
    }
    service.jobs.yield { [ending] in
      let task = Task(executorPreference: EventLoopExecutor.shared) {
        await exchange.answer(method)
      }
      ending.whenItComes { task.cancel() }
      await withTaskCancellationHandler {
        await task.value
      } onCancel: {
        task.cancel()
      }
    }
  }

  // MARK: Patience

  /// Bytes that are not read keep HTTP/2's window closed.
  func read(context: ChannelHandlerContext) {
    if inbox?.isFull == true { isReadHeld = true } else { context.read() }
  }

  private func readOn() {
    guard isReadHeld else { return }
    isReadHeld = false
    context?.read()
  }

  // MARK: To the client

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard !isOver else {
      // The method does not know yet that the call has ended.
      promise?.fail(ChannelError.ioOnClosedChannel)
      return
    }
    pass(unwrapOutboundIn(data), context: context, promise: promise)
  }

  private func pass(
    _ part: GRPCPart, context: ChannelHandlerContext, promise: EventLoopPromise<Void>? = nil
  ) {
    switch part {
    case .headers:
      writeHeaders(context, promise: promise)
    case .message(let bytes):
      if !hasSentHeaders { writeHeaders(context, promise: nil) }
      context.write(wrapOutboundOut(.data(.init(data: .byteBuffer(bytes)))), promise: promise)
    case .status(let status):
      isOver = true
      let payload = Self.trailers(status, after: hasSentHeaders ? HPACKHeaders() : headers)
      context.write(wrapOutboundOut(payload), promise: promise)
    }
  }

  private static let headers = HPACKHeaders([
    (":status", "200"), ("content-type", "application/grpc"),
    ("grpc-accept-encoding", "identity,gzip,deflate"),
  ])
  /// With what tells a client that Google does not answer itself.
  private static let headersAsGoogle = {
    var headers = GRPCStream.headers
    headers.add(name: "x-hearth", value: "as-google")
    return headers
  }()

  private var headers: HPACKHeaders {
    service.methods.isOfGoogle ? Self.headersAsGoogle : Self.headers
  }

  private func writeHeaders(_ context: ChannelHandlerContext, promise: EventLoopPromise<Void>?) {
    hasSentHeaders = true
    context.write(wrapOutboundOut(.headers(.init(headers: headers))), promise: promise)
  }

  /// With the headers, where nothing else has been sent: PROTOCOL-HTTP2.md calls it Trailers-Only,
  /// and has both in one frame.
  private static func trailers(
    _ status: GRPCStatus, after headers: HPACKHeaders
  ) -> HTTP2Frame.FramePayload {
    var headers = headers
    headers.add(name: "grpc-status", value: String(status.code))
    if !status.message.isEmpty { headers.add(name: "grpc-message", value: status.encodedMessage) }
    if let details = status.encodedDetails {
      headers.add(name: "grpc-status-details-bin", value: details)
    }
    return .headers(.init(headers: headers, endStream: true))
  }

  static var headersTooLarge: [HTTP2Frame.FramePayload] {
    [trailers(.resourceExhausted("The metadata exceeds the limit."), after: headers)]
  }

  // MARK: Its end

  /// Ends the call, whatever its method does. A method of one message goes on, and its answer is
  /// dropped.
  func end(_ status: GRPCStatus) {
    guard !isOver, let context else { return }
    pass(.status(status), context: context)
    context.flush()
    ending.come()
    inbox?.finish()
  }

  /// After the status, or when the client has cancelled the call with RST_STREAM or is gone.
  func channelInactive(context: ChannelHandlerContext) {
    isOver = true
    ending.come()
    inbox?.finish()
    context.fireChannelInactive()
  }

  /// That the stream was reset comes before it becomes inactive.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}

import HTTPTypes
import HearthErrors
import NIOCore
import NIOHTTPTypes

/// A request that was read to its end, or why it is not read.
struct ReceivedRequest: Sendable {
  let head: HTTPRequest
  /// As it was sent, perhaps compressed.
  let body: Result<ByteBuffer, APIError>
  /// Whether it came over HTTP/2, whose answers say nothing about the connection.
  let isHTTP2: Bool
  /// Keeps the bytes of a large body accounted for.
  let reservations: [ByteBudget.Reservation]
}

/// Puts requests together, and hands each on when it is whole.
///
/// NIO's asynchronous channels hand on each part by itself, which takes longer than to read it:
/// record 0026.
final class RequestAssembly: ChannelDuplexHandler {
  typealias InboundIn = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private static let encodings = ["identity", "gzip", "x-gzip", "deflate"]
  /// What a body may have without being accounted for.
  private static let smallBody = 256 << 10

  private let limits: Limits
  private let handOver: (ReceivedRequest) -> Void
  private let onEnd: (() -> Void)?
  /// The head of the request that is being read.
  private var head: HTTPRequest?
  private var body = ByteBuffer()
  private var reservations: [ByteBudget.Reservation] = []
  private var reserved = smallBody
  /// Whether a request was refused, and nothing behind it counts.
  private var isOver = false
  /// Requests that were handed on and have no answer yet.
  private var unanswered = 0
  private var isReadHeld = false

  /// `handOver` is given the requests in the order in which they came; `onEnd` is called when no
  /// more can come. It is nil for a stream of HTTP/2, which brings one.
  init(
    _ limits: Limits, handOver: @escaping (ReceivedRequest) -> Void, onEnd: (() -> Void)? = nil
  ) {
    self.limits = limits
    self.handOver = handOver
    self.onEnd = onEnd
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isOver else { return }
    switch unwrapInboundIn(data) {
    case .head(let head):
      if let refusal = refusal(of: head) { return refuse(head, refusal) }
      self.head = head
    case .body(var part):
      guard let head else { return }
      let size = body.readableBytes + part.readableBytes
      if let refusal = refusal(of: head, size: size) { return refuse(head, refusal) }
      if body.readableBytes == 0 { body = part } else { body.writeBuffer(&part) }
    case .end:
      guard let head else { return }
      handOn(head, .success(body))
      reset()
    }
  }

  /// What can be said before the body has come.
  private func refusal(of head: HTTPRequest) -> APIError? {
    let encoding = head.headerFields[.contentEncoding]?.lowercased() ?? "identity"
    guard Self.encodings.contains(encoding) else {
      return APIError(.unsupportedEncoding, "content-encoding \(encoding)")
    }
    // By its subscript the header would be copied.
    let length = head.headerFields.first { $0.name == .contentLength }
    return refusal(of: head, size: length.flatMap { Int($0.value) } ?? 0)
  }

  /// Accounts for a large body, all that is announced at once.
  private func refusal(of head: HTTPRequest, size: Int) -> APIError? {
    guard size > min(reserved, limits.body) else { return nil }
    guard size <= limits.body(of: head.path) else { return APIError(.payloadTooLarge) }
    guard size > reserved else { return nil }
    let more = max(size - reserved, Self.smallBody)
    guard let reservation = ByteBudget.requests.reserve(more) else {
      return APIError(.unavailable, message: "The server holds too many large requests.")
    }
    reservations.append(reservation)
    reserved += more
    return nil
  }

  private func refuse(_ head: HTTPRequest, _ refusal: APIError) {
    isOver = true
    reset()
    handOn(head, .failure(refusal))
    onEnd?()
  }

  private func reset() {
    head = nil
    body = ByteBuffer()
    reservations = []
    reserved = Self.smallBody
  }

  private func handOn(_ head: HTTPRequest, _ body: Result<ByteBuffer, APIError>) {
    unanswered += 1
    handOver(
      ReceivedRequest(
        head: head, body: body, isHTTP2: onEnd == nil, reservations: reservations))
  }

  // MARK: Patience

  /// Who sends on and on without waiting for answers has to wait; the first that waits is taken in,
  /// so that it is noticed when the client goes.
  func read(context: ChannelHandlerContext) {
    if unanswered > 1 { isReadHeld = true } else { context.read() }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard case .end = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
    context.write(data, promise: promise)
    unanswered -= 1
    if isReadHeld {
      isReadHeld = false
      context.read()
    }
  }

  // MARK: Ends

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case ChannelEvent.inputClosed = event { onEnd?() }
    context.fireUserInboundEventTriggered(event)
  }

  func channelInactive(context: ChannelHandlerContext) {
    onEnd?()
    context.fireChannelInactive()
  }

  /// What is not HTTP, where `RequestIntake` does not answer it: in the middle of a request, or
  /// behind one that has no answer yet.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard !isOver else { return }
    if error is ChannelError || error is IOError {
      onEnd?()
    } else if let head {
      refuse(head, APIError(.invalidArgument, "the body ended early"))
    } else {
      let nobody = HTTPRequest(method: .get, scheme: nil, authority: nil, path: nil)
      refuse(nobody, APIError(.invalidArgument, "this is not HTTP: \(error)"))
    }
  }
}

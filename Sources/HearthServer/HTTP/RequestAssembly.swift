import HTTPTypes
import HearthCore
import NIOCore
import NIOHTTPTypes

/// A request that was read to its end, or why it is not read.
struct ReceivedRequest: Sendable {
  let head: HTTPRequest
  /// As it was sent, perhaps compressed.
  let body: Result<ByteBuffer, APIError>
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

  /// In the order in which they came. It ends when no more can come.
  let requests: AsyncStream<ReceivedRequest>
  private let output: AsyncStream<ReceivedRequest>.Continuation
  private let largestBody: Int
  /// The head of the request that is being read.
  private var head: HTTPRequest?
  private var body = ByteBuffer()
  /// Whether a request was refused, and nothing behind it counts.
  private var isOver = false
  /// Requests that were handed on and have no answer yet.
  private var unanswered = 0
  private var isReadHeld = false

  init(_ limits: Limits) {
    largestBody = limits.body
    (requests, output) = AsyncStream.makeStream()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isOver else { return }
    switch unwrapInboundIn(data) {
    case .head(let head):
      if let refusal = refusal(of: head) { return refuse(head, refusal) }
      self.head = head
    case .body(var part):
      guard let head else { return }
      guard body.readableBytes + part.readableBytes <= largestBody else {
        return refuse(head, APIError(.payloadTooLarge))
      }
      body.writeBuffer(&part)
    case .end:
      guard let head else { return }
      handOn(ReceivedRequest(head: head, body: .success(body)))
      self.head = nil
      body = ByteBuffer()
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
    return length.flatMap { Int($0.value) } ?? 0 > largestBody ? APIError(.payloadTooLarge) : nil
  }

  private func refuse(_ head: HTTPRequest, _ refusal: APIError) {
    isOver = true
    self.head = nil
    body = ByteBuffer()
    handOn(ReceivedRequest(head: head, body: .failure(refusal)))
    output.finish()
  }

  private func handOn(_ request: ReceivedRequest) {
    unanswered += 1
    output.yield(request)
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
    if case ChannelEvent.inputClosed = event { output.finish() }
    context.fireUserInboundEventTriggered(event)
  }

  func channelInactive(context: ChannelHandlerContext) {
    output.finish()
    context.fireChannelInactive()
  }

  /// What is no HTTP, where `RequestIntake` does not answer it: in the middle of a request, or
  /// behind one that has no answer yet.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard !isOver else { return }
    if error is ChannelError || error is IOError {
      output.finish()
    } else if let head {
      refuse(head, APIError(.invalidArgument, "the body ended early"))
    } else {
      let nobody = HTTPRequest(method: .get, scheme: nil, authority: nil, path: nil)
      refuse(nobody, APIError(.invalidArgument, "this is no HTTP: \(error)"))
    }
  }
}

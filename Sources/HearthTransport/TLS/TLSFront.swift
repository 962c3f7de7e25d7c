package import NIOCore
import NIOSSL

/// Looks at the first bytes of a connection to a port with TLS: adds TLS for the names that the
/// port has, and refuses others and clients without TLS in words that they understand.
///
/// It owns the bytes that have come, on the connection's loop, and leaves the pipeline when TLS
/// begins. The handler after it closes connections that take too long, since no byte reaches it
/// before the handshake is done.
package final class TLSFront: ChannelInboundHandler, RemovableChannelHandler {
  package typealias InboundIn = ByteBuffer
  package typealias InboundOut = ByteBuffer
  package typealias OutboundOut = ByteBuffer

  /// Descriptions of fatal alerts: RFC 8446 section 6.2.
  private enum Alert: UInt8 {
    case decodeError = 50
    case unrecognizedName = 112
  }

  private let terms: TLSTerms
  /// At most twice `ClientHello.longest` and one read: records have headers beside the message.
  private var bytes = ByteBuffer()
  private var isDecided = false

  package init(_ terms: TLSTerms) { self.terms = terms }

  package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // What comes after a refusal is dropped.
    guard !isDecided else { return }
    var more = unwrapInboundIn(data)
    bytes.writeBuffer(&more)
    guard let first = bytes.readableBytesView.first else { return }
    guard ClientHello.begins(first) else { return refusePlainText(first, context: context) }
    guard let accepts = terms.accepts else { return begin(context) }
    switch ClientHello.parse(bytes.readableBytesView) {
    case .incomplete:
      if bytes.readableBytes > 2 * ClientHello.longest { refuse(.decodeError, context: context) }
    case .malformed: refuse(.decodeError, context: context)
    case .name(let name):
      accepts(name) ? begin(context) : refuse(.unrecognizedName, context: context)
    }
  }

  /// The handlers of TLS come in after this one, and get its bytes from the first when it leaves:
  /// they need them all.
  private func begin(_ context: ChannelHandlerContext) {
    isDecided = true
    do {
      try context.pipeline.syncOperations.addHandlers(
        [NIOSSLServerHandler(context: terms.context), TLSErrors(terms.failures)],
        position: .after(self))
      context.pipeline.syncOperations.removeHandler(self, promise: nil)
    } catch {
      context.close(promise: nil)
    }
  }

  /// At once, within `channelRead`: the handlers after this one hear of the read's completion.
  package func removeHandler(
    context: ChannelHandlerContext, removalToken: ChannelHandlerContext.RemovalToken
  ) {
    context.fireChannelRead(wrapInboundOut(bytes))
    context.leavePipeline(removalToken: removalToken)
  }

  private func refuse(_ alert: Alert, context: ChannelHandlerContext) {
    isDecided = true
    // A record of TLS 1.2, which is how all versions begin, with a fatal alert: the type of alerts,
    // the version, the length, the level and the description.
    context.endAfter([21, 3, 3, 0, 2, 2, alert.rawValue])
  }

  private func refusePlainText(_ first: UInt8, context: ChannelHandlerContext) {
    isDecided = true
    // The methods of HTTP begin with a capital letter. A client of anything else would not
    // understand the answer.
    guard (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first) else {
      return context.close(promise: nil)
    }
    context.endAfter(
      PlainAnswer.bytes(status: "400 Bad Request", "This port speaks TLS: use https."))
  }
}

/// Ends a connection whose TLS fails. The handlers after it would take the error for one of HTTP.
private final class TLSErrors: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let failures: TLSFailures

  init(_ failures: TLSFailures) { self.failures = failures }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    failures.note(error)
    context.close(promise: nil)
  }
}

/// An answer of HTTP/1.1 with a line of text, after which the connection ends.
package enum PlainAnswer {
  package static func bytes(status: String, _ line: String) -> [UInt8] {
    let text = """
      HTTP/1.1 \(status)\r
      Content-Type: text/plain; charset=utf-8\r
      Content-Length: \(line.utf8.count + 1)\r
      Connection: close\r
      \r
      \(line)

      """
    return Array(text.utf8)
  }
}

extension ChannelHandlerContext {
  /// Sends the bytes and ends the connection. It is closed a moment later: with bytes unread, TCP
  /// would take back what was sent.
  package func endAfter(_ bytes: [UInt8]) {
    let channel = channel
    writeAndFlush(NIOAny(ByteBuffer(bytes: bytes)), promise: nil)
    close(mode: .output, promise: nil)
    eventLoop.scheduleTask(in: .seconds(1)) { channel.close(promise: nil) }
  }
}

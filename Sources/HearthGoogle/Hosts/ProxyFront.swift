import HearthObservation
package import HearthTransport
package import NIOCore

/// A proxy that leads nowhere but to the server itself: a tunnel to a host that is played becomes a
/// connection to the port of Google's hosts, in this process. Everything else is refused with its name.
///
/// Its state belongs to the connection's loop. The handler after it closes connections that take too
/// long.
package final class ProxyFront: ChannelInboundHandler, RemovableChannelHandler {
  package typealias InboundIn = ByteBuffer
  package typealias InboundOut = ByteBuffer
  package typealias OutboundOut = ByteBuffer

  private static let established = Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8)

  private let gateway: GoogleGateway
  private let terms: TLSTerms
  private var bytes = ByteBuffer()
  private var isDecided = false

  package init(_ gateway: GoogleGateway, terms: TLSTerms) {
    self.gateway = gateway
    self.terms = terms
  }

  package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // What comes after a refusal is dropped.
    guard !isDecided else { return }
    var more = unwrapInboundIn(data)
    bytes.writeBuffer(&more)
    let (request, length) = ProxyRequest.parse(bytes.readableBytesView)
    switch request {
    case .incomplete: break
    case .malformed:
      end("400 Bad Request", line: "This is a proxy of Hearth: use CONNECT.", context: context)
    case .plain(let host) where GoogleHosts.isMetadata(host): stepAside(context)
    case .plain(let host):
      refuse(
        host, reason: "Hearth answers for \(RefusedHosts.printable(host)) over https only",
        context: context)
    case .connect(let host, let port):
      guard gateway.hosts[host: host] != nil, port == 443 else {
        let name = RefusedHosts.printable(port == 443 ? host : "\(host):\(port)")
        return refuse(
          name, reason: "\(name) is not a host that Hearth answers for", context: context)
      }
      bytes.moveReaderIndex(forwardBy: length ?? 0)
      beginTunnel(context)
    }
  }

  private func beginTunnel(_ context: ChannelHandlerContext) {
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: Self.established)), promise: nil)
    do {
      try context.pipeline.syncOperations.addHandler(TLSFront(terms), position: .after(self))
      stepAside(context)
    } catch {
      context.close(promise: nil)
    }
  }

  private func stepAside(_ context: ChannelHandlerContext) {
    isDecided = true
    context.pipeline.syncOperations.removeHandler(self, promise: nil)
  }

  /// At once, within `channelRead`: the handlers after this one hear of the read's completion.
  package func removeHandler(
    context: ChannelHandlerContext, removalToken: ChannelHandlerContext.RemovalToken
  ) {
    if bytes.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(bytes)) }
    context.leavePipeline(removalToken: removalToken)
  }

  private func refuse(_ host: String, reason: String, context: ChannelHandlerContext) {
    gateway.refused.note(host, way: .proxy)
    end("502 Bad Gateway", line: "\(reason). Nothing was sent to it.", context: context)
  }

  private func end(_ status: String, line: String, context: ChannelHandlerContext) {
    isDecided = true
    context.endAfter(PlainAnswer.bytes(status: status, line))
  }
}

import NIOCore
import NIOHTTP1

/// Refuses requests of HTTP/1.1 that do not name one host, as the protocol demands: which of two
/// counts, others may see differently.
final class HostCheck: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart

  struct Violation: Error, CustomStringConvertible {
    let description = "a request names one host"
  }

  private var isOver = false

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isOver else { return }
    if case .head(let head) = unwrapInboundIn(data), head.version.minor > 0 {
      var hosts = 0
      for header in head.headers where Self.isHost(header.name) { hosts += 1 }
      guard hosts == 1 else {
        isOver = true
        return context.fireErrorCaught(Violation())
      }
    }
    context.fireChannelRead(data)
  }

  private static func isHost(_ name: String) -> Bool {
    name == "Host" || name == "host" || name.utf8.count == 4 && name.lowercased() == "host"
  }
}

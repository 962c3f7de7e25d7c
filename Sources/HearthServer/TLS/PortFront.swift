import Logging
import NIOCore
import NIOSSL
import Synchronization

/// What a port's pipeline has before its handlers. What comes behind is the same for every port,
/// with its limits and time-outs.
enum PortFront: Sendable {
  case none
  case tls(TLSTerms)
  /// A proxy whose tunnels lead to the port itself.
  case proxy(GoogleGateway, TLSTerms)

  var isSecure: Bool { if case .none = self { false } else { true } }

  /// Adds its handler; on the connection's loop.
  func setUp(_ channel: any Channel) throws {
    let pipeline = channel.pipeline.syncOperations
    switch self {
    case .none: break
    case .tls(let terms): try pipeline.addHandler(TLSFront(terms))
    case .proxy(let gateway, let terms): try pipeline.addHandler(ProxyFront(gateway, terms))
    }
  }
}

/// How a port speaks TLS. Its connections share the context, which no one changes.
struct TLSTerms: Sendable {
  let context: NIOSSLContext
  /// Whether a connection with this name is taken; nil where names do not matter.
  let accepts: (@Sendable (String?) -> Bool)?
  let failures: TLSFailures
}

/// Says once what to do about clients that do not trust the certificate: such a client tries again
/// and again.
///
/// All ports with TLS share one, which lasts as long as the server. It may be called on any loop.
final class TLSFailures: Sendable {
  private let logger: Logger
  private let hasExplained = Atomic(false)

  init(_ logger: Logger) { self.logger = logger }

  /// Takes note of a handshake that failed. Other errors, such as a connection that breaks, say
  /// nothing about trust.
  func note(_ error: any Error) {
    switch error {
    case NIOSSLError.handshakeFailed(let reason): explain("\(reason)")
    case is BoringSSLError: explain("\(error)")
    default: break
    }
  }

  private func explain(_ reason: String) {
    guard !hasExplained.exchange(true, ordering: .relaxed) else { return }
    logger.warning(
      """
      A client ended its TLS handshake (\(reason)). If it does not trust the certificate: \
      `hearth trust` tells what to do.
      """)
  }
}

package import Logging
package import NIOCore
package import NIOSSL
import Synchronization

/// What a port's pipeline has before its handlers. What comes after is the same for every port,
/// with its limits and time-outs.
package enum PortFront: Sendable {
  case none
  case tls(TLSTerms)
  /// A proxy whose tunnels lead to the port itself. The closure makes its handler, which adds TLS.
  case proxy(@Sendable () -> any ChannelHandler)

  package var isSecure: Bool { if case .none = self { false } else { true } }

  /// Adds its handler; on the connection's loop.
  package func setUp(_ channel: any Channel) throws {
    let pipeline = channel.pipeline.syncOperations
    switch self {
    case .none: break
    case .tls(let terms): try pipeline.addHandler(TLSFront(terms))
    case .proxy(let handler): try pipeline.addHandler(handler())
    }
  }
}

/// How a port speaks TLS. Its connections share the context, which no one changes.
package struct TLSTerms: Sendable {
  package let context: NIOSSLContext
  /// Whether a connection with this name is taken; nil where names do not matter.
  package let accepts: (@Sendable (String?) -> Bool)?
  package let failures: TLSFailures

  package init(
    context: NIOSSLContext, accepts: (@Sendable (String?) -> Bool)? = nil, failures: TLSFailures
  ) {
    self.context = context
    self.accepts = accepts
    self.failures = failures
  }
}

/// Says once what to do about clients that do not trust the certificate: such a client tries again
/// and again.
///
/// All ports with TLS share one, which lasts as long as the server. It may be called on any loop.
package final class TLSFailures: Sendable {
  private let logger: Logger
  private let hasExplained = Atomic(false)

  package init(_ logger: Logger) { self.logger = logger }

  /// Takes note of a handshake that failed. Other errors, such as a connection that breaks, say
  /// nothing about trust.
  package func note(_ error: any Error) {
    switch error {
    case NIOSSLError.handshakeFailed(let reason): explain(Self.name(in: "\(reason)"))
    case is BoringSSLError: explain(Self.name(in: "\(error)"))
    default: break
    }
  }

  /// What BoringSSL calls the error, such as `TLSV1_ALERT_UNKNOWN_CA`, from a description that is for
  /// its authors; nil where there is none.
  package static func name(in description: String) -> String? {
    let mark = "OPENSSL_internal:"
    guard let start = description.firstRange(of: mark) else { return nil }
    let name = description[start.upperBound...].prefix {
      $0.isASCII && ($0.isUppercase || $0.isNumber || $0 == "_")
    }
    return name.isEmpty ? nil : String(name)
  }

  private func explain(_ name: String?) {
    guard !hasExplained.exchange(true, ordering: .relaxed) else { return }
    logger.warning(
      """
      A client ended its TLS handshake\(name.map { " (\($0))" } ?? ""). If it does not trust the \
      certificate: `hearth trust` tells what to do.
      """)
  }
}

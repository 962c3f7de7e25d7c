import HearthMailIn
import HearthSettings
import HearthTLS
import Logging
import NIOCore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Mail that comes in.
extension Hearth {
  /// Serves a port of SMTP until the server stops. One that cannot be opened is not a reason not to
  /// start.
  func takeMail(_ plan: SmtpPlan) async {
    let listener = SmtpListener(host: configuration.host, plan: plan, service: smtp)
    do {
      try await listener.run { [ports] in await ports.bound($0, to: plan.role) }
    } catch {
      let reason =
        (error as? IOError)?.errnoCode == EADDRINUSE
        ? "is already in use\(PortOwner(of: plan.port)?.words ?? "")" : "failed: \(error)"
      // Reported as 0, because those who ask for the addresses wait for every port.
      await ports.bound(
        0, to: plan.role,
        note: "\(plan.name) is off: port \(plan.port) \(reason) (\(plan.flag)).")
    }
  }

  /// The certificate that clients have to trust who use STARTTLS. The first call makes it.
  package func authorityPEM() throws -> String { try certificates.authorityPEM() }
}

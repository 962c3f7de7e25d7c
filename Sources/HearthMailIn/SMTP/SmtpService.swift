import HearthErrors
import HearthMailbox
package import HearthObservation
package import HearthSMTP
package import HearthTLS
package import HearthTransport
package import Logging
import NIOSSL
import Synchronization

/// What the connections of SMTP share: where mails go, what fails on purpose, and the bounds.
///
/// It owns the count of connections and of the bytes that they hold, and lives as long as the
/// server. It may be called on any thread.
package final class SmtpService: Sendable {
  /// Connections of all ports at once.
  static let mostSessions = 200
  /// Bytes of all mails that are being received.
  private static let mostBytes = 128 << 20

  /// One for each connection; it counts connections, not bytes.
  let sessions = ByteBudget(mostSessions)
  package let bytes = ByteBudget(mostBytes)
  private let intake: MailIntake
  private let certificates: ServerCertificates
  private let logger: Logger
  /// Whether the log has told how to trust the certificate, which it does once.
  private let hasExplainedTrust = Atomic(false)

  package init(
    intake: MailIntake, certificates: ServerCertificates, logger: Logger
  ) {
    self.intake = intake
    self.certificates = certificates
    self.logger = logger
  }

  package var faults: MailFaults { intake.faults }

  /// How a stage goes on. A recipient is asked about twice: as a command, and as a recipient of
  /// mail, so that one rule is for all ways in which mails come.
  ///
  /// `user` is the name that the client has logged in with. It may choose the project.
  package func verdict(
    on stage: SmtpStage, address: String?, user: String?
  ) async -> SmtpSession.Verdict {
    let project = intake.faultedProject(user: user)
    var verdict = await faults.verdict(on: .smtp(stage), in: project, address: address)
    if stage == .rcpt, verdict == .goesOn {
      verdict = await faults.verdict(on: .deliver, in: project, address: address)
    }
    return SmtpSession.Verdict(verdict)
  }

  /// Keeps a mail, and gives its number. It returns after the commit.
  package func keep(_ mail: SmtpMail) async -> Result<String, SmtpRefusal> {
    let received = ReceivedMail(
      source: .smtp, envelopeFrom: mail.sender, recipients: mail.recipients, raw: mail.data)
    do throws(APIError) {
      return .success(String(try await intake.receive(received, user: mail.user).id))
    } catch {
      return .failure(SmtpRefusal(error.message))
    }
  }

  /// The context for STARTTLS; nil where there can be no TLS. The first call makes keys, and may
  /// write files.
  func tlsContext() async -> NIOSSLContext? {
    do {
      return try certificates.serverContext()
    } catch {
      logger.warning("STARTTLS was refused: \(error)")
      return nil
    }
  }

  /// Says once what to do about clients that do not trust the certificate.
  func tlsFailed(_ error: any Error) {
    guard !hasExplainedTrust.exchange(true, ordering: .relaxed) else { return }
    logger.warning(
      """
      A mail client ended its TLS handshake (\(error)). If it does not trust the certificate: \
      GET /emulator/v1/ca.pem has what it should trust.
      """)
  }
}

extension SmtpSession.Verdict {
  fileprivate init(_ verdict: MailFaults.Verdict) {
    switch verdict {
    case .goesOn: self = .goesOn
    case .refused(let status, let text): self = .refused(SmtpReply(refusing: status, text: text))
    case .dropped: self = .dropped
    case .lost: self = .lost
    }
  }
}

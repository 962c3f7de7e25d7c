import HearthErrors
package import HearthMailAPI
package import HearthMailbox
package import HearthSMSAPI
package import HearthSMTP
package import HearthTime
import HearthTransport

/// The faults of mail, however it comes in: over SMTP, by a provider's API, or as a document.
///
/// They are rules of the same table as all faults. Each stage of SMTP is an operation, and so are the
/// requests to each send API, and the delivery to one recipient, which every way in asks about.
package struct MailFaults: Sendable {
  package enum Target: CaseIterable, Equatable {
    case smtp(SmtpStage)
    /// A request to the send API of a provider.
    case api(MailProvider)
    /// A request to a gateway of text messages.
    case sms(SMSProvider)
    /// A mail to one recipient.
    case deliver

    package static var allCases: [Target] {
      SmtpStage.allCases.map(Target.smtp) + MailProvider.allCases.map(Target.api)
        + SMSProvider.allCases.map(Target.sms) + [.deliver]
    }

    /// What a rule calls it.
    package var operation: String {
      switch self {
      case .smtp(let stage): "smtp.\(stage.rawValue)"
      case .api(let provider): "mailApi.\(provider.rawValue)"
      case .sms(let provider): "smsApi.\(provider.rawValue)"
      case .deliver: "mail.deliver"
      }
    }
  }

  /// What is to happen; the time that it takes has passed.
  package enum Verdict: Sendable, Equatable {
    case goesOn
    /// A status of SMTP, and a text that begins with its enhanced code.
    case refused(status: Int, text: String)
    /// The connection ends, and nothing has happened.
    case dropped
    /// It happens, and the connection ends without an answer.
    case lost
  }

  package let faults: Faults
  package let clock: any HearthClock

  package init(faults: Faults, clock: any HearthClock) {
    self.faults = faults
    self.clock = clock
  }

  /// Whether there is nothing to ask.
  package var areNone: Bool { faults.isEmpty }

  package func verdict(
    on target: Target, in project: String, address: String?
  ) async -> Verdict {
    let effects = faults.effects(in: project, target.operation, email: address)
    do throws(APIError) {
      switch try await effects.endure(clock) {
      case .isDropped: return .dropped
      case .goesOn(.drop): return .lost
      case .goesOn: return .goesOn
      }
    } catch {
      return Self.refusal(error, target: target, address: address ?? "")
    }
  }

  /// What is answered about each recipient of a mail.
  package func replies(to recipients: [String], in project: String) async -> RecipientReplies {
    guard faults.hasFaults(in: project) else { return RecipientReplies(accepted: recipients) }
    var replies = RecipientReplies()
    for address in recipients {
      switch await verdict(on: .deliver, in: project, address: address) {
      case .goesOn: replies.accepted.append(address)
      case .refused(let status, let text):
        replies.refused.append(.init(address: address, code: status, text: text))
      case .dropped:
        replies.connectionEnd = .beforeKeeping
        return replies
      case .lost:
        replies.accepted.append(address)
        replies.connectionEnd = .afterKeeping
      }
    }
    return replies
  }

  private static func refusal(_ error: APIError, target: Target, address: String) -> Verdict {
    guard error.code == .injectedFault else {
      return .refused(status: 451, text: "4.3.0 \(error.message)")
    }
    let status = error.httpStatus
    guard error.message == APIError(.injectedFault).message else {
      return .refused(status: status, text: error.message)
    }
    return .refused(
      status: status,
      text: status < 500
        ? "4.3.0 \(address) Try again later"
        : Self.text(target, address: address))
  }

  /// What mail servers answer that refuse for good.
  private static func text(_ target: Target, address: String) -> String {
    switch target {
    case .smtp(.rcpt), .deliver: "5.1.1 <\(address)> Recipient address rejected"
    case .smtp(.mail): "5.1.8 <\(address)> Sender address rejected"
    case .smtp(.auth): "5.7.8 Authentication credentials invalid"
    case .smtp(.data), .smtp(.end), .api, .sms: "5.7.1 Message rejected"
    case .smtp(.connect), .smtp(.ehlo), .smtp(.starttls): "5.3.0 Not available"
    }
  }
}

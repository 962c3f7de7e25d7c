/// What a mail server answers about the recipients of a mail. It accepts all of them, unless faults
/// are set.
package struct RecipientReplies: Sendable, Equatable {
  package struct Refusal: Sendable, Equatable {
    package let address: String
    package let code: Int
    package let text: String

    package init(address: String, code: Int, text: String) {
      self.address = address
      self.code = code
      self.text = text
    }
  }

  /// When the connection ends without an answer.
  package enum ConnectionEnd: Sendable {
    /// Nothing is kept.
    case beforeKeeping
    /// The mail is kept, and the sender cannot know.
    case afterKeeping
  }

  package var accepted: [String]
  package var refused: [Refusal] = []
  package var connectionEnd: ConnectionEnd?

  package init(accepted: [String] = []) { self.accepted = accepted }

  /// What became of a mail whose sender hears of refusals later. One for good counts more than one
  /// for now.
  package var delivery: MailDelivery? {
    guard let refusal = refused.first(where: { $0.code >= 500 }) ?? refused.first else {
      return nil
    }
    return MailDelivery(
      refusal.code >= 500 ? .bounced : .deferred, code: refusal.code, text: refusal.text)
  }
}

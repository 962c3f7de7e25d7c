package import HearthWire

/// A mail that the app sent by itself: over SMTP, a provider's API, or a document.
package struct ReceivedMail: Sendable {
  /// How it came.
  package enum Source: String, Sendable, CaseIterable {
    case smtp, resend, sendgrid, postmark, mailgun, ses, trigger
  }

  package var source: Source
  /// The sender that the transport named. It may differ from the header `From`, or be empty.
  package var envelopeFrom: String
  /// The recipients that the transport named. Those that no header names are blind copies.
  package var recipients: [String]
  /// The mail as RFC 5322 text, exactly as received.
  package var raw: [UInt8]
  package var tags: [String]
  /// What the app noted beside the mail: metadata, custom arguments, variables.
  package var metadata: JSONObject
  /// The project that the transport named beside the mail. Without one, the header
  /// `X-Hearth-Project` counts.
  package var projectHeader: String?
  /// What became of the mail. Nil when it was delivered.
  package var delivery: MailDelivery?

  package init(
    source: Source, envelopeFrom: String, recipients: [String], raw: [UInt8], tags: [String] = [],
    metadata: JSONObject = JSONObject()
  ) {
    self.source = source
    self.envelopeFrom = envelopeFrom
    self.recipients = recipients
    self.raw = raw
    self.tags = tags
    self.metadata = metadata
  }
}

package import HearthErrors
import HearthOperations
import HearthSQLite
package import HearthTime
package import HearthWire

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What push messages are called among the types.
package enum PushNote {
  package static let type = "PUSH"
}

/// A push message or a text message that an app sent.
package struct AppMessage: Sendable {
  /// The APIs that such messages come by.
  package static let sources = [
    "fcm", "twilio", "vonage", "messagebird", "bird", "sns", "aws-sms", "plivo", "telnyx", "sinch",
  ]

  package let type: String
  /// Which API it came by.
  package let source: String
  package var sender: String
  package var recipients: [String]
  package var subject = ""
  package var text: String
  package var code: String?
  package var codes: [String] = []
  package var link: String?
  package var links: [String] = []
  package var expiresAt: Timestamp?
  package var delivery: MailDelivery?
  package var tags: [String] = []
  package var metadata = JSONObject()
  /// What only messages of this kind have, as the answer shows it.
  package var more = JSONObject()
  /// The request's body, or the part of it that is the message.
  package var raw: [UInt8]

  package init(
    type: String, source: String, sender: String, recipients: [String], text: String, raw: [UInt8]
  ) {
    self.type = type
    self.source = source
    self.sender = sender
    self.recipients = recipients
    self.text = text
    self.raw = raw
  }
}

extension AppMessage {
  fileprivate var details: JSONObject {
    let to = recipients.map { JSON.members(["name": nil, "address": .string($0)]) }
    var details = JSONObject([
      "codes": .strings(codes),
      "links": .strings(links),
      "envelope": .members(["from": .string(sender), "to": .strings(recipients)]),
      "recipients": .members(["to": .array(to), "cc": [], "bcc": []]),
      "attachments": [],
      "metadata": .object(metadata),
      "defects": [],
      "size": .int(Int64(raw.count)),
    ])
    for (name, value) in more.members { details.append(name, value: value) }
    return details
  }

  /// What the filter looks for: all recipients but a first one that is in lower case already.
  fileprivate var furtherAddresses: [String] {
    var seen: Set<String> = [recipients.first ?? ""]
    return recipients.map { $0.lowercased() }.filter { seen.insert($0).inserted }
  }
}

extension Mailbox {
  /// Stores the message, notifies those who wait for it, and gives its number.
  @discardableResult
  package func receive(_ message: AppMessage, at now: Timestamp) throws(APIError) -> Int64 {
    try transaction.execute(
      """
      INSERT INTO messages (project, tenant, type, recipient, sender, subject, code, link, locale,
        created_at, expires_at, text, html, source, delivery, tags)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, '', ?, ?, ?, '', ?, ?, ?)
      """,
      arguments: [
        projectId, tenantKey, message.type, message.recipients.first ?? "", message.sender,
        message.subject, message.code, message.link, now.milliseconds,
        message.expiresAt?.milliseconds, message.text, message.source,
        message.delivery?.json.text, message.tags.isEmpty ? nil : JSON.strings(message.tags).text,
      ])
    let id = transaction.lastInsertedRowID
    for address in message.furtherAddresses {
      try transaction.execute(
        "INSERT INTO mail_recipients (project, address, message) VALUES (?, ?, ?)",
        arguments: [projectId, address, id])
    }
    let details = JSON.object(message.details).text
    let bytes = message.raw.count + details.utf8.count + message.text.utf8.count
    try transaction.execute(
      """
      INSERT INTO mails (message, project, bytes, size, details, is_packed, raw)
      VALUES (?, ?, ?, ?, ?, 0, ?)
      """,
      arguments: [id, projectId, bytes, message.raw.count, details, Data(message.raw)])
    try announce(id, bytes: bytes)
    return id
  }
}

package import HearthErrors
import HearthMime
import HearthOperations
import HearthSQLite
package import HearthTime
import HearthWire

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Mails that an app sent by itself.
extension Mailbox {
  /// Reads a mail and stores it. For large ones the two are done apart: see ``PreparedMail``.
  @discardableResult
  package func receive(_ mail: ReceivedMail, at now: Timestamp) throws(APIError) -> Int64 {
    try receive(PreparedMail(mail, rules: try mailRules()), at: now)
  }

  /// Stores a mail that was read, notifies those who wait for it, and gives its number.
  @discardableResult
  package func receive(_ prepared: PreparedMail, at now: Timestamp) throws(APIError) -> Int64 {
    let recipients = prepared.recipients
    try insertRow(prepared, to: recipients.first ?? "", at: now)
    let id = transaction.lastInsertedRowID
    for recipient in recipients.dropFirst() {
      try transaction.execute(
        "INSERT INTO mail_recipients (project, address, message) VALUES (?, ?, ?)",
        arguments: [projectId, recipient, id])
    }
    let details = JSON.object(prepared.details).text
    let raw = prepared.packed ?? prepared.mail.raw
    let bytes =
      raw.count + details.utf8.count + prepared.text.utf8.count
      + (prepared.content.html?.utf8.count ?? 0)
    try transaction.execute(
      """
      INSERT INTO mails (message, project, bytes, size, details, is_packed, raw)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """,
      arguments: [
        id, projectId, bytes, prepared.mail.raw.count, details, prepared.packed != nil, Data(raw),
      ])
    try announce(id, bytes: bytes)
    return id
  }

  private func insertRow(
    _ prepared: PreparedMail, to recipient: String, at now: Timestamp
  ) throws(APIError) {
    let findings = prepared.findings
    let content = prepared.content
    let expiry = findings.expiresIn.map { now + .seconds($0) }
    let tags = prepared.tags
    try transaction.execute(
      """
      INSERT INTO messages (project, tenant, type, recipient, sender, subject, code, link, locale,
        created_at, expires_at, text, html, sender_name, reply_to, source, token, delivery, tags)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      arguments: [
        projectId, tenantKey, findings.kind.rawValue, recipient, prepared.sender.address,
        content.subject, findings.code, findings.link, content.header("Content-Language") ?? "",
        now.milliseconds, expiry?.milliseconds, prepared.text, content.html ?? "",
        prepared.sender.name, content.replyTo.first?.address, prepared.mail.source.rawValue,
        findings.linkToken, prepared.mail.delivery?.json.text,
        tags.isEmpty ? nil : JSON.strings(tags).text,
      ])
  }

  /// Notes what became of a message, as a bounce that comes later.
  package func setDelivery(_ delivery: MailDelivery, of id: Int64) throws(APIError) {
    try transaction.execute(
      "UPDATE messages SET delivery = ? WHERE id = ? AND project = ?",
      arguments: [delivery.json.text, id, projectId])
  }

  /// A mail exactly as the app sent it. Nil for messages of Auth and dialects, and unknown ones.
  package func rawMail(_ id: Int64) throws(APIError) -> [UInt8]? {
    try storedMail(id)?.unpacked()
  }

  func storedMail(_ id: Int64) throws(APIError) -> StoredMail? {
    try transaction.first(
      """
      SELECT is_packed, size, raw FROM mails WHERE message = ? AND project = ?
        AND (SELECT source FROM messages WHERE id = message) IS NOT NULL
      """,
      arguments: [id, projectId]
    ) { StoredMail(isPacked: $0[0], size: $0[1], bytes: $0[2]) }
  }
}

/// A raw mail as the store has it. A large one is unpacked on the pool for mails.
struct StoredMail: Sendable {
  let isPacked: Bool
  let size: Int
  let bytes: Data

  func unpacked() throws(APIError) -> [UInt8] {
    guard isPacked else { return Array(bytes) }
    do throws(Inflate.Failure) {
      return try Inflate.deflate(Array(bytes), atMost: size)
    } catch {
      throw APIError(.internalError, detail: "The data store holds a mail that cannot be unpacked.")
    }
  }
}

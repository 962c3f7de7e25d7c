import HearthMime
import HearthPages
import HearthSQLite
package import HearthTime
package import HearthWire

/// A mail that would have been sent: one row of the table `messages`.
package struct Message: Sendable {
  /// Zero until it is kept.
  package let id: Int64
  /// Nil for the project's own accounts, and until it is kept.
  package let tenantId: String?
  /// The name of a `MailType`; rows that other versions wrote may hold other names.
  package let type: String
  package let recipient: String
  package internal(set) var sender: String
  package internal(set) var subject: String
  package let code: String?
  package let link: String?
  package let locale: String
  package let createdAt: Timestamp
  package let expiresAt: Timestamp?
  package let usedAt: Timestamp?
  package internal(set) var text: String
  package internal(set) var html: String
  /// The name in front of the sender's address.
  package internal(set) var senderName: String?
  package internal(set) var replyTo: String?
  /// How it came: a `ReceivedMail.Source`. Nil for what Auth and dialects send.
  package let source: String?
  /// The secret in the link of a mail that an app sent.
  package let token: String?
  /// Nil for a mail that was delivered.
  package internal(set) var delivery: MailDelivery?
  package internal(set) var tags: [String]
  package internal(set) var isRead: Bool
  /// What is kept of a mail that an app sent, in the form of the answer.
  package let details: JSONObject?

  /// A message that is to be kept. Where it has no subject or no HTML, its text takes their place.
  package init(
    type: String, recipient: String, sender: String, subject: String = "", code: String?,
    link: String? = nil, locale: String, createdAt: Timestamp, expiresAt: Timestamp?,
    text: String, html: String = ""
  ) {
    id = 0
    tenantId = nil
    self.type = type
    self.recipient = recipient
    self.sender = sender
    self.subject = subject.isEmpty ? text : subject
    self.code = code
    self.link = link
    self.locale = locale
    self.createdAt = createdAt
    self.expiresAt = expiresAt
    usedAt = nil
    self.text = text
    self.html = html.isEmpty ? "<p>\(HTML.escape(text))</p>" : html
    source = nil
    token = nil
    tags = []
    isRead = false
    details = nil
  }

  /// Whether it is a push or text message that an app sent: no mail, and raw text in no form of mails.
  package var isOfGateway: Bool {
    source != nil && (type == PushNote.type || type == TextMessage.type)
  }

  /// Whether it was sent. A link that an administrator generated was not.
  package var isSent: Bool { delivery?.state != .notSent }
}

extension Message {
  /// Whether the code in the mail can still be redeemed.
  package enum State: String, Sendable, CaseIterable {
    case pending, used, expired
  }

  package func state(at now: Timestamp) -> State {
    if usedAt != nil { return .used }
    guard let expiresAt else { return .pending }
    return expiresAt <= now ? .expired : .pending
  }
}

extension Message {
  /// The types that this version writes.
  static let types =
    MailType.allCases.map(\.rawValue) + [TextMessage.type, PushNote.type] + writtenTypes
    + kinds.map(\.rawValue)

  /// What mails of apps are for.
  private static let kinds: [MailFindings.Kind] = [.reset, .verify, .magic, .otp, .none]

  /// A type in any case of letters.
  static func type(named name: String) -> String? {
    types.first { $0.uppercased() == name.uppercased() }
  }

  /// What other back ends write: a password that they chose, and the news that one was changed.
  private static let writtenTypes = ["NEW_PASSWORD", "NOTICE"]

  static let columns = columns(text: "text", html: "html")

  /// The same, with the beginning of the texts of mails of apps. Those of Auth are short, and their
  /// size counts.
  static let summaryColumns = columns(
    text: "CASE WHEN source IS NULL THEN text ELSE substr(text, 1, 400) END",
    html: "CASE WHEN source IS NULL THEN html ELSE '' END")

  private static func columns(text: String, html: String) -> String {
    """
    id, tenant, type, recipient, sender, subject, code, link, locale, created_at, expires_at, \
    used_at, \(text), \(html), sender_name, reply_to, source, token, delivery, tags, is_read, \
    CASE WHEN source IS NULL THEN NULL \
    ELSE (SELECT details FROM mails WHERE message = messages.id) END
    """
  }

  /// Reads a row of `columns`.
  init(row: ResultRow) {
    let tenant: String = row[1]
    id = row[0]
    tenantId = tenant.isEmpty ? nil : tenant
    type = row[2]
    recipient = row[3]
    sender = row[4]
    subject = row[5]
    code = row[6]
    link = row[7]
    locale = row[8]
    createdAt = Timestamp(milliseconds: row[9])
    expiresAt = (row[10] as Int64?).map(Timestamp.init(milliseconds:))
    usedAt = (row[11] as Int64?).map(Timestamp.init(milliseconds:))
    text = row[12]
    html = row[13]
    senderName = row[14]
    replyTo = row[15]
    source = row[16]
    token = row[17]
    delivery = (row[18] as String?).flatMap(MailDelivery.init(stored:))
    tags = (row[19] as String?).map(Self.tags(stored:)) ?? []
    isRead = row[20]
    details = (row[21] as String?).flatMap { try? JSON.parse($0).object }
  }

  private static func tags(stored text: String) -> [String] {
    (try? JSON.parse(text))?.array?.compactMap(\.string) ?? []
  }
}

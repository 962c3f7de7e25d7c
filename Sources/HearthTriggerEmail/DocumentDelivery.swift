import HearthErrors
import HearthFirestore
import HearthFirestoreJSON
import HearthFirestoreProtos
import HearthMailbox
import HearthMime
import HearthTime
import HearthWire

/// The way of one document to its mail. Each step is a write of its own, so that listeners see it.
struct DocumentDelivery: Sendable {
  /// How long a mail may take to be sent, in seconds.
  private static let lease = 60

  let settings: TriggerEmailSettings
  let path: ResourcePath
  let firestore: Firestore
  let clocks: ProjectClocks
  let mails: any MailStore

  var database: DatabaseName { path.database }
  private var now: Timestamp { clocks.now(of: database.project) }

  /// Looks at the document as it is now, and does what its state asks for.
  ///
  /// - Returns: when to look at it again, where somebody else is sending it.
  func run() async throws(APIError) -> Timestamp? {
    guard let fields = try await document(path.text), MailDocument.isMail(fields) else {
      return nil
    }
    guard let delivery = fields["delivery"]?.object else {
      try await begin()
      try await send(fields, attempts: 0)
      return nil
    }
    let attempts = delivery["attempts"]?.integer ?? 0
    switch delivery["state"]?.string {
    case "PENDING", "RETRY": try await send(fields, attempts: attempts)
    case "PROCESSING":
      let lease = (delivery["leaseExpireTime"]?.string).flatMap(Timestamp.init(iso8601:))
      guard let lease, lease <= now else { return lease }
      try await write([
        "state": PlainFields.string("ERROR"),
        "error": PlainFields.string("Message processing lease expired."),
      ])
    default: break
    }
    return nil
  }

  // MARK: States

  private func begin() async throws(APIError) {
    let start = now
    let delivery = PlainFields.map([
      "startTime": PlainFields.time(start.iso8601), "state": PlainFields.string("PENDING"),
      "attempts": PlainFields.integer(0), "error": PlainFields.null,
      "expireAt": settings.lifetime.map { PlainFields.time($0.end(from: start).iso8601) },
    ])
    try await commit(["delivery": delivery], mask: ["delivery"])
  }

  private func send(_ fields: JSONObject, attempts: Int64) async throws(APIError) {
    let lease = now + .seconds(Self.lease)
    try await write([
      "state": PlainFields.string("PROCESSING"),
      "leaseExpireTime": PlainFields.time(lease.iso8601),
    ])
    var result: KeyValuePairs<String, JSON>
    do throws(MailProblem) {
      let info = try await deliver(fields)
      result = [
        "state": PlainFields.string("SUCCESS"), "error": PlainFields.null, "info": info,
        "attempts": PlainFields.integer(attempts + 1),
        "endTime": PlainFields.time(now.iso8601), "leaseExpireTime": PlainFields.null,
      ]
    } catch {
      result = [
        "state": PlainFields.string("ERROR"), "error": PlainFields.string(error.description),
        "attempts": PlainFields.integer(attempts + 1),
        "endTime": PlainFields.time(now.iso8601), "leaseExpireTime": PlainFields.null,
      ]
    }
    try await write(result)
  }

  private func deliver(_ fields: JSONObject) async throws(MailProblem) -> JSON {
    var mail = try MailDocument(fields)
    try await applyTemplate(to: &mail)
    let recipients = try await recipients(of: mail)
    let replies = await mails.replies(to: recipients.all, in: database.project)
    guard replies.connectionEnd != .beforeKeeping else { throw Self.connectionClosed }
    guard !replies.accepted.isEmpty else {
      let reply = replies.refused.first.map { "\($0.code) \($0.text)" } ?? ""
      throw .other("Can't send mail - all recipients were rejected: \(reply)")
    }
    let message = OutgoingMail(
      mail, recipients: recipients, accepted: replies.accepted, settings: settings, path: path,
      at: now)
    let id: Int64
    do throws(APIError) {
      id = try await mails.receive(message.received, in: database.project)
    } catch {
      throw .other(error.message)
    }
    guard replies.connectionEnd == nil else { throw Self.connectionClosed }
    return PlainFields.map([
      "messageId": PlainFields.string("<\(message.id)>"), "sendgridQueueId": PlainFields.null,
      "accepted": PlainFields.strings(replies.accepted),
      "rejected": PlainFields.strings(replies.refused.map(\.address)),
      "pending": PlainFields.strings([]),
      "response": PlainFields.string("250 2.0.0 Ok: queued as \(id)"),
    ])
  }

  /// A mail that would be empty is an error here, so that it is noticed.
  private func applyTemplate(to mail: inout MailDocument) async throws(MailProblem) {
    guard let template = mail.template else {
      if mail.hasMessage { return }
      throw .other("The field sendGrid is not supported. Use message or template.")
    }
    guard let collection = settings.templates else {
      if mail.hasMessage { return }
      throw .other("Must specify a templates collection to send using a template.")
    }
    let templates = try await MailTemplates(collection, of: self)
    try templates.apply(template.name, data: template.data, to: &mail)
  }

  private static let connectionClosed = MailProblem.other("Connection closed unexpectedly")

  // MARK: Recipients

  struct Recipients {
    var to: [MimeAddress]
    var cc: [MimeAddress]
    var bcc: [MimeAddress]

    var all: [String] {
      var seen: Set<String> = []
      return (to + cc + bcc).map(\.address).filter { !$0.isEmpty && seen.insert($0).inserted }
    }
  }

  private func recipients(of mail: MailDocument) async throws(MailProblem) -> Recipients {
    let recipients = Recipients(
      to: try await addresses(mail.to), cc: try await addresses(mail.cc),
      bcc: try await addresses(mail.bcc))
    guard !recipients.all.isEmpty else {
      throw .other("Failed to deliver email. Expected at least 1 recipient.")
    }
    return recipients
  }

  private func addresses(_ group: MailDocument.Group) async throws(MailProblem) -> [MimeAddress] {
    var addresses = group.addresses.flatMap { MimeAddress.list($0) }
    guard !group.users.isEmpty else { return addresses }
    guard let users = settings.users else {
      throw .other("Must specify a users collection to send using uids.")
    }
    for user in group.users.prefix(1000) {
      let name = "\(database.documents)/\(users)/\(user)"
      do throws(APIError) {
        if let email = try await document(name)?["email"]?.string, !email.isEmpty {
          addresses.append(MimeAddress(address: email))
        }
      } catch {
        throw .other(error.message)
      }
    }
    return addresses
  }

  // MARK: Documents

  /// Nil when there is none.
  func document(_ name: String) async throws(APIError) -> JSONObject? {
    var request = GetDocumentRequest()
    request.name = name
    do throws(APIError) {
      return try PlainFields.read(try await firestore.getDocument(request, as: .owner))
    } catch {
      guard error.code == .notFound else { throw error }
      return nil
    }
  }

  /// Changes members of `delivery`.
  private func write(_ members: KeyValuePairs<String, JSON>) async throws(APIError) {
    let fields = JSONObject(members: members.map { ($0.key, $0.value) })
    try await commit(
      ["delivery": ["mapValue": ["fields": .object(fields)]]],
      mask: fields.keys.map { "delivery." + $0 })
  }

  private func commit(_ fields: JSON, mask: [String]) async throws(APIError) {
    let write: JSON = [
      "update": ["name": .string(path.text), "fields": fields],
      "updateMask": ["fieldPaths": .strings(mask)],
      "currentDocument": ["exists": true],
    ]
    let request: JSON = ["database": .string("\(database)"), "writes": [write]]
    _ = try await firestore.commit(
      try FirestoreJSON.decode(request.bytes, as: CommitRequest.self), as: .owner,
      mayContend: false)
  }
}

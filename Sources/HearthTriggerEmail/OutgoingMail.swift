import HearthCrypto
import HearthFirestore
import HearthMailbox
import HearthMime
import HearthTime
import HearthWire

/// The mail of a document. Its envelope names the recipients that were accepted; its headers name all.
struct OutgoingMail {
  /// Without angle brackets.
  let id: String
  let received: ReceivedMail

  init(
    _ mail: MailDocument, recipients: DocumentDelivery.Recipients, accepted: [String],
    settings: TriggerEmailSettings, path: ResourcePath, at now: Timestamp
  ) {
    let project = path.database.project
    let standard = MimeAddress(address: "noreply@\(project).firebaseapp.com")
    let from = (mail.from.nonEmpty ?? settings.from).flatMap { MimeAddress.list($0).first }
    let sender = from ?? standard
    let random = Randomness().alphanumeric(24)
    let domain = sender.address.split(separator: "@").last.map(String.init) ?? "localhost"
    id = "\(random)@\(domain)"

    var draft = MimeDraft(from: sender)
    draft.to = recipients.to
    draft.cc = recipients.cc
    draft.replyTo = (mail.replyTo.nonEmpty ?? settings.replyTo).map { MimeAddress.list($0) } ?? []
    draft.subject = mail.subject ?? ""
    draft.text = mail.text
    draft.html = mail.html
    draft.headers = mail.headers.map { MimeHeader($0.name, value: $0.value) }
    draft.attachments = mail.attachments.enumerated().map { index, file in
      MimeAttachment(
        number: index + 1, fileName: file.name, contentType: file.type ?? Self.type(of: file.name),
        contentId: file.contentId, isInline: file.contentId != nil, content: file.content)
    }
    received = ReceivedMail(
      source: .trigger, envelopeFrom: sender.address, recipients: accepted,
      raw: draft.encoded(
        boundary: "=_\(random)", date: now.mailDate, messageId: id), tags: mail.categories,
      metadata: JSONObject(["document": .string(path.segments.joined(separator: "/"))]))
  }

  private static func type(of name: String?) -> String {
    let types = [
      "csv": "text/csv", "gif": "image/gif", "html": "text/html", "ics": "text/calendar",
      "jpeg": "image/jpeg", "jpg": "image/jpeg", "json": "application/json",
      "pdf": "application/pdf", "png": "image/png", "svg": "image/svg+xml", "txt": "text/plain",
      "xml": "application/xml", "zip": "application/zip",
    ]
    let ending = name?.split(separator: ".").last.map { $0.lowercased() }
    return ending.flatMap { types[$0] } ?? "application/octet-stream"
  }
}

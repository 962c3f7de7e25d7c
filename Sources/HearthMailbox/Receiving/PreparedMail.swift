package import HearthMime
import HearthWire

/// A mail that was read and packed, and needs only to be stored.
///
/// Reading a large mail takes long: it is done before the transaction, and not where sockets are read.
package struct PreparedMail: Sendable {
  /// Raw mails above this size are compressed.
  private static let packedSize = 16 << 10

  let mail: ReceivedMail
  let content: MimeMessage
  private(set) var findings: MailFindings
  /// The body as text; of a mail with HTML alone, what can be seen of it.
  let text: String
  let packed: [UInt8]?

  package init(_ mail: ReceivedMail, rules: [MailRule]) {
    self.mail = mail
    content = MimeMessage(mail.raw)
    findings = MailFindings(of: content, recipients: mail.recipients, rules: rules)
    text = content.text ?? content.html.map { VisibleHTML($0).text } ?? ""
    packed = mail.raw.count > Self.packedSize ? Deflate.zlib(mail.raw) : nil
  }

  /// The same mail, with codes and links found by the rules of a project.
  package func reading(with rules: [MailRule]) -> PreparedMail {
    var mail = self
    mail.findings = MailFindings(of: content, recipients: self.mail.recipients, rules: rules)
    return mail
  }

  /// The project that the mail names itself.
  package var projectHeader: String? {
    mail.projectHeader ?? content.header("X-Hearth-Project")
  }

  /// The recipients of the envelope, once each and in lower case; else those of the headers.
  var recipients: [String] {
    let named =
      mail.recipients.isEmpty
      ? (content.to + content.cc + content.bcc).map(\.address) : mail.recipients
    var seen: Set<String> = []
    return named.map { $0.lowercased() }.filter { !$0.isEmpty && seen.insert($0).inserted }
  }

  var sender: MimeAddress {
    content.from.first ?? MimeAddress(address: mail.envelopeFrom)
  }

  /// What tags the mail brings: those of its transport, and the header that other mail catchers read.
  var tags: [String] {
    let header = content.header("X-Tags") ?? ""
    let own = header.split(separator: ",").map { String($0.trimmed) }
    var seen: Set<String> = []
    return (mail.tags + own).filter { !$0.isEmpty && seen.insert($0).inserted }
  }
}

// MARK: - As the answer has it

extension PreparedMail {
  /// Headers beyond this many bytes are in the raw mail only.
  private static let headerBytes = 64 << 10
  private static let mostDefects = 50

  var details: JSONObject {
    JSONObject([
      "codes": .strings(findings.codes),
      "links": .strings(findings.links),
      "candidates": candidates,
      "expiryIsGuessed": findings.expiresIn == nil ? nil : true,
      "envelope": .members([
        "from": .string(mail.envelopeFrom), "to": .strings(mail.recipients),
      ]),
      "recipients": .members([
        "to": Self.list(content.to), "cc": Self.list(content.cc), "bcc": Self.list(blindCopies),
      ]),
      "messageId": content.messageId.json,
      "headers": .array(headers),
      "attachments": .array(content.attachments.map(Self.json)),
      "metadata": .object(mail.metadata),
      "defects": .strings(Array(content.defects.prefix(Self.mostDefects))),
      "size": .int(Int64(mail.raw.count)),
    ])
  }

  private var candidates: JSON {
    .array(
      findings.candidates.map { candidate in
        .members([
          "subject": .string(candidate.subject.rawValue), "value": .string(candidate.value),
          "score": .double(candidate.score), "reason": .string(candidate.reason),
        ])
      })
  }

  /// Who is in the envelope and in no header, or in the header that is meant for it.
  private var blindCopies: [MimeAddress] {
    let named = Set((content.to + content.cc + content.bcc).map { $0.address.lowercased() })
    let others = recipients.filter { !named.contains($0) }
    return content.bcc + others.map { MimeAddress(address: $0) }
  }

  private var headers: [JSON] {
    var room = Self.headerBytes
    return content.headers.prefix { header in
      room -= header.name.utf8.count + header.value.utf8.count
      return room >= 0
    }.map { .members(["name": .string($0.name), "value": .string($0.value)]) }
  }

  private static func list(_ addresses: [MimeAddress]) -> JSON {
    .array(addresses.map { .members(["name": $0.name.json, "address": .string($0.address)]) })
  }

  private static func json(_ attachment: MimeAttachment) -> JSON {
    .members([
      "id": .int(Int64(attachment.number)), "name": attachment.fileName.json,
      "type": .string(attachment.contentType), "size": .int(Int64(attachment.content.count)),
      "cid": attachment.contentId.json, "inline": .bool(attachment.isInline),
    ])
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    let start = drop { $0 == " " || $0 == "\t" }
    let end = start.lastIndex { $0 != " " && $0 != "\t" }
    return end.map { start[...$0] } ?? ""
  }
}

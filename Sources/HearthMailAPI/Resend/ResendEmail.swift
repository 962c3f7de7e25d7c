import HearthMime
import HearthWire

/// A mail as Resend takes it.
struct ResendEmail {
  let draft: MimeDraft
  let bcc: [MimeAddress]
  let tags: [String]
  let metadata: JSONObject
  /// What can be asked for later.
  let summary: JSONObject

  init(_ json: JSON) throws(MailRefusal) {
    let fields = try MailFields(json, named: "email") { field, expected in
      Self.invalid("Invalid `\(field)` field: \(expected) is expected.")
    }
    let template = try fields.fields("template")
    for field in template != nil ? ["from", "to"] : ["from", "to", "subject"] {
      let value = json[field]
      if value == nil || value?.isNull == true || value?.string == "" || value?.array == [] {
        throw MailRefusal(422, code: "missing_required_field", message: "Missing `\(field)` field.")
      }
    }
    let text = try fields.string("text")
    guard try fields.string("html") != nil || text != nil || template != nil else {
      throw MailRefusal(
        422, code: "missing_required_field", message: "Missing `html` or `text` field.")
    }
    guard let from = MimeAddress.list(try fields.string("from") ?? "").first, from.isComplete else {
      throw MailRefusal(
        422, code: "invalid_from_address",
        message: "Invalid `from` field: `a@b.c` or `Name <a@b.c>` is expected.")
    }
    var draft = MimeDraft(from: from)
    draft.to = try Self.addresses(fields, field: "to")
    draft.cc = try Self.addresses(fields, field: "cc")
    draft.replyTo = try Self.addresses(
      fields, field: fields.has("reply_to") ? "reply_to" : "replyTo")
    let standard = "Template \(try template?.string("id") ?? "")"
    draft.subject = try fields.string("subject") ?? standard
    draft.html = try fields.string("html")
    draft.text = text
    if let template, text == nil {
      draft.text = JSON.object(try template.object("variables")).text
    }
    draft.headers = try fields.headers("headers")
    for (index, item) in try fields.list("attachments").enumerated() {
      draft.attachments.append(try Self.attachment(item, number: index + 1))
    }
    self.draft = draft
    bcc = try Self.addresses(fields, field: "bcc")
    var tags = JSONObject()
    for tag in try fields.list("tags") {
      guard let name = try tag.string("name") else {
        throw Self.invalid("Invalid `tags` field: a list of objects with a name is expected.")
      }
      tags[name] = .string(try tag.string("value") ?? "")
    }
    self.tags = tags.members.map(\.key)
    tags["scheduled_at"] = (try fields.string("scheduled_at")).map(JSON.string)
    tags["template"] = template?.json
    metadata = tags
    summary = Self.summary(json)
  }

  private static func summary(_ json: JSON) -> JSONObject {
    var summary = JSONObject()
    for field in ["from", "to", "cc", "bcc", "reply_to", "subject", "html", "text", "scheduled_at"]
    {
      let isList = ["to", "cc", "bcc", "reply_to"].contains(field)
      let value = json[field] ?? (isList ? [] : .null)
      summary[field] = isList && value.string != nil ? [value] : value
    }
    return summary
  }

  private static func invalid(_ message: String) -> MailRefusal {
    MailRefusal(422, code: "validation_error", message: message)
  }

  /// A text with one address, or a list of such texts.
  private static func addresses(
    _ fields: MailFields, field: String
  ) throws(MailRefusal) -> [MimeAddress] {
    let texts = try fields.strings(field, orOne: true)
    let addresses = texts.flatMap(MimeAddress.list)
    guard !addresses.isEmpty || texts.isEmpty, addresses.allSatisfy(\.isComplete) else {
      throw invalid("Invalid `\(field)` field: `a@b.c` or `Name <a@b.c>` is expected.")
    }
    guard addresses.count <= 50 else { throw invalid("`\(field)` has more than 50 addresses.") }
    return addresses
  }

  private static func attachment(
    _ fields: MailFields, number: Int
  ) throws(MailRefusal) -> MimeAttachment {
    let path = try fields.string("path")
    let id = try fields.string("content_id", "inline_content_id", "inlineContentId")
    let name =
      try fields.string("filename") ?? path?.split(separator: "/").last.map(String.init)
      ?? "attachment"
    let type = try fields.string("content_type", "contentType")
    return MimeAttachment(
      number: number, fileName: name, contentType: type ?? FileType.of(name), contentId: id,
      isInline: id != nil, content: try content(fields.json, isElsewhere: path != nil))
  }

  /// The content is base64, or a list of bytes. What `path` names is not fetched.
  private static func content(_ json: JSON, isElsewhere: Bool) throws(MailRefusal) -> [UInt8] {
    let invalid = { MailRefusal(422, code: "invalid_attachment", message: $0) }
    guard let content = json["content"], !content.isNull else {
      if isElsewhere { return [] }
      throw invalid("An attachment has neither `content` nor `path`.")
    }
    if let text = content.string {
      guard let bytes = Base64.decode(text.filter { !$0.isWhitespace }) else {
        throw invalid("The content of an attachment is not base64.")
      }
      return bytes
    }
    let list = content.array ?? content["data"]?.array
    let bytes = list?.compactMap { $0.integer.flatMap { UInt8(exactly: $0) } }
    guard let bytes, bytes.count == list?.count else {
      throw invalid("The content of an attachment is neither base64 nor a list of bytes.")
    }
    return bytes
  }
}

extension MimeAddress {
  /// Whether mail can be sent there.
  var isComplete: Bool {
    let parts = address.split(separator: "@", omittingEmptySubsequences: false)
    return parts.count >= 2 && !(parts.first ?? "").isEmpty && !(parts.last ?? "").isEmpty
  }
}

/// The type of a file by the end of its name.
enum FileType {
  static func of(_ name: String) -> String {
    types[name.split(separator: ".").last.map { $0.lowercased() } ?? ""]
      ?? "application/octet-stream"
  }

  private static let types = [
    "txt": "text/plain", "html": "text/html", "csv": "text/csv", "ics": "text/calendar",
    "pdf": "application/pdf", "zip": "application/zip", "json": "application/json",
    "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif",
    "svg": "image/svg+xml", "webp": "image/webp",
  ]
}

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
    guard json.object != nil else { throw Self.invalid("An email must be an object.") }
    let isTemplate = json["template"]?.object != nil
    for field in isTemplate ? ["from", "to"] : ["from", "to", "subject"] {
      let value = json[field]
      if value == nil || value?.isNull == true || value?.string == "" || value?.array == [] {
        throw MailRefusal(422, "missing_required_field", "Missing `\(field)` field.")
      }
    }
    let html = json["html"]?.string
    let text = json["text"]?.string
    guard html != nil || text != nil || isTemplate else {
      throw MailRefusal(422, "missing_required_field", "Missing `html` or `text` field.")
    }
    guard let from = MimeAddress.list(json["from"]?.string ?? "").first, from.isComplete else {
      throw MailRefusal(
        422, "invalid_from_address", "Invalid `from` field: `a@b.c` or `Name <a@b.c>` is expected.")
    }
    var draft = MimeDraft(from: from)
    draft.to = try Self.addresses(json, "to")
    draft.cc = try Self.addresses(json, "cc")
    draft.replyTo = try Self.addresses(json, json["reply_to"] == nil ? "replyTo" : "reply_to")
    draft.subject = json["subject"]?.string ?? "Template \(json["template"]?["id"]?.string ?? "")"
    draft.html = html
    draft.text = text ?? (isTemplate ? json["template"]?["variables"]?.text ?? "{}" : nil)
    draft.headers = try Self.headers(json["headers"] ?? .null)
    for (index, item) in (json["attachments"]?.array ?? []).enumerated() {
      draft.attachments.append(try Self.attachment(item, index + 1))
    }
    self.draft = draft
    bcc = try Self.addresses(json, "bcc")
    let tags = json["tags"]?.array ?? []
    self.tags = tags.compactMap { $0["name"]?.string }
    metadata = Self.metadata(json, tags)
    var summary = JSONObject()
    for field in ["from", "to", "cc", "bcc", "reply_to", "subject", "html", "text", "scheduled_at"]
    {
      let isList = ["to", "cc", "bcc", "reply_to"].contains(field)
      let value = json[field] ?? (isList ? [] : .null)
      summary[field] = isList && value.string != nil ? [value] : value
    }
    self.summary = summary
  }

  private static func metadata(_ json: JSON, _ tags: [JSON]) -> JSONObject {
    var metadata = JSONObject()
    for tag in tags {
      if let name = tag["name"]?.string { metadata[name] = tag["value"] ?? "" }
    }
    metadata["scheduled_at"] = json["scheduled_at"]
    metadata["template"] = json["template"]
    return metadata
  }

  private static func invalid(_ message: String) -> MailRefusal {
    MailRefusal(422, "validation_error", message)
  }

  private static func headers(_ json: JSON) throws(MailRefusal) -> [MimeHeader] {
    if json.isNull { return [] }
    guard let members = json.object?.members else {
      throw invalid("Invalid `headers` field: an object is expected.")
    }
    return members.map { MimeHeader($0.key, $0.value.string ?? $0.value.text) }
  }

  /// A text with one address, or a list of such texts.
  private static func addresses(_ json: JSON, _ field: String) throws(MailRefusal) -> [MimeAddress]
  {
    let value = json[field] ?? .null
    if value.isNull { return [] }
    let texts = value.string.map { [$0] } ?? value.array?.compactMap(\.string) ?? []
    let addresses = texts.flatMap(MimeAddress.list)
    guard !addresses.isEmpty || value.array == [], addresses.allSatisfy(\.isComplete) else {
      throw invalid("Invalid `\(field)` field: `a@b.c` or `Name <a@b.c>` is expected.")
    }
    guard addresses.count <= 50 else { throw invalid("`\(field)` has more than 50 addresses.") }
    return addresses
  }

  /// The content is base64, or a list of bytes. What `path` names is not fetched.
  private static func attachment(_ json: JSON, _ number: Int) throws(MailRefusal) -> MimeAttachment
  {
    let path = json["path"]?.string
    let content: [UInt8]
    if let text = json["content"]?.string {
      guard let bytes = Base64.decode(text.filter { !$0.isWhitespace }) else {
        throw MailRefusal(422, "invalid_attachment", "The content of an attachment is not base64.")
      }
      content = bytes
    } else if let list = json["content"]?.array ?? json["content"]?["data"]?.array {
      content = list.compactMap { $0.integer.flatMap { UInt8(exactly: $0) } }
    } else {
      guard path != nil else {
        throw MailRefusal(
          422, "invalid_attachment", "An attachment has neither `content` nor `path`.")
      }
      content = []
    }
    let id = (json["content_id"] ?? json["inline_content_id"] ?? json["inlineContentId"])?.string
    let name =
      json["filename"]?.string ?? path?.split(separator: "/").last.map(String.init) ?? "attachment"
    return MimeAttachment(
      number: number, fileName: name,
      contentType: (json["content_type"] ?? json["contentType"])?.string ?? FileType.of(name),
      contentId: id, isInline: id != nil, content: content)
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

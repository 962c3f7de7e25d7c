import HearthWire

/// The fields of a document that is sent as a mail.
struct MailDocument {
  /// Addresses, or ids of users.
  struct Group {
    var addresses: [String]
    var users: [String]
  }

  struct Attachment: Equatable {
    var name: String?
    var type: String?
    var contentId: String?
    var content: [UInt8]
  }

  var to: Group
  var cc: Group
  var bcc: Group
  var from: String?
  var replyTo: String?
  var headers: [(name: String, value: String)]
  var subject: String?
  var text: String?
  var html: String?
  var attachments: [Attachment]
  var template: (name: String, data: JSON)?
  /// Whether there is something to send without a template.
  let hasMessage: Bool
  var categories: [String]

  /// Whether the document is meant to be a mail at all.
  static func isMail(_ fields: JSONObject) -> Bool {
    ["message", "template", "sendGrid"].contains { fields[$0]?.isTruthy == true }
  }

  /// - Throws: all that is wrong, in one text.
  init(_ fields: JSONObject) throws(MailProblem) {
    var fields = MailFields(fields)
    to = fields.group("to")
    cc = fields.group("cc")
    bcc = fields.group("bcc")
    from = fields.text("from")
    replyTo = fields.text("replyTo")
    headers = (fields.map("headers")?.members ?? []).compactMap { name, value in
      value.string.map { (name, $0) }
    }
    categories = fields.list("categories").compactMap(\.string)
    let message = fields.map("message")
    let template = fields.map("template")
    hasMessage = message != nil
    try fields.finish("Invalid email configuration")

    var inner = MailFields(message ?? JSONObject())
    subject = inner.text("subject")
    text = inner.text("text")
    html = inner.text("html")
    attachments = inner.list("attachments").compactMap(Self.attachment)
    if message != nil, template == nil {
      if subject == nil, inner.problems.isEmpty {
        inner.problems.append("Field 'subject' must be a string")
      }
      if text == nil && html == nil {
        inner.problems.append("At least one of 'text' or 'html' must be provided in message")
      }
    }
    try inner.finish("Invalid message configuration")

    if let template {
      var inner = MailFields(template)
      let name = inner.text("name")
      if name.nonEmpty == nil, inner.problems.isEmpty {
        inner.problems.append("Field 'template.name' must be a string")
      }
      let data = inner.map("data")
      try inner.finish("Invalid template configuration")
      self.template = (name ?? "", .object(data ?? JSONObject()))
    }
    guard [to, cc, bcc].contains(where: { !$0.addresses.isEmpty || !$0.users.isEmpty }) else {
      throw .validation("Invalid email configuration: Email must have at least one recipient")
    }
  }

  /// Files and URLs are not fetched: the path or URL is attached as text. Empty attachments are left
  /// out.
  static func attachment(_ json: JSON) -> Attachment? {
    guard let object = json.object else { return nil }
    let name = object["filename"]?.string
    let type = object["contentType"]?.string
    let id = object["cid"]?.string
    if let bytes = object["content"]?["base64"]?.string {
      return Attachment(name: name, type: type, contentId: id, content: decoded(bytes))
    }
    if let content = object["content"]?.string {
      let isEncoded = object["encoding"]?.string?.lowercased() == "base64"
      return Attachment(
        name: name, type: type, contentId: id,
        content: isEncoded ? decoded(content) : Array(content.utf8))
    }
    guard let place = object["path"]?.string ?? object["href"]?.string, !place.isEmpty else {
      return nil
    }
    if let (dataType, content) = data(place) {
      return Attachment(name: name, type: type ?? dataType, contentId: id, content: content)
    }
    let last = place.split(separator: "/").last.map { String($0.prefix { $0 != "?" }) }
    return Attachment(
      name: name ?? last, type: "text/uri-list", contentId: id, content: Array(place.utf8))
  }

  /// The type and the content of a `data:` URL.
  private static func data(_ url: String) -> (String?, [UInt8])? {
    guard url.hasPrefix("data:"), let comma = url.firstIndex(of: ",") else { return nil }
    let head = url[..<comma].dropFirst(5)
    let body = String(url[url.index(after: comma)...])
    let type = head.prefix { $0 != ";" }
    let content =
      head.hasSuffix(";base64") ? decoded(body) : Array(PercentCoding.decode(body).utf8)
    return (type.isEmpty ? nil : String(type), content)
  }

  private static func decoded(_ text: String) -> [UInt8] {
    Base64.decode(text.filter { !$0.isWhitespace }) ?? []
  }
}

/// Reads fields, and collects what is wrong with them.
private struct MailFields {
  let fields: JSONObject
  var problems: [String] = []

  init(_ fields: JSONObject) { self.fields = fields }

  func finish(_ words: String) throws(MailProblem) {
    guard problems.isEmpty else {
      throw .validation("\(words): \(problems.joined(separator: ". "))")
    }
  }

  private func value(_ name: String) -> JSON? {
    fields[name].flatMap { $0.isNull ? nil : $0 }
  }

  mutating func text(_ name: String) -> String? {
    guard let value = value(name) else { return nil }
    if value.string == nil { problems.append("Field '\(name)' must be a string") }
    return value.string
  }

  mutating func map(_ name: String) -> JSONObject? {
    guard let value = value(name) else { return nil }
    if value.object == nil { problems.append("Field '\(name)' must be a map") }
    return value.object
  }

  mutating func list(_ name: String) -> [JSON] {
    guard let value = value(name) else { return [] }
    if value.array == nil { problems.append("Field '\(name)' must be an array") }
    return value.array ?? []
  }

  mutating func group(_ name: String) -> MailDocument.Group {
    let users = list(name + "Uids")
    let ids = users.compactMap(\.string).filter { !$0.isEmpty }
    if ids.count < users.count {
      problems.append("Field '\(name)Uids' must be an array of non-empty strings")
    }
    return MailDocument.Group(addresses: addresses(name), users: ids)
  }

  private mutating func addresses(_ name: String) -> [String] {
    switch value(name) {
    case nil: return []
    case .string(let text)?: return text.isEmpty ? [] : [text]
    case .array(let list)? where list.allSatisfy({ $0.string != nil }):
      return list.compactMap(\.string).filter { !$0.isEmpty }
    default:
      problems.append("Field '\(name)' must be either a string or an array of strings")
      return []
    }
  }
}

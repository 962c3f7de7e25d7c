package import HearthTime
package import HearthWire

/// A message as the API shows it.
extension Message {
  /// `openLink` is the link at an address that people can open, where it is another one. A summary has
  /// `preview` in place of what can be long: the texts and the headers.
  package func json(
    at now: Timestamp, openLink: String? = nil, isSummary: Bool = false
  ) -> JSONObject {
    var object = JSONObject([
      "id": .string(String(id)),
      "source": .string(source ?? Self.ownSource),
      "to": .string(recipient),
      "from": .string(sender),
      "fromName": senderName.json,
      "replyTo": replyTo.json,
      "subject": .string(subject),
      "type": .string(type),
      "tenantId": tenantId.json,
      "oobCode": source == nil ? code.json : nil,
      "oobLink": source == nil ? link.json : nil,
      "openLink": openLink.json,
      "code": code.json,
      "link": link.json,
      "linkToken": linkToken.json,
      "state": .string(state(at: now).rawValue),
      "delivery": (delivery ?? MailDelivery(.delivered)).json,
      "createdAt": .string(createdAt.iso8601),
      "expiresAt": (expiresAt?.iso8601).json,
      "usedAt": (usedAt?.iso8601).json,
      "locale": .string(locale),
      "read": .bool(isRead),
      "tags": .strings(tags),
    ])
    for (name, value) in (details ?? ownDetails).members
    where !(isSummary && Self.longDetails.contains(name)) {
      object.append(name, value: value)
    }
    guard !isSummary else {
      object.append("preview", value: .string(preview))
      return object
    }
    object.append("text", value: .string(text))
    object.append("html", value: .string(html))
    return object
  }

  /// The first words of the text, in one line.
  private var preview: String {
    let words = text.prefix(400).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return words.count > 140 ? words.prefix(139) + "…" : words
  }

  private static let longDetails: Set = ["headers", "candidates", "payload"]

  /// The source of what Auth and dialects send.
  static let ownSource = "auth"

  /// The secret in the link: for a mail of Auth its code.
  private var linkToken: String? { source == nil && link != nil ? code : token }

  /// What is kept of mails of apps, for one that needs none of it.
  private var ownDetails: JSONObject {
    let to: JSON = .members(["name": nil, "address": .string(recipient)])
    return JSONObject([
      "sms": type == TextMessage.type ? TextMessage.facts(of: text) : nil,
      "codes": .strings(code.map { [$0] } ?? []),
      "links": .strings(link.map { [$0] } ?? []),
      "envelope": .members(["from": .string(sender), "to": .strings([recipient])]),
      "recipients": ["to": [to], "cc": [], "bcc": []],
      "attachments": [],
      "metadata": [:],
      "defects": [],
      "size": .int(Int64(text.utf8.count + html.utf8.count)),
    ])
  }
}

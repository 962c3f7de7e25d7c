import HearthMime
package import HearthTime
package import HearthWire

extension TextMessage {
  /// How a text travels, as every text message shows it.
  package static func facts(of text: String) -> JSON {
    let segments = TextSegments(text)
    return .members([
      "encoding": .string(segments.encoding.rawValue), "units": .int(Int64(segments.units)),
      "segments": .int(Int64(segments.count)),
    ])
  }
}

extension AppMessage {
  /// A text message that an app sent by a gateway.
  ///
  /// `code` is one that the gateway made up; without it, codes are looked for in the text.
  package init(
    textTo recipient: String, from sender: String, by source: String, id: String, text: String,
    code: String?, channel: String, expiresAt: Timestamp?, raw: [UInt8]
  ) {
    self.init(
      type: TextMessage.type, source: source, sender: sender, recipients: [recipient], text: text,
      raw: raw)
    subject = String(text.split(separator: "\n").first ?? "")
    let found = TextFindings(text)
    self.code = code ?? found.code
    codes = code.map { [$0] } ?? found.codes
    link = found.link
    links = found.links
    self.expiresAt = expiresAt
    var facts = TextMessage.facts(of: text).object ?? JSONObject()
    facts["gatewayId"] = .string(id)
    facts["channel"] = .string(channel)
    more = JSONObject(["sms": .object(facts)])
  }
}

/// Codes and links of a text message.
private struct TextFindings {
  let code: String?
  let codes: [String]
  let link: String?
  let links: [String]

  /// A last line `@example.com #123456` is for browsers and phones, which read the code from it. A last
  /// line of eleven characters is the hash of an Android app, and no code.
  init(_ text: String) {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let last = lines.last.map(String.init) ?? ""
    let bound = last.hasPrefix("@") ? last.split(separator: "#").dropFirst().first : nil
    if lines.count > 1, last.utf8.count == 11, !last.contains(" ") { lines.removeLast() }
    let found = MailFindings(subject: "", text: lines.joined(separator: "\n"), html: nil)
    let named = bound.map { $0.prefix { !$0.isWhitespace } }.map(String.init)
    code = named ?? found.code
    codes = named.map { [$0] } ?? found.codes
    link = found.link
    links = found.links
  }
}

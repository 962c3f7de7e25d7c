import HearthCrypto
package import HearthErrors
import HearthMailbox
package import HearthOperations
import HearthTime
import HearthWire

/// Sends a push message. https://firebase.google.com/docs/reference/fcm/rest/v1/projects.messages/send
package enum SendPush: Operation {
  private static let mostLanguages = 20

  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    let read = try MessageReader.read(request.body)
    guard let fields = read["message"]?.object else {
      throw APIError(.invalidArgument, message: "The message is not set.")
    }
    let message = try PushMessage(fields)
    let audience = try PushAudience.of(message, in: project)
    guard read["validate_only"]?.bool != true else {
      return answer("fake_message_id", in: project)
    }
    let id = messageID(at: context)
    let payloads = PushPayloads(message, id: id, at: context.now)
    let shown = try shown(
      message, in: audience.language, on: audience.platform, project: project)
    var note = note(
      message, payloads: payloads, shown: shown, audience: audience,
      id: "projects/\(project.projectId)/messages/\(id)")
    if let others = try translations(of: message, to: audience, in: project),
      var push = note.more["push"]?.object
    {
      push["languages"] = .object(others)
      note.more["push"] = .object(push)
    }
    try Mailbox(in: project).receive(note, at: context.now)
    return answer(id, in: project)
  }

  private static func shown(
    _ message: PushMessage, in language: LanguageTag?, on platform: PushDevice.Platform?,
    project: ProjectTransaction
  ) throws(APIError) -> ShownNotification {
    let texts =
      ShownNotification.needsTexts(message.json)
      ? try KeptTexts(in: project).texts(for: language) : AppTexts()
    return ShownNotification(message.json, texts: texts, platform: platform)
  }

  /// What devices show whose language is not that of all.
  private static func translations(
    of message: PushMessage, to audience: PushAudience, in project: ProjectTransaction
  ) throws(APIError) -> JSONObject? {
    guard ShownNotification.needsTexts(message.json) else { return nil }
    var shown = JSONObject()
    for (language, platform) in audience.otherLanguages.prefix(mostLanguages) {
      shown[language.text] =
        try self.shown(message, in: language, on: platform, project: project).json
    }
    return shown.isEmpty ? nil : shown
  }

  private static func answer(_ id: String, in project: ProjectTransaction) -> Outcome {
    .json(["name": .string("projects/\(project.projectId)/messages/\(id)")])
  }

  /// As production's for one device: microseconds, and random digits.
  private static func messageID(at context: Context) -> String {
    "0:\(context.now.milliseconds * 1_000)%" + context.random.digits(16)
  }

  private static func note(
    _ message: PushMessage, payloads: PushPayloads, shown: ShownNotification,
    audience: PushAudience, id: String
  ) -> AppMessage {
    var note = AppMessage(
      type: PushNote.type, source: "fcm", sender: "fcm", recipients: [message.target.recipient],
      text: shown.body ?? message.data.map { "\($0.key): \($0.value)" }.joined(separator: "\n"),
      raw: JSON.object(message.json).bytes)
    note.subject = shown.title ?? (message.data.isEmpty ? "Push message" : "Data message")
    let findings = PushFindings(message, shown: shown)
    note.code = findings.code
    note.codes = findings.code.map { [$0] } ?? []
    note.link = findings.link
    note.links = findings.link.map { [$0] } ?? []
    let label = message.json["fcm_options"]?["analytics_label"]?.string
    note.tags = label.map { [$0] } ?? []
    note.more = JSONObject([
      "push": .members([
        "name": .string(id),
        "target": .members([
          "kind": .string(message.target.kind), "value": .string(message.target.value),
        ]),
        "notification": shown.json,
        "data": message.json["data"] ?? [:],
        "devices": audience.json,
        "deviceCount": .int(Int64(audience.count)),
      ]),
      "payload": .object(payloads.json),
    ])
    return note
  }
}

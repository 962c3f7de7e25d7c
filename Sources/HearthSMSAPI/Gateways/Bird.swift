import HearthTime
import HearthWire

/// Messages of Bird's channels. https://docs.bird.com/api/channels-api
enum Bird {
  private static let messages = "/workspaces/{workspace}/channels/{channel}/messages"
  private static let most = 100
  /// Messages are remembered.
  private static let longest = 16_384

  static let rows =
    [
      SMSRoutes.Row(.bird, method: "POST", path: messages, answer: send),
      SMSRoutes.Row(.bird, method: "GET", path: messages + "/{message}", answer: get),
    ] + BirdWebhooks.rows

  @discardableResult
  static func authorized(_ call: SMSCall) throws(SMSRefusal) -> String {
    guard let credentials = call.credentials else {
      throw SMSRefusal(.bird, status: 401, message: "The access key is missing.")
    }
    guard !call.isMalformed else {
      throw SMSRefusal(.bird, status: 400, message: "The request body is not JSON.")
    }
    return credentials.secret
  }

  /// A refusal of a member.
  static func invalid(_ place: String, _ reason: String) -> SMSRefusal {
    SMSRefusal(
      422, code: "InvalidPayload", message: "The request body is invalid.", place: place,
      reason: reason)
  }

  private static func send(_ call: SMSCall, context: SMSContext) async throws -> SMSReply {
    let key = try authorized(call)
    guard call.body.count <= longest else {
      throw invalid(".body", "the message is longer than \(longest) bytes")
    }
    let contacts = try contacts(call)
    let body = try text(call)
    let channel = call.variables["channel"] ?? ""
    let connector = call.json["sender"]?["connector"]?["identifierValue"]?.string.nonEmpty
    let project = try await context.project(contacts[0])
    var message = BirdMessage(
      id: context.uuid, channel: channel, sender: connector ?? channel, contacts: contacts,
      request: call.json, contactIds: contacts.map { _ in context.uuid }, now: context.now(project))
    let told = call.json["notification"]?["url"]?.string.nonEmpty
    let hook = context.webhook(of: call.variables["workspace"] ?? "", channel: channel)
    for number in contacts {
      var text = ProviderText(
        provider: .bird, id: message.id, sender: message.sender, recipient: number, text: body)
      if let reference = call.json["reference"]?.string {
        text.metadata["reference"] = .string(reference)
      }
      // One message has one life, however many it goes to.
      if number == contacts[0], let url = told ?? hook?.url {
        text.callback = BirdWebhooks.reports(
          on: message, url: url, key: hook?.signingKey ?? key,
          statuses: hook?.statuses, context: context)
      }
      _ = try await context.deliver(text)
    }
    message.status = "delivered"
    context.remember(message.id, text: message.json, in: project)
    message.status = "accepted"
    return .json(message.json, status: 202)
  }

  private static func contacts(_ call: SMSCall) throws(SMSRefusal) -> [String] {
    guard let listed = call.json["receiver"]?["contacts"]?.array, !listed.isEmpty else {
      throw invalid(".receiver.contacts", "must be a list with a contact")
    }
    guard listed.count <= most else {
      throw invalid(".receiver.contacts", "has more than \(most) contacts")
    }
    var numbers: [String] = []
    for (index, contact) in listed.enumerated() {
      let place = ".receiver.contacts[\(index)]"
      let key = contact["identifierKey"]?.string ?? "phonenumber"
      guard key == "phonenumber" else {
        throw invalid(place + ".identifierKey", "must be phonenumber")
      }
      let number = PhoneNumbers.normal(contact["identifierValue"]?.string ?? "")
      guard PhoneNumbers.isValid(number) else {
        throw invalid(place + ".identifierValue", "is not a phone number")
      }
      numbers.append(number)
    }
    return numbers
  }

  /// The text of the body. A template is kept elsewhere, so its parameters stand for it.
  private static func text(_ call: SMSCall) throws(SMSRefusal) -> String {
    if let template = call.json["template"], template.object != nil {
      let variables = template["variables"]?.object?.members.map { ($0.key, $0.value) } ?? []
      let parameters = (template["parameters"]?.array ?? []).compactMap { parameter in
        parameter["key"]?.string.map { ($0, parameter["value"] ?? .null) }
      }
      let name = template["name"]?.string ?? template["projectId"]?.string ?? "template"
      return ([name] + (variables + parameters).map { "\($0.0): \($0.1.string ?? $0.1.text)" })
        .joined(separator: "\n")
    }
    guard let body = call.json["body"], let type = body["type"]?.string else {
      throw invalid(".body.type", "is required, unless there is a template")
    }
    guard let text = body[type]?["text"]?.string.nonEmpty else {
      throw invalid(".body.\(type.prefix(40)).text", "is required")
    }
    return text
  }

  private static func get(_ call: SMSCall, context: SMSContext) async throws -> SMSReply {
    try authorized(call)
    guard let message = context.text(call.variables["message"] ?? ""),
      message["channelId"]?.string == call.variables["channel"]
    else {
      throw SMSRefusal(
        .bird, status: 404, message: "The requested resource does not exist: message not found")
    }
    return .json(message)
  }
}

/// A message as Bird shows it.
struct BirdMessage: Sendable {
  let id: String
  let channel: String
  let sender: String
  let contacts: [String]
  /// What was sent.
  let request: JSONObject
  let contactIds: [String]
  let now: Timestamp
  var status = "accepted"

  var json: JSON {
    let time = JSON.string(now.iso8601)
    let receivers = zip(contacts, contactIds).map { number, id in
      JSON.members([
        "id": .string(id), "identifierKey": "phonenumber", "identifierValue": .string(number),
        "platformAddress": .string(number),
      ])
    }
    return .members([
      "id": .string(id), "channelId": .string(channel),
      "sender": .members([
        "connector": .members(["id": .string(channel), "identifierValue": .string(sender)])
      ]),
      "receiver": .members(["contacts": .array(receivers)]),
      "body": request["body"], "template": request["template"],
      "reference": request["reference"]?.string.json,
      "parts": [.members(["platformReference": .string(id)])], "status": .string(status),
      "reason": "", "direction": "outgoing", "lastStatusAt": time, "createdAt": time,
      "updatedAt": time,
    ])
  }
}

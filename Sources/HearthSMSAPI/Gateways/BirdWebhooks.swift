import HearthTime
import HearthWire

/// Who hears what becomes of Bird's messages. https://docs.bird.com/api/notifications-api
enum BirdWebhooks {
  static let event = "sms.outbound"
  private static let longest = 4_096

  static let rows = ["", "/organizations/{organization}"].flatMap { place in
    let path = place + "/workspaces/{workspace}/webhook-subscriptions"
    return [
      SMSRoutes.Row(.bird, method: "POST", path: path, answer: create),
      SMSRoutes.Row(.bird, method: "GET", path: path, answer: list),
      SMSRoutes.Row(.bird, method: "DELETE", path: path + "/{subscription}", answer: delete),
    ]
  }

  private static func create(_ call: SMSCall, context: SMSContext) async throws -> SMSReply {
    try Bird.authorized(call)
    let json = call.json
    for name in ["service", "event", "url"] where json[name]?.string.nonEmpty == nil {
      throw Bird.invalid(".\(name)", "is required")
    }
    guard call.body.count <= longest else {
      throw Bird.invalid(".url", "the subscription is too long")
    }
    var filters: [(key: String, value: String)] = []
    for (index, filter) in (json["eventFilters"]?.array ?? []).enumerated() {
      guard let key = filter["key"]?.string, let value = filter["value"]?.string else {
        throw Bird.invalid(".eventFilters[\(index)]", "must have a key and a value")
      }
      filters.append((key, value))
    }
    let id = context.uuid
    let workspace = call.variables["workspace"] ?? ""
    let project = context.named() ?? context.defaultProject
    let time = JSON.string(context.now(project).iso8601)
    let shown = JSON.members([
      "id": .string(id), "organizationId": call.variables["organization"].map(JSON.string),
      "workspaceId": .string(workspace), "service": json["service"], "event": json["event"],
      "eventFilters": .array(filters.map { ["key": .string($0.key), "value": .string($0.value)] }),
      "url": json["url"], "signingKey": json["signingKey"]?.string.json, "status": "active",
      "createdAt": time, "updatedAt": time,
    ])
    context.state.set(
      BirdWebhook(
        owner: context.owner(project), workspace: workspace,
        hears: json["service"]?.string == "channels" && json["event"]?.string == event,
        filters: filters, url: json["url"]?.string ?? "",
        signingKey: json["signingKey"]?.string.nonEmpty, shown: shown),
      id: id)
    return .json(shown, status: 201)
  }

  private static func list(_ call: SMSCall, context: SMSContext) async throws -> SMSReply {
    try Bird.authorized(call)
    let found =
      context.state.listsSubscriptions
      ? context.webhooks(of: call.variables["workspace"] ?? "").map(\.shown) : []
    return .json(.members(["results": .array(found)]))
  }

  private static func delete(_ call: SMSCall, context: SMSContext) async throws -> SMSReply {
    try Bird.authorized(call)
    let id = call.variables["subscription"] ?? ""
    let known = context.webhooks(of: call.variables["workspace"] ?? "")
    guard known.contains(where: { $0.shown["id"]?.string == id }) else {
      throw SMSRefusal(
        .bird, status: 404,
        message: "The requested resource does not exist: webhook subscription not found")
    }
    context.state.set(nil, id: id)
    return SMSReply(status: 204, contentType: "application/json", body: [])
  }

  /// What the app gets of a message's life.
  static func reports(
    on message: BirdMessage, url: String, key: String, statuses: Set<String>?, context: SMSContext
  ) -> StatusCallback? {
    let told = ["accepted", "sent", "delivered"].filter { statuses?.contains($0) ?? true }
    guard !told.isEmpty else { return nil }
    let now = context.machineTime()
    return StatusCallback(
      url: url,
      requests: told.map { status in
        var message = message
        message.status = status
        let body = JSON.members([
          "service": "channels", "event": .string(event), "payload": message.json,
          "createdAt": .string(now.iso8601),
        ]).bytes
        return StatusCallback.Request(
          status: status,
          headers: [("Content-Type", "application/json")]
            + CallbackSignature.bird(body, url: url, secret: key, at: now),
          body: body)
      })
  }
}

/// A subscription.
struct BirdWebhook: Sendable {
  let owner: SMSOwner
  let workspace: String
  /// Whether it is one to what becomes of texts.
  let hears: Bool
  let filters: [(key: String, value: String)]
  let url: String
  let signingKey: String?
  let shown: JSON

  func isOf(_ channel: String) -> Bool {
    filters.allSatisfy { $0.key != "channelId" || $0.value == channel }
  }

  /// Nil for all.
  var statuses: Set<String>? {
    let wanted = filters.filter { $0.key == "status" }.map(\.value)
    return wanted.isEmpty ? nil : Set(wanted)
  }
}

extension SMSContext {
  fileprivate func webhooks(of workspace: String) -> [BirdWebhook] {
    state.webhooks { isOurs($0.owner) && $0.workspace == workspace }
  }

  /// The newest that hears of texts of the channel.
  func webhook(of workspace: String, channel: String) -> BirdWebhook? {
    webhooks(of: workspace).last { $0.hears && $0.isOf(channel) }
  }
}

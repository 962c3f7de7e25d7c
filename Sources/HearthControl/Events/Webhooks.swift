import HearthCrypto
import HearthEvents
import HearthOperations
import HearthTransport
import HearthTriggers
import HearthWire

/// What endpoints of webhooks work with.
struct WebhookControl: ServerParts {
  let events: EventDispatch
  let outgoingHosts: OutgoingHosts

  static func parts(of server: ServerContext) -> WebhookControl {
    WebhookControl(
      events: server.observation.events, outgoingHosts: server.network.outgoingHosts)
  }

  fileprivate func webhooks(of project: String) -> OutgoingReply {
    ReplyWriter.json(
      .members(["webhooks": .array(events.webhooks(of: project).map(\.webhook.json))]))
  }
}

/// Sets the webhooks of a project.
enum ReplaceWebhooks: ServerOperation {
  static func run(
    _ request: ServerRequest, with control: WebhookControl
  ) async throws -> OutgoingReply {
    let webhooks = try Webhook.list(
      request.wire.body, allowing: control.outgoingHosts, random: Randomness())
    try control.events.set(webhooks, of: request.project)
    return control.webhooks(of: request.project)
  }
}

/// The webhooks of a project, with their secrets.
enum ListWebhooks: ServerOperation {
  static func run(
    _ request: ServerRequest, with control: WebhookControl
  ) async throws -> OutgoingReply {
    control.webhooks(of: request.project)
  }
}

/// Takes the webhooks of a project away.
enum ClearWebhooks: ServerOperation {
  static func run(
    _ request: ServerRequest, with control: WebhookControl
  ) async throws -> OutgoingReply {
    try control.events.set([], of: request.project)
    return control.webhooks(of: request.project)
  }
}

import HearthCrypto
import HearthEvents
import HearthOperations
import HearthTransport
import HearthTriggers
import HearthWire

/// Sets the webhooks of a project.
enum ReplaceWebhooks: ServerOperation {
  static func run(
    _ request: ServerRequest, in context: ServerContext
  ) async throws -> OutgoingReply {
    let webhooks = try Webhook.list(
      request.wire.body, allowing: context.outgoingHosts, random: Randomness())
    try context.events.set(webhooks, of: request.project)
    return context.webhooks(of: request.project)
  }
}

/// The webhooks of a project, with their secrets.
enum ListWebhooks: ServerOperation {
  static func run(
    _ request: ServerRequest, in context: ServerContext
  ) async throws -> OutgoingReply {
    context.webhooks(of: request.project)
  }
}

/// Takes the webhooks of a project away.
enum ClearWebhooks: ServerOperation {
  static func run(
    _ request: ServerRequest, in context: ServerContext
  ) async throws -> OutgoingReply {
    try context.events.set([], of: request.project)
    return context.webhooks(of: request.project)
  }
}

extension ServerContext {
  fileprivate func webhooks(of project: String) -> OutgoingReply {
    ReplyWriter.json(
      .members(["webhooks": .array(events.webhooks(of: project).map(\.webhook.json))]))
  }
}

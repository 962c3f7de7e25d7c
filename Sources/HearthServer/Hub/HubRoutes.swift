import HearthOperations
import HearthTransport
import HearthWire

/// What the hub's port answers, as other programs of the suite expect it. The table is apart from that
/// of the other ports, where the same paths mean something else.
enum HubRoutes {
  struct Row: RouteRow {
    let route: Route
    let answer: @Sendable (HubGateway, IncomingCall) async -> OutgoingReply

    var method: String { route.method }
    var template: PathTemplate { route.template }

    init(
      _ method: String, _ path: String, _ id: String, body: Route.Body = .none,
      _ answer: @escaping @Sendable (HubGateway, IncomingCall) async -> OutgoingReply
    ) {
      route = Route(method, path, id, .control, body: body, .server)
      self.answer = answer
    }
  }

  static let all = [
    Row("GET", "/", "hub.locator") { hub, _ in await hub.locator() },
    Row("GET", "/emulators", "hub.emulators") { hub, _ in await hub.emulators() },
    Row("POST", "/_admin/export", "hub.export", body: .json(message: nil)) { await $0.export($1) },
    Row("PUT", "/functions/disableBackgroundTriggers", "hub.disableTriggers") { hub, _ in
      await hub.disableTriggers()
    },
    Row("PUT", "/functions/enableBackgroundTriggers", "hub.enableTriggers") { hub, _ in
      hub.enableTriggers()
    },
  ]
}

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
      _ method: String, path: String, id: String, body: Route.Body = .none,
      answer: @escaping @Sendable (HubGateway, IncomingCall) async -> OutgoingReply
    ) {
      route = Route(
        method, template: path, id: id, credential: .control, body: body, action: .server)
      self.answer = answer
    }
  }

  static let all = [
    Row("GET", path: "/", id: "hub.locator") { hub, _ in await hub.locator() },
    Row("GET", path: "/emulators", id: "hub.emulators") { hub, _ in await hub.emulators() },
    Row("POST", path: "/_admin/export", id: "hub.export", body: .json(message: nil)) {
      await $0.export($1)
    },
    Row("PUT", path: "/functions/disableBackgroundTriggers", id: "hub.disableTriggers") { hub, _ in
      await hub.disableTriggers()
    },
    Row("PUT", path: "/functions/enableBackgroundTriggers", id: "hub.enableTriggers") { hub, _ in
      hub.enableTriggers()
    },
  ]
}

import HearthWire

/// What the hub's port answers, as other programs of the suite expect it.
enum HubRoutes {
  struct Row: RouteRow {
    let method: String
    let template: PathTemplate
    let answer: @Sendable (HubGateway, IncomingCall) async -> OutgoingReply

    init(
      _ method: String, _ path: String,
      _ answer: @escaping @Sendable (HubGateway, IncomingCall) async -> OutgoingReply
    ) {
      self.method = method
      template = PathTemplate(path)
      self.answer = answer
    }
  }

  static let all = [
    Row("GET", "/") { hub, _ in await hub.locator() },
    Row("GET", "/emulators") { hub, _ in await hub.emulators() },
    Row("POST", "/_admin/export") { await $0.export($1) },
    Row("PUT", "/functions/disableBackgroundTriggers") { hub, _ in await hub.disableTriggers() },
    Row("PUT", "/functions/enableBackgroundTriggers") { hub, _ in hub.enableTriggers() },
  ]
}

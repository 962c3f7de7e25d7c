package import HearthErrors
package import HearthOperations
import HearthSQLite
package import HearthTriggers
import HearthWire
import Logging
import Synchronization

/// Who gets events.
extension EventDispatch {
  /// Whether there is any receiver.
  package var isConfigured: Bool { isWatching }

  /// Adds a trigger, or replaces the one with its key.
  ///
  /// - Throws: RESOURCE_EXHAUSTED where there are too many triggers already.
  package func register(_ trigger: DocumentTrigger, of project: String) throws(APIError) {
    let fits = state.withLock { state in
      var triggers = state.triggers[project] ?? []
      if let place = triggers.firstIndex(where: { $0.key == trigger.key }) {
        triggers[place] = trigger
      } else {
        guard state.triggers.values.reduce(0, { $0 + $1.count }) < EventLimits.triggers else {
          return false
        }
        triggers.append(trigger)
      }
      state.triggers[project] = triggers
      return true
    }
    guard fits else {
      throw APIError(
        .resourceExhausted, detail: "there are \(EventLimits.triggers) triggers already")
    }
    watching.store(true, ordering: .relaxed)
    if functionsAddress == nil {
      logger.warning(
        """
        The trigger \(trigger.key) is registered, but no functions emulator is known: start hearth \
        with --functions-emulator host:port.
        """)
    }
  }

  package func triggers(of project: String) -> [DocumentTrigger] {
    state.withLock { $0.triggers[project] ?? [] }
  }

  /// Replaces the webhooks of a project, in the store and here.
  ///
  /// They are taken up between the commit and the next transaction, so that two calls cannot leave
  /// one list here and another one there.
  package func set(_ webhooks: [Webhook], of project: String) throws(APIError) {
    try store.transaction { transaction throws(APIError) in
      try KeptWebhooks.write(webhooks, of: project, in: transaction)
    } committed: {
      use(webhooks, of: project)
    }
  }

  /// Takes up the webhooks of an earlier run. One that cannot be used is left in the store, and the
  /// log says why.
  package func load(allowing hosts: OutgoingHosts) throws(APIError) {
    let kept = try store.transaction { transaction throws(APIError) in
      try KeptWebhooks.read(in: transaction, allowing: hosts)
    }
    for project in kept {
      use(project.webhooks, of: project.project)
      for fault in project.faults {
        logger.warning(
          "A webhook of project \(project.project) is not used: \(fault.message)")
      }
    }
  }

  /// One that is the same as before keeps what waits for it. What waits for one that is not there any
  /// more is dropped.
  private func use(_ webhooks: [Webhook], of project: String) {
    let lost = state.withLock { state in
      // Within the lock, because two projects may change at once.
      var before = state.webhooks[project] ?? []
      let used = webhooks.map { webhook -> UsedWebhook in
        if let place = before.firstIndex(where: { $0.webhook.json.text == webhook.json.text }) {
          return before.remove(at: place)
        }
        state.lastWebhook += 1
        return UsedWebhook(webhook, of: project, number: state.lastWebhook)
      }
      state.webhooks[project] = used.isEmpty ? nil : used
      watching.store(
        functionsAddress != nil || !state.triggers.isEmpty || !state.webhooks.isEmpty,
        ordering: .relaxed)
      return before.map { ($0.receiver, state.webhookQueue.remove($0.receiver)) }
    }
    for (receiver, count) in lost where count > 0 { report(count, lostBy: receiver) }
    if !webhooks.isEmpty { server.sendUserEvents() }
  }

  package func webhooks(of project: String) -> [UsedWebhook] {
    state.withLock { $0.webhooks[project] ?? [] }
  }

  /// Whether a delivery's webhook was taken away or replaced meanwhile.
  func isGone(_ delivery: Delivery) -> Bool {
    guard case .webhook = delivery.content else { return false }
    return !webhooks(of: delivery.project).contains { $0.receiver == delivery.receiver }
  }

  // MARK: Losses

  /// Says it once for each receiver until it has room again.
  package func warn(ofLossesBy receivers: [DeliveryReceiver]) {
    for receiver in receivers {
      logger.warning(
        """
        \(receiver.name) of project \(receiver.project) does not keep up: too many of its events \
        wait, and the oldest are dropped.
        """)
    }
  }

  package func report(_ count: Int, lostBy receiver: DeliveryReceiver) {
    let events = count == 1 ? "1 event was" : "\(count) events were"
    logger.warning(
      "\(events) dropped that waited for \(receiver.name) of project \(receiver.project).")
  }

  /// At the end, of all receivers that have no room yet.
  func reportLosses() {
    let losses = state.withLock { $0.functionQueue.losses + $0.webhookQueue.losses }
    for (receiver, count) in losses { report(count, lostBy: receiver) }
  }
}

/// A webhook of a project, and whose deliveries its queue knows it by.
package struct UsedWebhook: Sendable {
  package let webhook: Webhook
  let receiver: DeliveryReceiver

  init(_ webhook: Webhook, of project: String, number: Int) {
    self.webhook = webhook
    // A query may hold a secret of the receiver, which has no place in a log.
    receiver = DeliveryReceiver(
      project: project, name: "The webhook \(webhook.url.prefix { $0 != "?" })", number: number)
  }
}

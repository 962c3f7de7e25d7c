import HearthCrypto
import HearthErrors
import HearthFirestore
import HearthMailbox
import HearthOperations
import HearthSQLite
import HearthServiceAccounts
import HearthTime
package import HearthTriggers
import HearthWire
import Logging
import Synchronization

/// Finds the receivers of what has happened. Only the task of ``EventDispatch/run()`` sorts, so
/// that events get into their lines in the order of the commits.
extension EventDispatch {
  /// Takes the inbox until it is empty. What comes meanwhile is taken in the next round.
  func sort() async {
    while let batch = takeInbox() {
      for (occurrence, bytes) in batch {
        switch occurrence {
        case .commit(let commit): await sort(commit)
        case .users(let events, let project): sort(events, of: project)
        case .message(let id, let project): sortMessage(id, of: project)
        }
        // Its deliveries are counted in the queues by now.
        state.withLock { $0.inboxBytes -= bytes }
      }
      state.withLock { $0.isSorting = false }
    }
    reportLossesOfInbox()
  }

  /// What has come since the last time; nil where there is nothing. The lock is held for an
  /// exchange of arrays, since a commit may wait for it.
  private func takeInbox() -> [(occurrence: Occurrence, bytes: Int)]? {
    state.withLock { state in
      guard !state.inbox.isEmpty else { return nil }
      defer { state.inbox = [] }
      state.isSorting = true
      return state.inbox
    }
  }

  /// How many did not fit into the inbox, once it has room again.
  private func reportLossesOfInbox() {
    let lost = state.withLock { state in
      defer { state.lostOfInbox = 0 }
      return state.lostOfInbox
    }
    if lost > 0 { logger.warning("\(lost) events were dropped before they were processed.") }
  }

  private func sort(_ commit: ObservedCommit) async {
    let project = commit.database.project
    // Asked for once a commit, whatever the number of its documents.
    let triggers = await functionTriggers(of: project)
    let webhooks = webhooks(of: project)
    for change in commit.changes {
      let event = DocumentEvent(
        change, in: commit.database, time: commit.time, by: commit.caller, id: random.uuid())
      let fired = triggers.filter { $0.fires(on: event) }
      // Those of the first generation come first, as with the official emulator.
      for generation in [DocumentTrigger.Generation.first, .second] {
        for trigger in fired where trigger.generation == generation {
          let receiver = DeliveryReceiver(project: project, name: "The function \(trigger.key)")
          add(
            Delivery(
              receiver: receiver, resource: event.name,
              content: .function(event, trigger, id: random.uuid())),
            way: .functions, to: event.name, bytes: change.bytes)
        }
      }
      for used in webhooks {
        guard let type = used.webhook.type(of: event) else { continue }
        add(
          Delivery(
            receiver: used.receiver, resource: event.name,
            content: .webhook(used.webhook, .document(event, type: type))),
          way: .webhooks, to: event.name, bytes: change.bytes)
      }
    }
  }

  /// Those that were registered; else those that the functions emulator says it has. They count for
  /// the default project only.
  package func functionTriggers(of project: String) async -> [DocumentTrigger] {
    guard let directory else { return [] }
    let registered = triggers(of: project)
    guard registered.isEmpty, project == server.defaultProject else { return registered }
    return await directory.current()
  }

  /// Events of accounts. Functions choose among them by themselves, so each event is sent to all at
  /// once: first to those of the first generation, as the official emulator does.
  private func sort(_ events: [JSON], of project: String) {
    let webhooks = webhooks(of: project)
    let functions = DeliveryReceiver(project: project, name: "The functions of users")
    for json in events {
      guard let event = UserEvent(json, project: project, id: random.uuid()) else { continue }
      let second = event.second
      if functionsAddress != nil {
        for content in [Delivery.Content.multicast(json), .multicastV2(second)] {
          // The text, and about what a delivery takes besides.
          add(
            Delivery(receiver: functions, resource: event.subject, content: content),
            way: .functions,
            to: event.subject, bytes: 200 + second.body.count)
        }
      }
      add(event.firstForWebhooks, webhooks: webhooks, resource: event.subject)
      add(second, webhooks: webhooks, resource: event.subject)
    }
  }

  /// The number of a message was put down, and not its text: nothing large waits, and what is sent
  /// is what the message is by now.
  private func sortMessage(_ id: Int64, of project: String) {
    let webhooks = webhooks(of: project).filter {
      $0.webhook.wants(CloudEvent.Name.messageCaptured)
    }
    guard !webhooks.isEmpty else { return }
    let message = try? store.transaction { transaction throws(APIError) in
      let project = ProjectTransaction(
        transaction, projectId: project, tenantId: nil, server: server)
      return try Mailbox(in: project).message(id)
    }
    // Somebody may have deleted it by now.
    guard let message else { return }
    let subject = "messages/\(id)"
    let now = server.clocks.now(of: project)
    let openLink = message.link.flatMap { server.google?.openLink($0, of: project) }
    let event = CloudEvent(
      id: random.uuid(), type: CloudEvent.Name.messageCaptured,
      source: "//hearth/projects/\(project)", subject: subject, time: message.createdAt.iso8601,
      project: project, data: .object(message.json(at: now, openLink: openLink)))
    add(event, webhooks: webhooks, resource: subject)
  }

  private func add(_ event: CloudEvent, webhooks: [UsedWebhook], resource: String) {
    for used in webhooks where used.webhook.wants(event.type) {
      add(
        Delivery(
          receiver: used.receiver, resource: resource,
          content: .webhook(used.webhook, .ready(event))),
        way: .webhooks, to: resource, bytes: 200 + event.body.count)
    }
  }

  /// Puts a delivery into its line.
  private func add(_ delivery: Delivery, way: Way, to line: String, bytes: Int) {
    let full = state.withLock { state in
      state[way].add(delivery, to: line, of: delivery.receiver, bytes: bytes)
    }
    warn(ofLossesBy: full)
  }
}

extension EventDispatch.State {
  /// Modified in place: a copy of a queue would copy all that waits.
  package subscript(way: EventDispatch.Way) -> DeliveryQueue<Delivery> {
    _read {
      switch way {
      case .functions: yield functionQueue
      case .webhooks: yield webhookQueue
      }
    }
    _modify {
      switch way {
      case .functions: yield &functionQueue
      case .webhooks: yield &webhookQueue
      }
    }
  }
}

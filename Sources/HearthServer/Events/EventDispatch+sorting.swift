import HearthCrypto
import HearthErrors
import HearthFirestore
import HearthMailbox
import HearthOperations
import HearthSQLite
import HearthTime
import HearthTriggers
import HearthWire
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
  }

  /// What has come since the last time; nil where there is nothing. The lock is held for an
  /// exchange of arrays, since a commit may wait for it.
  private func takeInbox() -> [(occurrence: Occurrence, bytes: Int)]? {
    state.withLock { state in
      guard !state.inbox.isEmpty else {
        state.isFull = false
        return nil
      }
      defer { state.inbox = [] }
      state.isSorting = true
      return state.inbox
    }
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
          let content = Delivery.Content.function(event, trigger, id: random.uuid())
          add(
            Delivery(project: project, resource: event.name, content: content), .functions,
            to: event.name, bytes: change.bytes)
        }
      }
      for (index, webhook) in webhooks.enumerated() {
        guard let type = webhook.type(of: event) else { continue }
        // The name alone would let one webhook that hangs hold up the others of the document.
        add(
          Delivery(
            project: project, resource: event.name,
            content: .webhook(webhook, .document(event, type: type))),
          .webhooks, to: "\(index)/\(event.name)", of: "\(index)/\(project)",
          bytes: change.bytes)
      }
    }
  }

  /// Those that were registered; else those that the functions emulator says it has. They count for
  /// the default project only.
  func functionTriggers(of project: String) async -> [DocumentTrigger] {
    guard let directory else { return [] }
    let registered = triggers(of: project)
    guard registered.isEmpty, project == server.defaultProject else { return registered }
    return await directory.current()
  }

  /// Events of accounts. Functions choose among them by themselves, so each event is sent to all at
  /// once.
  private func sort(_ events: [JSON], of project: String) {
    let webhooks = webhooks(of: project)
    for event in events {
      let subject = "users/\(event["data"]?["uid"]?.string ?? "")"
      // The text, and about what a delivery takes besides.
      let bytes = 200 + event.bytes.count
      if functionsAddress != nil {
        add(
          Delivery(project: project, resource: subject, content: .multicast(event)), .functions,
          to: "\(project)/\(subject)", bytes: bytes)
      }
      guard let cloud = CloudEvent(userEvent: event, project: project) else { continue }
      add(cloud, webhooks, project, resource: subject)
    }
  }

  /// The number of a message was put down, and not its text: nothing large waits, and what is sent
  /// is what the message is by now.
  private func sortMessage(_ id: Int64, of project: String) {
    let webhooks = webhooks(of: project).filter { $0.wants(CloudEvent.Name.messageCaptured) }
    guard !webhooks.isEmpty else { return }
    let message = try? store.transaction { transaction throws(APIError) in
      try ProjectTransaction(transaction, projectId: project, tenantId: nil, server: server)
        .message(id)
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
    add(event, webhooks, project, resource: subject)
  }

  private func add(
    _ event: CloudEvent, _ webhooks: [Webhook], _ project: String, resource: String
  ) {
    for (index, webhook) in webhooks.enumerated() where webhook.wants(event.type) {
      add(
        Delivery(project: project, resource: resource, content: .webhook(webhook, .ready(event))),
        .webhooks, to: "\(index)/\(project)/\(resource)", of: "\(index)/\(project)",
        bytes: 200 + event.body.count)
    }
  }

  /// Puts a delivery into its line. What does not fit is dropped, and the log says so once until
  /// there is room again.
  private func add(
    _ delivery: Delivery, _ way: Way, to line: String, of receiver: String = "", bytes: Int
  ) {
    let isNewlyFull = state.withLock { state -> Bool in
      guard !state[way].add(delivery, to: line, of: receiver, bytes: bytes) else { return false }
      defer { state.isFull = true }
      return !state.isFull
    }
    if isNewlyFull { warnOfFullInbox() }
  }
}

extension EventDispatch.State {
  /// Modified in place: a copy of a queue would copy all that waits.
  subscript(way: EventDispatch.Way) -> DeliveryQueue<Delivery> {
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

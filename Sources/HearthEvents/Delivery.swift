import HearthErrors
import HearthOperations
import HearthTime
package import HearthTriggers
import HearthWire
import Logging
import Synchronization

/// One event on its way to one function or webhook. Its bytes are counted by the queue until its
/// last try has ended.
package struct Delivery: Sendable {
  /// What is sent. Payloads of documents are written when they are sent, so that only the document
  /// waits.
  enum Content: Sendable {
    /// `id` is the id of the event for a function of the second generation. All tries have the
    /// same.
    case function(DocumentEvent, DocumentTrigger, id: String)
    /// To all functions of the first generation that want to hear of users.
    case multicast(JSON)
    /// To all of the second generation.
    case multicastV2(CloudEvent)
    case webhook(Webhook, Notice)
  }

  /// What a webhook receives.
  enum Notice: Sendable {
    /// A change of a document, and the type under which the webhook wants it.
    case document(DocumentEvent, type: String)
    /// An event whose body is written already; several webhooks share it.
    case ready(CloudEvent)
  }

  let receiver: DeliveryReceiver
  /// What it is about: the name of a document, or `users/…` or `messages/…`. For the log.
  let resource: String
  let content: Content

  var project: String { receiver.project }

  /// Its name in the request log.
  var operation: String {
    switch content {
    case .function: "functions.trigger"
    case .multicast, .multicastV2: "functions.userEvent"
    case .webhook: "webhooks.send"
    }
  }
}

extension EventDispatch {
  /// A delivery that can begin, and its queue.
  package func start() -> (DeliveryQueue<Delivery>.Begun, Way)? {
    // Functions first, each time there is room: both have a bound of their own, so neither starves.
    state.withLock { state in
      for way in Way.allCases {
        if let begun = state[way].next() { return (begun, way) }
      }
      return nil
    }
  }

  /// Frees the place of a delivery, and has the next one of its line begin.
  package func end(_ begun: DeliveryQueue<Delivery>.Begun, way: Way) {
    let lost = state.withLock { $0[way].end(begun) }
    if let lost { report(lost, lostBy: begun.receiver) }
    wake.yield()
  }

  /// Delivers, and tries again as often as it may. Its line waits meanwhile, because the order of
  /// events counts.
  package func deliver(_ delivery: Delivery) async {
    let isWebhook = if case .webhook = delivery.content { true } else { false }
    let tries = isWebhook ? EventLimits.webhookTries : functionTries
    for number in 1...tries {
      guard !Task.isCancelled, !isGone(delivery),
        await !attempt(delivery, isLast: number == tries)
      else { return }
      if number < tries {
        // Waiting ends when the task is cancelled; the next round notices it.
        await server.clock.wait(until: server.clock.now + Backoff.delay(afterTry: number))
      }
    }
  }

  /// Sends it once. Returns whether it has arrived, or never can.
  private func attempt(_ delivery: Delivery, isLast: Bool) async -> Bool {
    do {
      switch delivery.content {
      case .function(let event, let trigger, let id):
        return try await run(trigger, for: event, id: id, delivery: delivery, isLast: isLast)
      case .multicast(let event):
        let request = FunctionPayloads.multicast(
          event, at: functionsAddress ?? "", project: delivery.project)
        return await send(
          request, time: EventLimits.functionTime, delivery: delivery, isLast: isLast) != nil
      case .multicastV2(let event):
        let request = FunctionPayloads.multicast(
          event, at: functionsAddress ?? "", project: delivery.project)
        return await send(
          request, time: EventLimits.functionTime, delivery: delivery, isLast: isLast) != nil
      case .webhook(let webhook, let notice):
        let request = webhook.request(try notice.event, at: server.clock.now)
        return await send(
          request, time: EventLimits.webhookTime, delivery: delivery, isLast: isLast) != nil
      }
    } catch {
      // It would fail in the same way at the next try.
      logger.error("An event about \(delivery.resource) cannot be written: \(error)")
      return true
    }
  }

  /// Runs a function. The functions emulator gives a function another key when it loads its code
  /// again. One that was not registered is then not found under the key that is known, nothing has
  /// run yet, and the new key is asked for.
  private func run(
    _ trigger: DocumentTrigger, for event: DocumentEvent, id: String, delivery: Delivery,
    isLast: Bool
  ) async throws -> Bool {
    let address = functionsAddress ?? ""
    let request = try FunctionPayloads.request(event, for: trigger, id: id, at: address)
    let status = await send(
      request, time: EventLimits.functionTime, delivery: delivery, isLast: isLast)
    guard status == 204 || status == 404, triggers(of: delivery.project).isEmpty,
      let key = await directory?.newKey(for: trigger)
    else { return status != nil }
    let again = try FunctionPayloads.request(
      event, for: trigger.with(key: key), id: id, at: address)
    return await send(again, time: EventLimits.functionTime, delivery: delivery, isLast: isLast)
      != nil
  }

  /// Sends the request and notes how it went.
  ///
  /// - Returns: the status; nil where it is worth another try.
  private func send(
    _ request: FunctionRequest, time: Duration, delivery: Delivery, isLast: Bool
  ) async -> Int? {
    let outcome = await send(
      request, within: time,
      noting: Noted(
        project: delivery.project, operation: delivery.operation, resource: delivery.resource))
    let (status, problem) = (outcome.status, outcome.problem)
    let url = Self.loggedAddress(request.url)
    if problem == nil {
      state.withLock { _ = $0.failing.remove(String(url)) }
    } else if let problem, isLast, isNewlyFailing(String(url)) {
      logger.warning(
        """
        An event about \(delivery.resource) was not accepted by \(url): \(problem.status) \
        \(problem.reason) (the request log has all such events)
        """)
    }
    // A function that does not exist will not exist at the next try.
    return problem == nil || status == 404 ? status : nil
  }
}

extension EventDispatch {
  /// Whether nothing was said of the address since it took an event last. One line for each event would
  /// drown the log where a receiver is not there.
  private func isNewlyFailing(_ address: String) -> Bool {
    // Forgetting all is cheaper than to know which are old. At worst a warning appears twice.
    state.withLock { state in
      if state.failing.count >= EventLimits.failing { state.failing = [] }
      return state.failing.insert(address).inserted
    }
  }
}

extension Delivery.Notice {
  fileprivate var event: CloudEvent {
    get throws {
      switch self {
      case .document(let event, let type):
        try CloudEvent(event, type: type, withWriter: Webhook.tellsWriter(type))
      case .ready(let event): event
      }
    }
  }
}

// MARK: Pausing

extension EventDispatch {
  /// Accepts no more events. Returns when all earlier ones have been delivered or given up, or
  /// after ``EventLimits/drainTime``.
  ///
  /// Until ``resume()``, what happens is lost and not kept: tools pause functions to seed data
  /// without running them.
  package func pause() async {
    let (idle, continuation) = AsyncStream.makeStream(of: Void.self)
    // In one step with the check, so that the last delivery cannot end unnoticed between the two.
    let isIdle = state.withLock { state in
      state.isPaused = true
      if !state.isIdle { state.idleWaiters.append(continuation) }
      return state.isIdle
    }
    guard !isIdle else { return }
    let clock = server.clock
    await withDiscardingTaskGroup { group in
      group.addTask {
        await clock.wait(until: clock.now + EventLimits.drainTime)
        continuation.finish()
      }
      // Nothing is ever sent; the stream ends when the queues are empty or the time is over.
      for await _ in idle {}
      group.cancelAll()
    }
  }

  package func resume() { state.withLock { $0.isPaused = false } }

  /// Ends the waiting of those who have paused. Called by the task that delivers, each time it has
  /// looked for work.
  func resumeIdleWaiters() {
    let waiters = state.withLock { state in
      guard state.isIdle else { return [AsyncStream<Void>.Continuation]() }
      defer { state.idleWaiters = [] }
      return state.idleWaiters
    }
    for waiter in waiters { waiter.finish() }
  }
}

extension EventDispatch.State {
  fileprivate var isIdle: Bool {
    inbox.isEmpty && !isSorting && functionQueue.isEmpty && webhookQueue.isEmpty
  }
}

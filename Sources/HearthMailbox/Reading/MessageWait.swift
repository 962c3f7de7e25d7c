import HearthErrors
import HearthOperations
import HearthTime

/// Looks for the latest message that matches, and holds the request until there is one or the time
/// is over.
struct MessageWait: Sendable {
  let filter: MessageFilter
  let form: MailForm
  /// As the caller wrote it, for the refusal.
  let patience: String
  let deadline: Timestamp
  let clock: any HearthClock
  /// What is captured from before the first look on, so that nothing falls in between.
  let changes: AsyncStream<Change>

  private enum Event: Sendable {
    case capture, deadline, end
  }

  /// Looks once; messages up to `seen` are known not to match.
  func look(
    in project: ProjectTransaction, beyond seen: Int64 = 0, isLast: Bool = false
  ) throws(APIError) -> Outcome {
    var unseen = filter
    if !followsUse { unseen.after = max(filter.after ?? 0, seen) }
    if let message = try Mailbox(in: project).latestMessage(matching: unseen) {
      return .answer(try form.answer(message, in: project))
    }
    if isLast { throw try refusal(in: project) }
    let projectId = project.projectId
    let newest = try project.transaction.newestMessageID()
    return .away { () async throws(APIError) in
      let event = await nextEvent(in: projectId)
      guard !Task.isCancelled, event != .end else {
        throw APIError(.unavailable, detail: "the wait for a message\(filter) was cancelled")
      }
      return { (project, _) throws(APIError) in
        try look(in: project, beyond: newest, isLast: event == .deadline)
      }
    }
  }

  /// Whether a message that is there already may come to match.
  private var followsUse: Bool { filter.state == .used || filter.state == .expired }

  /// Says what was found instead: a mail of an earlier test, or mail of another project.
  private func refusal(in project: ProjectTransaction) throws(APIError) -> APIError {
    let words = "no \(filter.words) within \(patience)"
    var other = filter
    other.state = nil
    guard filter.state == .pending,
      let message = try Mailbox(in: project).latestMessage(matching: other)
    else { return APIError(.notFound, detail: words + (try Mailbox(in: project).mailElsewhere())) }
    let state = message.state(at: Mailbox(in: project).now).rawValue
    return APIError(
      .notFound,
      detail: "\(words); the code of message \(message.id) is \(state) (state=any hands it out)")
  }

  private func nextEvent(in projectId: String) async -> Event {
    await withTaskGroup(of: Event.self) { group in
      group.addTask { await nextCapture(in: projectId) }
      group.addTask {
        await clock.wait(until: deadline)
        return .deadline
      }
      let first = await group.next() ?? .end
      group.cancelAll()
      return first
    }
  }

  /// The stream drops its oldest changes when too many are waiting to be read; so after that
  /// many of other projects, one of ours may have been among the dropped.
  private func nextCapture(in projectId: String) async -> Event {
    var others = 0
    for await change in changes {
      switch change {
      case .messageCaptured(let project, _) where project == projectId: return .capture
      case .event(let project, "code.used", _) where followsUse && project == projectId:
        return .capture
      case .event(let project, "snapshot.restored", _) where project == projectId: return .capture
      case .messageCaptured, .event, .eventEverywhere, .call: others += 1
      }
      if others == Changes.capacity { return .capture }
    }
    return .end
  }
}

package import HearthErrors
package import HearthOperations
import HearthTime
import HearthWire

/// One message by its id, or the latest that matches: `latest?to=…&type=…&since=…&wait=10s`.
///
/// Who waits wants a code that works: used and expired ones are not handed out then, unless `state`
/// asks for them. Who does not wait looks at the mailbox, and sees the latest message whatever
/// became of its code.
package enum GetMessage: Operation {
  private static let longestWait = Duration.seconds(300)

  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    let (name, form) = MailForm.split(request.path["messageId"] ?? "latest")
    if name == "latest" { return try latest(request.query, form, in: project) }
    guard let id = Int64(name), let message = try project.message(id) else {
      throw APIError(.notFound, "no message \(name) in project \(project.projectId)")
    }
    return .answer(form.answer(message, at: project.now))
  }

  private static func latest(
    _ query: FormFields, _ form: MailForm, in project: ProjectTransaction
  ) throws(APIError) -> Outcome {
    let wait = query["wait"]
    let filter = try MessageFilter(
      query, state: wait == nil ? nil : .pending, alsoAllowing: ["wait"])
    guard let wait else {
      guard let message = try project.latestMessage(matching: filter) else {
        throw APIError(
          .notFound,
          "no \(filter.words) in project \(project.projectId)\(try project.mailElsewhere())")
      }
      return .answer(form.answer(message, at: project.now))
    }
    guard let duration = WaitTime(wait)?.duration, duration <= longestWait else {
      throw APIError(
        .invalidArgument, "\"wait\" must be a time of at most 5 minutes, such as 500ms, 10s or 2m")
    }
    let clock = project.server.clock
    let patience = MessageWait(
      filter: filter, form: form, patience: wait, deadline: clock.now + duration, clock: clock,
      changes: project.server.changes.stream())
    return try patience.look(in: project)
  }
}

extension ProjectTransaction {
  /// Where there is mail, when this project has none at all: `; mail is in demo-a, demo-b`.
  func mailElsewhere() throws(APIError) -> String {
    guard try messages(limit: 1).isEmpty else { return "" }
    let others = try transaction.projectsWithMail(limit: 5)
    return others.isEmpty ? "" : "; mail is in " + others.joined(separator: ", ")
  }
}

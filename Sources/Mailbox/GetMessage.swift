package import HearthCore
package import HearthStore

/// One message by its id, or the latest that matches: `latest?to=…&type=…&after=…&wait=10s`.
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
    return .answer(form.answer(message))
  }

  private static func latest(
    _ query: FormFields, _ form: MailForm, in project: ProjectTransaction
  ) throws(APIError) -> Outcome {
    let filter = try MessageFilter(query, alsoAllowing: ["wait"])
    guard let wait = query["wait"] else {
      guard let message = try project.latestMessage(matching: filter) else {
        throw APIError(.notFound, "no message\(filter) in project \(project.projectId)")
      }
      return .answer(form.answer(message))
    }
    guard let duration = Duration(waiting: wait), duration <= longestWait else {
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

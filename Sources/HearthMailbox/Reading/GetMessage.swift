package import HearthErrors
package import HearthOperations
import HearthTime
import HearthWire

/// One message by its id, or the latest that matches: `latest?to=…&type=…&since=…&wait=10s`.
///
/// With `wait` it is a message whose code works; `state` includes used and expired ones. Without `wait`
/// it is the latest message, whatever the state of its code. Links that an administrator generated
/// are included with `delivery` only.
package enum GetMessage: Operation {
  package struct Request: OperationRequest {
    let target: Target
    let form: MailForm

    package init(_ wire: WireRequest) throws(APIError) {
      let (name, form) = MailForm.split(wire.path["messageId"] ?? "latest")
      self.form = form
      guard name == "latest" else {
        target = .message(name)
        return
      }
      let isHeld = wire.query["wait"] != nil
      let filter = try MessageFilter(
        wire.query, state: isHeld ? .pending : nil, delivery: .sent, alsoAllowing: ["wait"])
      target = .latest(filter, try wire.wait())
    }
  }

  enum Target {
    /// As the path names it.
    case message(String)
    case latest(MessageFilter, WaitTime?)
  }

  package static func run(
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    switch request.target {
    case .message(let name):
      guard let id = Int64(name), let message = try Mailbox(in: project).message(id) else {
        throw APIError(.notFound, detail: "no message \(name) in project \(project.projectId)")
      }
      return .answer(try request.form.answer(message, in: project))
    case .latest(let filter, nil):
      guard let message = try Mailbox(in: project).latestMessage(matching: filter) else {
        throw APIError(
          .notFound,
          detail:
            "no \(filter.words) in project \(project.projectId)\(try Mailbox(in: project).mailElsewhere())"
        )
      }
      return .answer(try request.form.answer(message, in: project))
    case .latest(let filter, let wait?):
      let clock = project.server.clock
      let patience = MessageWait(
        filter: filter, form: request.form, patience: wait.text,
        deadline: clock.now + wait.duration, clock: clock,
        changes: project.server.changes.stream())
      return try patience.look(in: project)
    }
  }
}

extension Mailbox {
  /// Where there is mail, when this project has none at all: `; mail is in demo-a, demo-b`.
  func mailElsewhere() throws(APIError) -> String {
    guard try messages(limit: 1).isEmpty else { return "" }
    let others = try transaction.projectsWithMail(limit: 5)
    return others.isEmpty ? "" : "; mail is in " + others.joined(separator: ", ")
  }
}

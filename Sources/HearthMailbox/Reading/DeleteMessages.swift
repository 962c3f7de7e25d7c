package import HearthErrors
package import HearthOperations

/// Empties the project's mailbox, or deletes what matches.
package enum ClearMessages: Operation {
  package struct Request: OperationRequest {
    let filter: MessageFilter

    package init(_ wire: WireRequest) throws(APIError) {
      filter = try MessageFilter(wire.query)
    }
  }

  package static func run(
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try Mailbox(in: project).deleteMessages(matching: request.filter)
    return .json([:])
  }
}

/// Deletes one message.
package enum DeleteMessage: Operation {
  package struct Request: OperationRequest {
    /// As the path has it.
    let id: String

    package init(_ wire: WireRequest) { id = wire.path["messageId"] ?? "" }
  }

  package static func run(
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    guard let id = Int64(request.id), try Mailbox(in: project).deleteMessage(id) else {
      throw APIError(.notFound, detail: "no message \(request.id) in project \(project.projectId)")
    }
    return .json([:])
  }
}

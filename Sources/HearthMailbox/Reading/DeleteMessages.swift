package import HearthErrors
package import HearthOperations

/// Empties the project's mailbox, or deletes what matches.
package enum ClearMessages: Operation {
  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    try project.deleteMessages(matching: try MessageFilter(request.query))
    return .json([:])
  }
}

/// Deletes one message.
package enum DeleteMessage: Operation {
  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    let name = request.path["messageId"] ?? ""
    guard let id = Int64(name), try project.deleteMessage(id) else {
      throw APIError(.notFound, "no message \(name) in project \(project.projectId)")
    }
    return .json([:])
  }
}

package import HearthOperations

/// The mailbox's rows of the route table: its control endpoints, and the plain page.
package enum MailboxRoutes {
  private static let messages = "/emulator/v1/projects/{targetProjectId}/messages"
  private static let filter = MessageFilter.parameters.map { Route.QueryParameter($0) }

  package static let all: [Route] = [
    Route(
      "GET", messages, "hearth.messages.list", .control, query: filter + [.init("limit")],
      .operation(ListMessages.self)),
    Route(
      "GET", messages + "/latest", "hearth.messages.latest", .control,
      query: filter + [.init("wait")], .operation(GetMessage.self)),
    Route(
      "GET", messages + "/{messageId}", "hearth.messages.get", .control,
      .operation(GetMessage.self)),
    Route(
      "DELETE", messages, "hearth.messages.clear", .control, query: filter,
      .operation(ClearMessages.self)),
    Route(
      "DELETE", messages + "/{messageId}", "hearth.messages.delete", .control,
      .operation(DeleteMessage.self)),
    Route(
      "GET", "/mailbox", "hearth.mailbox.list", .control, query: [.init("project")],
      .operation(MailboxPage.List.self)),
    Route(
      "GET", "/mailbox/{messageId}", "hearth.mailbox.show", .control, query: [.init("project")],
      .operation(MailboxPage.Show.self)),
  ]
}

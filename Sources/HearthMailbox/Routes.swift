package import HearthOperations

/// The mailbox's rows of the route table: its control endpoints, and the plain page.
package enum MailboxRoutes {
  private static let messages = "/emulator/v1/projects/{targetProjectId}/messages"
  private static let rules = "/emulator/v1/projects/{targetProjectId}/mailRules"
  private static let json = Route.Body.json(message: nil)
  private static let filter = MessageFilter.parameters.map { Route.QueryParameter($0) }

  package static let all: [Route] = [
    Route(
      "GET", messages, "hearth.messages.list", .control,
      query: filter + [.init("limit"), .init("summary")],
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
      "POST", messages + "/{messageId}:markRead", "hearth.messages.markRead", .control, body: json,
      .operation(MarkRead.self)),
    Route(
      "POST", messages + "/{messageId}:markUnread", "hearth.messages.markUnread", .control,
      body: json, .operation(MarkUnread.self)),
    Route(
      "PATCH", messages + "/{messageId}", "hearth.messages.update", .control, body: json,
      .operation(UpdateMessage.self)),
    Route(
      "GET", messages + "/{messageId}/raw", "hearth.messages.raw", .control,
      .operation(GetRawMail.self)),
    Route(
      "GET", messages + "/{messageId}/html", "hearth.messages.html", .control,
      query: [.init("images")], .operation(GetSafeHTML.self)),
    Route(
      "GET", messages + "/{messageId}/attachments/{attachment}", "hearth.messages.attachment",
      .control, .operation(GetAttachment.self)),
    Route("GET", rules, "hearth.mailRules.get", .control, .operation(GetMailRules.self)),
    Route(
      "PUT", rules, "hearth.mailRules.replace", .control, body: json,
      .operation(ReplaceMailRules.self)),
    Route(
      "GET", "/mailbox", "hearth.mailbox.list", .control, query: [.init("project")],
      .operation(MailboxPage.List.self)),
    Route(
      "GET", "/mailbox/{messageId}", "hearth.mailbox.show", .control, query: [.init("project")],
      .operation(MailboxPage.Show.self)),
  ]
}

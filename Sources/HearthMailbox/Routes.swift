package import HearthOperations

/// The mailbox's rows of the route table: its control endpoints, and the plain page.
package enum MailboxRoutes {
  private static let messages = "/emulator/v1/projects/{targetProjectId}/messages"
  private static let rules = "/emulator/v1/projects/{targetProjectId}/mailRules"
  private static let json = Route.Body.json(message: nil)
  private static let filter = MessageFilter.parameters.map { Route.QueryParameter($0) }

  package static let all: [Route] = [
    Route(
      "GET", template: messages, id: "hearth.messages.list", credential: .control,
      query: filter + [.init("limit"), .init("summary")], action: .operation(ListMessages.self)),
    Route(
      "GET", template: messages + "/latest", id: "hearth.messages.latest", credential: .control,
      query: filter + [.init("wait")], action: .operation(GetMessage.self)),
    Route(
      "GET", template: messages + "/{messageId}", id: "hearth.messages.get", credential: .control,
      action: .operation(GetMessage.self)),
    Route(
      "DELETE", template: messages, id: "hearth.messages.clear", credential: .control,
      query: filter, action: .operation(ClearMessages.self)),
    Route(
      "DELETE", template: messages + "/{messageId}", id: "hearth.messages.delete",
      credential: .control, action: .operation(DeleteMessage.self)),
    Route(
      "POST", template: messages + "/{messageId}:markRead", id: "hearth.messages.markRead",
      credential: .control, body: json, action: .operation(MarkRead.self)),
    Route(
      "POST", template: messages + "/{messageId}:markUnread", id: "hearth.messages.markUnread",
      credential: .control, body: json, action: .operation(MarkUnread.self)),
    Route(
      "PATCH", template: messages + "/{messageId}", id: "hearth.messages.update",
      credential: .control, body: json, action: .operation(UpdateMessage.self)),
    Route(
      "GET", template: messages + "/{messageId}/raw", id: "hearth.messages.raw",
      credential: .control, action: .operation(GetRawMail.self)),
    Route(
      "GET", template: messages + "/{messageId}/html", id: "hearth.messages.html",
      credential: .control, query: [.init("images")], action: .operation(GetSafeHTML.self)),
    Route(
      "GET", template: messages + "/{messageId}/attachments/{attachment}",
      id: "hearth.messages.attachment",
      credential: .control, query: [.init("view")], action: .operation(GetAttachment.self)),
    Route(
      "GET", template: rules, id: "hearth.mailRules.get", credential: .control,
      action: .operation(GetMailRules.self)),
    Route(
      "PUT", template: rules, id: "hearth.mailRules.replace", credential: .control, body: json,
      action: .operation(ReplaceMailRules.self)),
    Route(
      "GET", template: "/mailbox", id: "hearth.mailbox.list", credential: .control,
      query: [.init("project")], project: .query, audience: .projectPage,
      action: .operation(MailboxPage.List.self)),
    Route(
      "GET", template: "/mailbox/{messageId}", id: "hearth.mailbox.show", credential: .control,
      query: [.init("project")], project: .query, audience: .projectPage,
      action: .operation(MailboxPage.Show.self)),
  ]
}

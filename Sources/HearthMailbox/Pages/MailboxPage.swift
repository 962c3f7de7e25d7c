import HearthCrypto
package import HearthErrors
package import HearthOperations
import HearthPages
import HearthTime
import HearthWire

/// The mailbox as a plain page: everything on it works without JavaScript.
package enum MailboxPage {
  /// The messages of a project, newest first.
  package enum List: Operation {
    package struct Request: OperationRequest {
      let projectId: String?
      let isRefreshing: Bool

      package init(_ wire: WireRequest) {
        projectId = wire.query["project"].nonEmpty
        isRefreshing = wire.query["refresh"] != "off"
      }
    }

    private static let length = 200

    package static func run(
      _ request: Request, in project: ProjectTransaction, context: Context
    ) throws(APIError) -> Outcome {
      let project = shown(request.projectId, from: project)
      let messages = try Mailbox(in: project).messages(limit: length)
      let html = MailboxList(
        projectId: project.projectId, messages: messages.reversed(), now: Mailbox(in: project).now,
        isRefreshing: request.isRefreshing, language: language(context)
      ).html
      return .answer(page(html))
    }
  }

  /// One message.
  package enum Show: Operation {
    package struct Request: OperationRequest {
      let projectId: String?
      /// As the path has it.
      let messageId: String

      package init(_ wire: WireRequest) {
        projectId = wire.query["project"].nonEmpty
        messageId = wire.path["messageId"] ?? ""
      }
    }

    package static func run(
      _ request: Request, in project: ProjectTransaction, context: Context
    ) throws(APIError) -> Outcome {
      let project = shown(request.projectId, from: project)
      guard let id = Int64(request.messageId), let message = try Mailbox(in: project).message(id)
      else {
        return .answer(
          page(
            MessageView.missing(
              request.messageId, in: project.projectId, language: language(context)),
            status: 404))
      }
      let nonce = context.random.base64URL(22)
      let view = MessageView(
        message: message, openLink: project.openLink(message.link), projectId: project.projectId,
        now: Mailbox(in: project).now, language: language(context), nonce: nonce)
      return .answer(page(view.html, scriptSource: "'nonce-\(nonce)'"))
    }
  }

  static func listURL(_ projectId: String) -> String {
    "/mailbox?project=" + PercentCoding.encodeForm(projectId)
  }

  static func messageURL(_ message: Message, in projectId: String) -> String {
    "/mailbox/\(message.id)?project=" + PercentCoding.encodeForm(projectId)
  }

  /// The one that the browser prefers.
  private static func language(_ context: Context) -> Language {
    .best(for: nil, orAccepted: context.acceptLanguage)
  }

  /// The project that the page is asked to show.
  private static func shown(
    _ projectId: String?, from project: ProjectTransaction
  ) -> ProjectTransaction {
    ProjectTransaction(
      project.transaction, projectId: projectId ?? project.server.defaultProject, tenantId: nil,
      server: project.server)
  }

  private static func page(
    _ html: String, status: Int = 200, scriptSource: String = "'none'"
  ) -> Answer {
    Answer(
      status: status, body: .text(html, contentType: HTML.contentType),
      headers: HTML.headers(
        policy: "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-src 'self'; "
          + "script-src \(scriptSource); base-uri 'none'; form-action 'self'; "
          + "frame-ancestors 'none'"))
  }
}

extension Timestamp {
  /// A `<time>` element.
  var html: String {
    "<time datetime=\"\(iso8601)\">\(iso8601.prefix(19).replacing("T", with: " ")) UTC</time>"
  }
}

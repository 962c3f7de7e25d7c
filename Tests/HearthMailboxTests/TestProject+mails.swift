import HearthErrors
import HearthMailbox
import HearthOperations
import HearthTestSupport
import HearthTime
import HearthWire

extension TestProject {
  /// With the tables of the mailbox.
  init() throws { try self.init(Message.migrations) }

  func capture(
    _ type: MailType = .passwordReset, to recipient: String = "ada@example.com",
    code: String = "c0de", in projectId: String = "demo", tenant: String? = nil,
    locale: String? = nil, isSent: Bool = true
  ) throws {
    let draft = MailDraft.sample(
      type, to: recipient, code: code, expiresAt: clock.now + .seconds(60))
    try inProject(projectId, tenant: tenant) { (project) throws(APIError) in
      try Mailbox(in: project).capture(draft, context: context(locale: locale), isSent: isSent)
    }
  }

  /// Redeems the code of a mail to Ada.
  func use(_ code: String) throws {
    try inProject { (project) throws(APIError) in
      try Mailbox(in: project).noteUse(
        ofCode: code, type: "PASSWORD_RESET", sentTo: "ada@example.com", at: clock.now)
    }
  }

  func messages(in projectId: String = "demo") throws -> [Message] {
    try inProject(projectId) { (project) throws(APIError) in
      try Mailbox(in: project).messages(limit: 1000)
    }
  }

  func perform(
    _ operation: any Operation.Type, query: String = "", message: String? = nil,
    in projectId: String = "demo"
  ) async throws -> Answer {
    try await perform(operation, request: .of(query, message: message), in: projectId)
  }

  func begin(
    _ operation: any Operation.Type, query: String = "", message: String? = nil,
    in projectId: String = "demo"
  ) throws -> Outcome {
    try begin(operation, request: .of(query, message: message), in: projectId)
  }
}

extension WireRequest {
  /// For a message, or for the list of them.
  fileprivate static func of(_ query: String, message: String?) -> WireRequest {
    WireRequest(
      query: FormFields(parsing: query), path: message.map { ["messageId": $0] } ?? [:])
  }
}

extension MailDraft {
  static func sample(
    _ type: MailType, to recipient: String = "ada@example.com", code: String = "c0de",
    expiresAt: Timestamp? = nil
  ) -> MailDraft {
    MailDraft(
      type: type, recipient: recipient,
      email: type == .verifyAndChangeEmail || type == .recoverEmail ? "eve@example.com" : recipient,
      newEmail: type == .verifyAndChangeEmail ? recipient : nil, code: code,
      link: "http://127.0.0.1:9099/emulator/action?mode=x&oobCode=\(code)&apiKey=k",
      expiresAt: expiresAt)
  }
}

extension Answer {
  /// The ids in a list of messages.
  var ids: [String] { json["messages"]?.array?.compactMap { $0["id"]?.string } ?? [] }
}

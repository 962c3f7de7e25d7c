import HearthErrors
import HearthMailbox
import HearthObservation
import HearthOperations
import HearthSQLite
import HearthTransport

extension CompareParts {
  private static let mostMessages = 500

  /// The codes that the call uses, each with that of the newest message that the other project has sent
  /// to the same address, for the same, since the calls are made again.
  func codes(
    in call: AnsweredCall, of project: String, since first: Int64, of other: String
  ) throws(APIError) -> [(text: String, other: String)] {
    let used = String(decoding: call.body, as: UTF8.self) + " " + call.query
    // Most calls have neither a `code` nor an `oobCode`, and need no look at the mailbox.
    guard used.contains("ode") else { return [] }
    return try store.transaction { transaction throws(APIError) in
      let (old, new) = (mailbox(project, transaction), mailbox(other, transaction))
      var found: [(text: String, other: String)] = []
      for message in try old.messages(limit: Self.mostMessages, asSummaries: true) {
        guard let code = message.code, used.contains(code),
          let now = try new.latestMessage(
            matching: MessageFilter(
              recipient: message.recipient, types: [message.type], after: first)),
          let its = now.code, its != code
        else { continue }
        // A few digits may be a part of something else.
        found.append(code.utf8.count < 8 ? ("\"\(code)\"", "\"\(its)\"") : (code, its))
      }
      return found
    }
  }

  /// The newest message that there is by now.
  func newestMessage() throws(APIError) -> Int64 {
    try store.transaction { transaction throws(APIError) in try transaction.newestMessageID() }
  }

  private func mailbox(_ project: String, _ transaction: Transaction) -> Mailbox {
    Mailbox(
      in: ProjectTransaction(transaction, projectId: project, tenantId: nil, server: server))
  }
}

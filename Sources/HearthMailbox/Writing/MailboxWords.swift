/// The words of the mailbox as a plain page, in one language. `{…}` marks what differs.
struct MailboxWords: Sendable {
  let title: String
  let project: String
  let show: String
  let reloads: String
  let stop: String
  let staysAsItIs: String
  let reload: String
  let empty: String
  let count: String
  let to: String
  let from: String
  let subject: String
  let type: String
  let state: String
  let time: String
  let tenant: String
  let language: String
  let sent: String
  let expires: String
  let used: String
  let link: String
  let openLink: String
  let copyLink: String
  let code: String
  let copyCode: String
  let copied: String
  let message: String
  let plainText: String
  let otherForms: String
  let missing: String
  let missingIn: String
  let pending: String
  let isUsed: String
  let expired: String
  let notSent: String
  let noSubject: String
  let textMessage: String

  func name(of state: Message.State) -> String {
    switch state {
    case .pending: pending
    case .used: isUsed
    case .expired: expired
    }
  }
}

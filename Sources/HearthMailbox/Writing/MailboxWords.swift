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
  private let types: Words

  init(_ words: Words) {
    title = words["title"]
    project = words["project"]
    show = words["show"]
    reloads = words["reloads"]
    stop = words["stop"]
    staysAsItIs = words["staysAsItIs"]
    reload = words["reload"]
    empty = words["empty"]
    count = words["count"]
    to = words["to"]
    from = words["from"]
    subject = words["subject"]
    type = words["type"]
    state = words["state"]
    time = words["time"]
    tenant = words["tenant"]
    language = words["language"]
    sent = words["sent"]
    expires = words["expires"]
    used = words["used"]
    link = words["link"]
    openLink = words["openLink"]
    copyLink = words["copyLink"]
    code = words["code"]
    copyCode = words["copyCode"]
    copied = words["copied"]
    message = words["message"]
    plainText = words["plainText"]
    otherForms = words["otherForms"]
    missing = words["missing"]
    missingIn = words["missingIn"]
    pending = words["pending"]
    isUsed = words["isUsed"]
    expired = words["expired"]
    notSent = words["notSent"]
    noSubject = words["noSubject"]
    textMessage = words["textMessage"]
    types = words.part("types")
  }

  /// What a message is for, in words; an unknown type stays as it is, and `none` is for nothing.
  func name(ofType type: String) -> String {
    switch type {
    case MailType.passwordReset.rawValue, "reset": types["passwordReset"]
    case MailType.verifyEmail.rawValue, "verify": types["verification"]
    case MailType.emailSignIn.rawValue, "magic": types["signInLink"]
    case MailType.verifyAndChangeEmail.rawValue: types["changeOfEmail"]
    case MailType.recoverEmail.rawValue: types["emailChanged"]
    case "NEW_PASSWORD": types["newPassword"]
    case "NOTICE": types["notice"]
    case "otp": types["oneTimeCode"]
    case TextMessage.type: textMessage
    case PushNote.type: types["pushMessage"]
    case "none": ""
    default: type
    }
  }

  func name(of state: Message.State) -> String {
    switch state {
    case .pending: pending
    case .used: isUsed
    case .expired: expired
    }
  }
}

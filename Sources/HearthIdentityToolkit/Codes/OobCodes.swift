import HearthCrypto
package import HearthErrors
import HearthMailbox
package import HearthOperations
import HearthSQLite
import HearthServiceAccounts
package import HearthTime
package import HearthWire

/// An out-of-band code: sent by mail, redeemed once.
package struct OobCode: Sendable, Equatable {
  package enum RequestType: String, Sendable, CaseIterable {
    case passwordReset = "PASSWORD_RESET"
    case verifyEmail = "VERIFY_EMAIL"
    case emailSignin = "EMAIL_SIGNIN"
    case verifyAndChangeEmail = "VERIFY_AND_CHANGE_EMAIL"
    case recoverEmail = "RECOVER_EMAIL"

    /// `mode` in the link.
    var mode: String {
      switch self {
      case .passwordReset: "resetPassword"
      case .verifyEmail: "verifyEmail"
      case .emailSignin: "signIn"
      case .verifyAndChangeEmail: "verifyAndChangeEmail"
      case .recoverEmail: "recoverEmail"
      }
    }

    fileprivate var mailType: MailType {
      switch self {
      case .passwordReset: .passwordReset
      case .verifyEmail: .verifyEmail
      case .emailSignin: .emailSignIn
      case .verifyAndChangeEmail: .verifyAndChangeEmail
      case .recoverEmail: .recoverEmail
      }
    }

    fileprivate func lifetime(_ switches: Switches) -> Duration {
      switch self {
      case .passwordReset: .seconds(switches.passwordResetCodeLifetime)
      case .emailSignin: .seconds(switches.emailLinkCodeLifetime)
      case .verifyEmail, .verifyAndChangeEmail, .recoverEmail:
        .seconds(switches.verificationCodeLifetime)
      }
    }
  }

  let code: String
  package let requestType: RequestType
  package let email: Email
  let newEmail: Email?
  package let link: String
  package let expiresAt: Timestamp
  package let usedAt: Timestamp?
  package var app = MobileApp()
  /// The account that it is for, where there was one.
  var localId: String?

  /// Where its mail goes.
  var recipient: Email {
    requestType == .verifyAndChangeEmail ? newEmail ?? email : email
  }

  /// `openLink` is the link at an address that people can open, where it is another one.
  package func json(openLink: String?) -> JSON {
    .members([
      "email": email.json,
      "newEmail": newEmail.json,
      "requestType": .string(requestType.rawValue),
      "oobCode": .string(code),
      "oobLink": .string(link),
      "openLink": openLink.json,
    ])
  }
}

/// The out-of-band codes of a project or tenant.
package struct OobCodes: ProjectSubject {
  package let project: ProjectTransaction

  package init(in project: ProjectTransaction) { self.project = project }
}

extension OobCodes {
  /// Used and expired codes are kept for a while, so that a mail can say what became of its code.
  private static let keptCodes: Int64 = 20_000

  /// Makes a code. The caller decides whether it is mailed. `ownerId` is the account that it is for,
  /// where its address does not tell.
  func make(
    _ type: OobCode.RequestType, email: Email, newEmail: Email? = nil,
    continueURL: String? = nil, app: MobileApp = MobileApp(), ownerId: String? = nil,
    context: Context
  ) throws(APIError) -> OobCode {
    let addressOwner =
      switch try answers {
      case .emulator: String?.none
      case .production: try replaceCodes(type, email: email)
      }
    let code = context.random.base64URL(54)
    let oob = OobCode(
      code: code, requestType: type, email: email, newEmail: newEmail,
      link: try link(code, type: type, continueURL: continueURL, context: context),
      expiresAt: context.now + type.lifetime(try switches()), usedAt: nil)
    try transaction.execute(
      """
      INSERT INTO oob_codes
        (project, tenant, digest, code, request_type, email, new_email, link, created_at,
         expires_at, ios_bundle, android_package, local_id)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      arguments: [
        projectId, tenantKey, Digest.sha256.hash(Array(code.utf8)).blob, code,
        type.rawValue,
        email, newEmail, oob.link, context.now.milliseconds, oob.expiresAt.milliseconds,
        app.iosBundleId, app.androidPackageName, ownerId ?? addressOwner,
      ])
    if transaction.lastInsertedRowID % 256 == 0 {
      try transaction.execute(
        "DELETE FROM oob_codes WHERE sequence <= ?",
        arguments: [transaction.lastInsertedRowID - Self.keptCodes])
    }
    return oob
  }

  /// In production a newer code of a kind takes the place of an older one.
  ///
  /// - Returns: the id of the account with that address.
  private func replaceCodes(
    _ type: OobCode.RequestType, email: Email
  ) throws(APIError) -> String? {
    try transaction.execute(
      """
      DELETE FROM oob_codes
      WHERE email = ? AND request_type = ? AND used_at IS NULL AND project = ? AND tenant = ?
      """,
      arguments: [email, type.rawValue, projectId, tenantKey])
    return try Accounts(in: project).user(email: email)?.localId
  }

  /// The parameters are in the order that tools expect.
  private func link(
    _ code: String, type: OobCode.RequestType, continueURL: String?, context: Context
  ) throws(APIError) -> String {
    let key = projectId == server.defaultProject ? "fake-api-key" : projectId
    // A page of the project's own, where it has one.
    let callback = try settings().config["notification"]?["sendEmail"]?["callbackUri"]?.string
    if let google = server.google {
      let page = callback.nonEmpty ?? google.actionPage(of: projectId)
      return googleLink(
        page, code: code, type: type, key: key, continueURL: continueURL,
        language: LinkLanguage(try Mailbox(in: project).locale(of: context)).tag)
    }
    let page = callback.nonEmpty ?? "\(context.baseURL)/emulator/action"
    var link = Self.openQuery(of: page) + "mode=\(type.mode)&lang="
    link += "\(LinkLanguage(try Mailbox(in: project).locale(of: context)).tag)&oobCode=\(code)"
    link += "&apiKey=\(PercentCoding.encodeForm(key))"
    if let continueURL = continueURL.nonEmpty {
      link += "&continueUrl=\(PercentCoding.encodeForm(continueURL))"
    }
    if let tenantId { link += "&tenantId=\(PercentCoding.encodeForm(tenantId))" }
    return link
  }

  /// The address of a page, ready for another parameter.
  private static func openQuery(of page: String) -> String {
    page + (page.utf8.contains(UInt8(ascii: "?")) ? "&" : "?")
  }

  /// The parameters are in Google's order.
  private func googleLink(
    _ page: String, code: String, type: OobCode.RequestType, key: String,
    continueURL: String?, language: String
  ) -> String {
    var link = Self.openQuery(of: page) + "mode=\(type.mode)&oobCode=\(code)"
    link += "&apiKey=\(PercentCoding.encodeForm(key))"
    if let continueURL = continueURL.nonEmpty {
      link += "&continueUrl=\(PercentCoding.encodeForm(continueURL))"
    }
    link += "&lang=\(language)"
    if let tenantId { link += "&tenantId=\(PercentCoding.encodeForm(tenantId))" }
    return link
  }

  /// Puts the code into a mail, and prints the link in the log. A link that an administrator asked for
  /// is a message that is not sent.
  ///
  /// `RECOVER_EMAIL` goes to the address that was changed, and says to which one. `displayName` is
  /// the name of the account's owner.
  func mail(
    _ oob: OobCode, to displayName: String?, changedTo current: Email? = nil, isSent: Bool = true,
    verdict: SendVerdict? = nil, context: Context
  ) throws(APIError) {
    try Mailbox(in: project).capture(
      MailDraft(
        type: oob.requestType.mailType, recipient: oob.recipient.text,
        email: (current ?? oob.email).text, newEmail: oob.newEmail?.text, displayName: displayName,
        code: oob.code, link: oob.link, openLink: project.openLink(oob.link),
        expiresAt: try switches().codeExpiry ? oob.expiresAt : nil),
      context: context, isSent: isSent, verdict: verdict)
    if isSent {
      project.outbox.lines.append(oob.consoleLine(project.openLink(oob.link) ?? oob.link))
    }
  }

  /// A code that can still be redeemed.
  ///
  /// - Throws: `INVALID_OOB_CODE` for an unknown or used one, `EXPIRED_OOB_CODE` for an old one.
  package func pending(_ code: String, context: Context) throws(APIError) -> OobCode {
    guard let oob = try oobCode(code), oob.usedAt == nil else { throw APIError(.invalidOobCode) }
    if try switches().codeExpiry, oob.expiresAt <= context.now {
      throw APIError(.expiredOobCode)
    }
    return oob
  }

  /// The code's record, used or not. It is found by its digest, and then compared in constant
  /// time.
  package func oobCode(_ code: String) throws(APIError) -> OobCode? {
    let found = try transaction.first(
      """
      SELECT \(Self.columns) FROM oob_codes
      WHERE digest = ? AND project = ? AND tenant = ?
      """,
      arguments: [Digest.sha256.hash(Array(code.utf8)).blob, projectId, tenantKey],
      read: Self.readOobCode)
    guard let found, ConstantTime.equal(found.code, code) else { return nil }
    return found
  }

  package func allPending(_ context: Context) throws(APIError) -> [OobCode] {
    let oldest = try switches().codeExpiry ? context.now.milliseconds : -1
    return try transaction.all(
      """
      SELECT \(Self.columns) FROM oob_codes
      WHERE project = ? AND tenant = ? AND used_at IS NULL AND expires_at > ? ORDER BY sequence
      """,
      arguments: [projectId, tenantKey, oldest], read: Self.readOobCode)
  }

  func consume(_ oob: OobCode, context: Context) throws(APIError) {
    try transaction.execute(
      "UPDATE oob_codes SET used_at = ? WHERE digest = ? AND project = ? AND tenant = ?",
      arguments: [
        context.now.milliseconds, Digest.sha256.hash(Array(oob.code.utf8)).blob, projectId,
        tenantKey,
      ])
    try Mailbox(in: project).noteUse(
      ofCode: oob.code, type: oob.requestType.rawValue, sentTo: oob.recipient.text, at: context.now)
  }

  private static var columns: String {
    """
    code, request_type, email, new_email, link, expires_at, used_at, ios_bundle, android_package,
    local_id
    """
  }

  private static func readOobCode(_ row: ResultRow) throws -> OobCode {
    guard let type = OobCode.RequestType(rawValue: row[1]) else {
      throw APIError(.internalError, detail: "unknown type of out-of-band code")
    }
    return OobCode(
      code: row[0], requestType: type, email: Email(canonical: row[2]),
      newEmail: (row[3] as String?).map(Email.init(canonical:)), link: row[4],
      expiresAt: Timestamp(milliseconds: row[5]),
      usedAt: (row[6] as Int64?).map(Timestamp.init(milliseconds:)),
      app: MobileApp(iosBundleId: row[7], androidPackageName: row[8]), localId: row[9])
  }
}

extension OobCode {
  /// Word for word what the official emulator prints, because scripts look for it.
  fileprivate func consoleLine(_ link: String) -> String {
    switch requestType {
    case .emailSignin: "To sign in as \(email.text), follow this link: \(link)"
    case .passwordReset:
      "To reset the password for \(email.text), follow this link: "
        + "\(link)&newPassword=NEW_PASSWORD_HERE"
    case .verifyEmail: "To verify the email address \(email.text), follow this link: \(link)"
    case .verifyAndChangeEmail:
      "To verify and change the email address from \(email.text) to \(newEmail?.text ?? ""), "
        + "follow this link: \(link)"
    case .recoverEmail: "To reset your email address to \(email.text), follow this link: \(link)"
    }
  }
}

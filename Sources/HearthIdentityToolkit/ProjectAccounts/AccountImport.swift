import HearthCrypto
package import HearthErrors
package import HearthOperations
import HearthTime
package import HearthWire

/// Takes over one account of an import. The order of the checks, and their words, are behaviour.
package struct AccountImport {
  let project: ProjectTransaction
  let context: Context
  let foreign: ForeignHash?
  let allowOverwrite: Bool
  /// Which of two wordings a taken address gets.
  let namesEmailPlainly: Bool
  /// Whether the second factors are those of an export of ours. They were checked when they were
  /// enrolled, and since then the address may have changed; secrets of apps are restored later.
  var trustsFactors = false
  /// Whether the record comes from a file of accounts, and is to come back as it is: its times
  /// count, and what it does not have stays away. A request makes an account that begins now.
  var keepsPast = false
  /// Whether exports are to give back the record, as of an account from a folder.
  var keepsRecord = false

  package init(
    project: ProjectTransaction, context: Context, foreign: ForeignHash?, allowOverwrite: Bool,
    namesEmailPlainly: Bool, trustsFactors: Bool = false, keepsPast: Bool = false,
    keepsRecord: Bool = false
  ) {
    self.project = project
    self.context = context
    self.foreign = foreign
    self.allowOverwrite = allowOverwrite
    self.namesEmailPlainly = namesEmailPlainly
    self.trustsFactors = trustsFactors
    self.keepsPast = keepsPast
    self.keepsRecord = keepsRecord
  }

  package func add(_ json: JSON) throws(APIError) {
    guard let localId = (json["localId"]?.string).nonEmpty else {
      throw fault("localId is missing")
    }
    if let tenantId = (json["tenantId"]?.string).nonEmpty, tenantId != project.tenantId {
      throw fault("Tenant id in userInfo does not match the tenant id in request.")
    }
    var user = User(localId: localId, tenantId: project.tenantId)
    copyProfile(json, to: &user)
    try setPassword(json, of: &user)
    try setClaims(json, of: &user)
    try setProviders(json, of: &user)
    try setPhoneNumber(json, of: &user)
    try setEmail(json, of: &user)
    try setFactors(json, of: &user)
    if keepsPast { setPast(json, of: &user) }
    let known = try Accounts(in: project).user(localId: localId)
    if known != nil && !allowOverwrite {
      throw fault("localId belongs to an existing account - can not overwrite.")
    }
    user.storedKeys = known?.storedKeys
    var numbers: Set<String> = []
    for factor in user.mfaInfo ?? [] {
      guard numbers.insert(factor.phoneInfo?.text ?? "").inserted else {
        throw fault("INTERNAL_ERROR : MFA Enrollment Phone Numbers must be unique.")
      }
    }
    try Accounts(in: project).save(&user)
    try Accounts(in: project).keepImported(
      keepsRecord ? ImportedRecord(json, takenAs: user) : nil, of: localId)
  }

  private func fault(_ message: String) -> APIError { APIError(.importRefused, message: message) }

  private func copyProfile(_ json: JSON, to user: inout User) {
    user.displayName = json["displayName"]?.string
    user.photoUrl = json["photoUrl"]?.string
    user.lastLoginAt = (json["lastLoginAt"]?.string).map(AccountTime.init)
    user.emailVerified = flag(json["emailVerified"])
    user.disabled = flag(json["disabled"])
    let createdAt = (json["createdAt"]?.integer).map(AccountTime.number)
    user.createdAt = createdAt ?? .milliseconds(of: context.now)
    user.validSince = .seconds(of: context.now)
  }

  private func flag(_ json: JSON?) -> AccountFlag {
    json == nil && keepsPast ? .unset : AccountFlag(json?.isTruthy ?? false)
  }

  /// Takes over what an import by a request leaves out, or sets to the present.
  private func setPast(_ json: JSON, of user: inout User) {
    let past = User(record: json)
    user.initialEmail = past.initialEmail
    user.screenName = past.screenName
    user.emailLinkSignin = past.emailLinkSignin
    user.customAuth = past.customAuth
    user.lastRefreshAt = past.lastRefreshAt
    user.passkeyInfo = past.passkeyInfo
    user.dateOfBirth = past.dateOfBirth
    user.language = past.language
    user.timeZone = past.timeZone
    user.strandedSalt = past.strandedSalt
    user.passwordUpdatedAt = past.passwordUpdatedAt ?? user.passwordUpdatedAt
    if let validSince = json["validSince"]?.integer {
      // A later time would refuse every token that is issued until then: where the file was
      // written, the clock was ahead of the project's.
      user.validSince = .number(min(validSince, context.now.seconds))
    } else if user.password == nil {
      user.validSince = nil
    }
  }

  private func setPassword(_ json: JSON, of user: inout User) throws(APIError) {
    if let hash = (json["passwordHash"]?.string).nonEmpty {
      if let reason = foreign?.refusal(of: hash) { throw fault(reason) }
      user.password = PasswordHash(
        importing: hash, salt: json["salt"]?.string, foreign: foreign, random: context.random,
        keepsReadable: project.keepsReadablePasswords)
      user.passwordUpdatedAt = context.now.milliseconds
    } else if let password = (json["rawPassword"]?.string).nonEmpty {
      user.password = PasswordHash(
        hashing: password, context.random, keepsReadable: project.keepsReadablePasswords)
      user.passwordUpdatedAt = context.now.milliseconds
    }
  }

  private func setClaims(_ json: JSON, of user: inout User) throws(APIError) {
    guard let attributes = (json["customAttributes"]?.string).nonEmpty else { return }
    do throws(APIError) {
      try CustomClaims.check(attributes)
    } catch {
      switch error.code {
      case .claimsTooLarge: throw fault("Custom claims provided are too large.")
      case .forbiddenClaim: throw fault("Custom claims provided include a reserved claim.")
      default: throw fault("Invalid custom claims provided.")
      }
    }
    user.customAttributes = attributes
  }

  private func setProviders(_ json: JSON, of user: inout User) throws(APIError) {
    guard let providers = json["providerUserInfo"]?.array else { return }
    user.providerUserInfo = []
    let rules = try project.importRules()
    for entry in providers {
      var provider = ProviderUserInfo(entry)
      if provider.providerId == "password" || provider.providerId == "phone" {
        // They follow from the account when it is saved; here they get their places.
        if keepsPast { user.link(provider) }
        continue
      }
      guard let rawId = provider.rawId.nonEmpty, !provider.providerId.isEmpty else {
        throw provider.federatedId.isGiven
          ? fault(
            "((Parsing federatedId is not implemented in Auth Emulator; "
              + "please specify providerId AND rawId as a workaround.))")
          : fault("federatedId or (providerId & rawId) is required")
      }
      let owner = try Accounts(in: project).localId(
        providerId: provider.providerId, rawId: rawId)
      if let owner, owner != user.localId {
        throw fault("raw id exists in other account in database")
      }
      // A file of accounts says what there was.
      if !keepsPast { provider.federatedId = rules.federatedId(of: provider) }
      user.link(provider)
    }
  }

  private func setPhoneNumber(_ json: JSON, of user: inout User) throws(APIError) {
    guard let given = (json["phoneNumber"]?.string).nonEmpty else { return }
    guard let number = try project.importRules().phoneNumber(given) else {
      throw fault("phone number format is invalid")
    }
    user.phoneNumber = number
  }

  private func setEmail(_ json: JSON, of user: inout User) throws(APIError) {
    guard let given = (json["email"]?.string).nonEmpty else { return }
    guard let email = try? project.newEmail(given) else { throw fault("email is invalid") }
    let mayRepeat = namesEmailPlainly ? false : try project.importRules().repeatsEmails
    if !mayRepeat, let owner = try Accounts(in: project).user(email: email),
      owner.localId != user.localId
    {
      throw namesEmailPlainly
        ? fault("email exists in other account in database")
        : fault("((Auth Emulator does not support importing duplicate email: \(given)))")
    }
    user.email = email
  }

  private func setFactors(_ json: JSON, of user: inout User) throws(APIError) {
    var factors = json["mfaInfo"]?.array ?? []
    if trustsFactors { factors.removeAll { $0["totpInfo"] != nil } }
    guard !factors.isEmpty else { return }
    guard user.email != nil || trustsFactors else {
      throw fault("Second factor account requires email to be presented.")
    }
    guard user.emailVerified == .yes || trustsFactors else {
      throw fault("Second factor account requires email to be verified.")
    }
    let rules = try project.importRules()
    let factorRules = try SecondFactors(in: project).enrollmentRules()
    var ids: Set<String> = []
    var enrollments: [MfaEnrollment] = []
    for factor in factors {
      if factor["totpInfo"] != nil, rules.refusesApps {
        throw fault("Importing TOTP MFA is not supported.")
      }
      let id =
        (factor["mfaEnrollmentId"]?.string).nonEmpty
        ?? factorRules.newId(context)
      guard ids.insert(id).inserted else { throw fault("Enrollment id already exists.") }
      guard let given = (factor["phoneInfo"]?.string).nonEmpty else {
        throw fault("Second factor not supported.")
      }
      guard let phone = try project.phoneNumber(given) else {
        throw fault("Phone number format is invalid")
      }
      var enrollment = MfaEnrollment(
        mfaEnrollmentId: id, phoneInfo: phone, displayName: factor["displayName"]?.string,
        enrolledAt: factor["enrolledAt"]?.string ?? context.now.iso8601)
      if rules.showsOneNumber { enrollment.unobfuscatedPhoneInfo = nil }
      enrollments.append(enrollment)
    }
    user.mfaInfo = enrollments
  }
}

import HearthCrypto
import HearthErrors
import HearthOperations
import HearthTime
import HearthWire

/// Signs in with the code of a text message, or with the proof that an earlier one left.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v1/accounts/signInWithPhoneNumber
enum SignInWithPhoneNumber: Operation {
  struct Request: OperationRequest {
    let idToken: String?
    let temporaryProof: String?
    let phoneNumber: String?
    let sessionInfo: String?
    let code: String?
    /// Whether the number has to be an account's.
    let reauthenticates: Bool

    init(_ wire: WireRequest) {
      idToken = wire.string("idToken")
      temporaryProof = wire.string("temporaryProof")
      phoneNumber = wire.string("phoneNumber")
      sessionInfo = wire.string("sessionInfo")
      code = wire.string("code")
      reauthenticates = wire.string("operation") == "REAUTH"
    }
  }

  static func run(
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try project.requireAuthEnabled()
    try project.requirePhonesInTenant()
    guard try project.allows(.phone) else { throw APIError(.operationNotAllowed) }
    let phoneNumber = try provenNumber(request, project: project, context: context)
    // The code is used up, whatever else goes wrong.
    do throws(APIError) {
      return try signIn(phoneNumber, request: request, project: project, context: context)
    } catch {
      throw error.keepingWrites
    }
  }

  private static func provenNumber(
    _ request: Request, project: ProjectTransaction, context: Context
  ) throws(APIError) -> PhoneNumber {
    if let proof = request.temporaryProof.nonEmpty {
      guard let text = request.phoneNumber.nonEmpty else {
        throw APIError(.missingPhoneNumber)
      }
      let phoneNumber = try project.phoneNumber(text) ?? PhoneNumber(unchecked: text)
      try VerificationCodes(in: project).checkTemporaryProof(
        proof, of: phoneNumber, context: context)
      return phoneNumber
    }
    guard let session = request.sessionInfo.nonEmpty else {
      throw APIError(.missingSessionInfo)
    }
    guard let code = request.code.nonEmpty else { throw APIError(.missingCode) }
    return try VerificationCodes(in: project).redeem(code, session: session, context: context)
  }

  private static func signIn(
    _ phoneNumber: PhoneNumber, request: Request, project: ProjectTransaction,
    context: Context
  ) throws(APIError) -> Outcome {
    let presented =
      request.idToken.isGiven ? try Sessions(in: project).userOfToken(context).user : nil
    let owner = try Accounts(in: project).user(phoneNumber: phoneNumber)
    if let presented, let owner, presented.localId != owner.localId {
      return try conflict(phoneNumber, request: request, project: project, context: context)
    }
    let known = presented ?? owner
    if known == nil, request.reauthenticates { throw APIError(.userNotFound) }
    if known?.isDisabled == true { throw APIError(.userDisabled) }
    if known?.hasSecondFactor == true { throw .phoneCannotBeFirstFactor }
    var user =
      known
      ?? User.new(context.random.alphanumeric(28), tenantId: project.tenantId, context: context)
    user.phoneNumber = phoneNumber
    user.lastLoginAt = .milliseconds(of: context.now)

    let isNew = known == nil
    let facts = BlockingFacts(signInMethod: "phone")
    let finish: BlockingFunctions.Finish = {
      user, signIn, project, context throws(APIError) in
      var user = user
      let tokens = try Sessions(in: project).issueTokens(
        for: &user, signIn: signIn, context: context)
      let members = JSONObject([
        "isNewUser": .bool(isNew), "phoneNumber": user.phoneNumber.json,
        "localId": .string(user.localId),
      ])
      return .answer(Answer(members, tokens: tokens))
    }
    return isNew
      ? try BlockingFunctions(in: project).signingUp(
        user, facts: facts, context: context, finish: finish)
      : try BlockingFunctions(in: project).signingIn(
        user, facts: facts, context: context, finish: finish)
  }

  /// The number is somebody else's: the caller gets a proof to sign in to that account with.
  private static func conflict(
    _ phoneNumber: PhoneNumber, request: Request, project: ProjectTransaction,
    context: Context
  ) throws(APIError) -> Outcome {
    if request.temporaryProof.isGiven { throw APIError(.phoneNumberExists) }
    return .json([
      "phoneNumber": phoneNumber.json,
      "temporaryProof": .string(
        try VerificationCodes(in: project).makeTemporaryProof(of: phoneNumber, context)),
      "temporaryProofExpiresIn": "3600",
    ])
  }
}

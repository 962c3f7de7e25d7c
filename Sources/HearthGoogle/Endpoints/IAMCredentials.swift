import HearthControl
import HearthErrors
import HearthOperations
import HearthServiceAccounts
import HearthTime
import HearthTokens
import HearthTransport
import HearthWire

/// The steps that all calls of the IAM Credentials API share.
/// https://cloud.google.com/iam/docs/reference/credentials/rest
private enum IAMCall {
  /// The account that the path names, for an administrator.
  static func account(
    _ request: ServerRequest, google: GoogleTokens
  ) async throws -> (account: ServiceAccount, email: String) {
    guard !request.isOfForeignPage else {
      throw APIError(
        .forbiddenHost, detail: "this endpoint does not answer to pages of other origins")
    }
    guard case .admin = request.caller else { throw APIError(.missingPrincipal) }
    let accounts = google.server.serviceAccounts
    let account = try await accounts.account()
    let name = request.wire.path["account"] ?? ""
    if name == account.email || name == account.uniqueId || name == "-" {
      return (account, account.email)
    }
    guard accounts.acceptsAny else {
      throw APIError(
        .notFound,
        message: "Not found; Gaia id not found for email \(name). Hearth has \(account.email); "
          + "it accepts others with --accept-any-service-account.")
    }
    return (account, name)
  }

  /// `3600s`, up to the 12 hours that Google allows.
  static func lifetime(_ text: String?) throws(APIError) -> Int64 {
    guard let text, !text.isEmpty else { return OAuth.lifetime }
    guard text.hasSuffix("s"), let seconds = Int64(text.dropLast()), (1...43200).contains(seconds)
    else { throw APIError(.invalidArgument, message: "Invalid lifetime: \(text.prefix(40))") }
    return seconds
  }
}

/// Signs bytes, as `createCustomToken` without a private key wants.
enum SignBlob: ServerOperation {
  static func run(
    _ request: ServerRequest, with google: GoogleTokens
  ) async throws -> OutgoingReply {
    let account = try await IAMCall.account(request, google: google).account
    guard let payload = try request.jsonBody()["payload"]?.string,
      let bytes = Base64.decode(payload)
    else { throw APIError(.invalidArgument, message: "payload must be base64") }
    return OAuth.answer(
      .members([
        "keyId": .string(account.keyID),
        "signedBlob": .string(Base64.encode(try account.key.sign(bytes))),
      ]))
  }
}

/// Signs claims.
enum SignJwt: ServerOperation {
  static func run(
    _ request: ServerRequest, with google: GoogleTokens
  ) async throws -> OutgoingReply {
    let account = try await IAMCall.account(request, google: google).account
    guard let payload = try request.jsonBody()["payload"]?.string,
      let claims = try? JSON.parse(payload).object
    else { throw APIError(.invalidArgument, message: "payload must be a JSON object as a string") }
    return OAuth.answer(
      .members([
        "keyId": .string(account.keyID), "signedJwt": .string(try account.sign(claims)),
      ]))
  }
}

enum GenerateAccessToken: ServerOperation {
  static func run(
    _ request: ServerRequest, with google: GoogleTokens
  ) async throws -> OutgoingReply {
    let email = try await IAMCall.account(request, google: google).email
    let body = try request.jsonBody()
    let scopes = (body["scope"]?.array ?? []).compactMap(\.string)
    guard !scopes.isEmpty else {
      throw APIError(.invalidArgument, message: "The scope field is required.")
    }
    let lifetime = try IAMCall.lifetime(body["lifetime"]?.string)
    let token = google.issueAccessToken(
      to: email, scope: scopes.joined(separator: " "), lifetime: lifetime)
    let expires = Timestamp(seconds: google.accountTime.seconds + lifetime)
    return OAuth.answer(
      .members([
        "accessToken": .string(token),
        "expireTime": .string(Timestamp.text(seconds: expires.seconds, nanoseconds: 0)),
      ]))
  }
}

enum GenerateIDToken: ServerOperation {
  static func run(
    _ request: ServerRequest, with google: GoogleTokens
  ) async throws -> OutgoingReply {
    let email = try await IAMCall.account(request, google: google).email
    guard let audience = try request.jsonBody()["audience"]?.string.nonEmpty else {
      throw APIError(.invalidArgument, message: "The audience field is required.")
    }
    let token = try await google.server.serviceAccounts.identityToken(
      for: audience, email: email, at: google.accountTime)
    return OAuth.answer(.members(["token": .string(token)]))
  }
}

/// Where an account may be used: anywhere.
enum GetAllowedLocations: ServerOperation {
  static func run(
    _ request: ServerRequest, with google: GoogleTokens
  ) async throws -> OutgoingReply {
    _ = try await IAMCall.account(request, google: google)
    return OAuth.answer(["locations": [], "encodedLocations": "0x0"])
  }
}

import HearthControl
import HearthErrors
import HearthOperations
import HearthServiceAccounts
import HearthTokens
import HearthTransport
import HearthWire

/// The certificate of the service account by key id, at the address that its key file names, and as
/// that of the ID tokens that it gets.
enum GetAccountCertificates: ServerOperation {
  static func run(
    _ request: ServerRequest, with google: GoogleTokens
  ) async throws -> OutgoingReply {
    let account = try await google.account(named: request.wire.path["account"])
    var members = JSONObject()
    members.append(account.keyID, value: .string(account.key.certificatePEM))
    for key in try await google.personKeys(request) {
      members.append(key.id, value: .string(key.certificatePEM))
    }
    return ReplyWriter.cached(.object(members))
  }
}

/// The same key as a JSON Web Key Set.
enum GetAccountJwks: ServerOperation {
  static func run(
    _ request: ServerRequest, with google: GoogleTokens
  ) async throws -> OutgoingReply {
    let account = try await google.account(named: request.wire.path["account"])
    let keys = try await google.personKeys(request).map(\.jwk)
    return ReplyWriter.cached(.members(["keys": .array([account.jwk] + keys)]))
  }
}

extension GoogleTokens {
  /// The keys that sign the ID tokens of people at Google, where the address is that of both.
  fileprivate func personKeys(_ request: ServerRequest) async throws -> [SigningKey] {
    guard request.wire.path["account"] == nil else { return [] }
    _ = try await server.providerKeys.keys(of: "google").all()
    return server.providerKeys.known(of: "google")
  }

  /// The service account, unless another one is named.
  fileprivate func account(named name: String?) async throws -> ServiceAccount {
    let account = try await server.serviceAccounts.account()
    guard name == nil || name == account.email || name == account.uniqueId else {
      throw APIError(.notFound, detail: "unknown service account: \(name?.prefix(200) ?? "")")
    }
    return account
  }
}

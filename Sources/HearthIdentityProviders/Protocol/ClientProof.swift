import HearthCrypto
import HearthOperations
import HearthTime
import HearthTokens
import HearthWire

/// How a client shows at the token endpoint who it is (RFC 6749, section 2.3).
struct ClientProof {
  let client: String
  private let secret: String?

  private static let longestAppleSecret: Int64 = 15_777_000

  /// - Throws: ``OAuthProblem`` when the request names no client, or its secret is wrong.
  init(_ call: ProviderCall) throws {
    let given = Self.basic(call.context.authorization)
    if let given, let other = call["client_id"], other != given.id {
      throw OAuthProblem(
        .invalidRequest, description: "client_id is not the one of the Authorization header")
    }
    guard let id = given?.id ?? call["client_id"] else {
      throw OAuthProblem(.invalidClient, description: "The request names no client.")
    }
    client = id
    secret = given?.secret ?? call["client_secret"]
    if call.personality.takesSignedSecrets {
      try checkSignedSecret(call)
    } else {
      try checkSecret(call)
    }
  }

  private static func basic(_ header: String?) -> (id: String, secret: String?)? {
    guard let header, header.lowercased().hasPrefix("basic "),
      let bytes = Base64.decode(String(header.dropFirst(6)))
    else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let decoded = parts.map { PercentCoding.decode($0.replacing("+", with: " ")) }
    guard let id = decoded.first.nonEmpty else { return nil }
    return (id, decoded.count > 1 ? decoded[1].isEmpty ? nil : decoded[1] : nil)
  }

  private func checkSecret(_ call: ProviderCall) throws {
    guard !call.settings.clients.isEmpty else { return }
    guard let known = call.settings.clients.first(where: { $0.id == client }) else {
      throw OAuthProblem(.invalidClient, description: "Unknown client_id.")
    }
    guard let wanted = known.secret else { return }
    guard let secret, ConstantTime.equal(secret, wanted) else {
      throw OAuthProblem(.invalidClient, description: "The client's secret is wrong.")
    }
  }

  /// A JWT that the client has signed with a key of its team. The key is not known here, so that its
  /// signature is not checked; all else is.
  private func checkSignedSecret(_ call: ProviderCall) throws {
    guard let secret, let jwt = JWT(secret), jwt.algorithm == "ES256", jwt.keyID != nil,
      jwt.signature.count == 64
    else {
      throw OAuthProblem(
        .invalidClient,
        description: "client_secret is not a JWT that is signed with ES256 and names its key")
    }
    let claims = jwt.claims
    let now = call.context.now.seconds
    let audience = claims["aud"]?.string ?? ""
    let isHere =
      ["https://appleid.apple.com", "https://appleid.apple.com/", call.addresses.issuer]
      .contains(audience)
    guard isHere else {
      throw OAuthProblem(
        .invalidClient, description: "The aud of client_secret is not Apple's issuer.")
    }
    guard claims["sub"]?.string == client else {
      throw OAuthProblem(
        .invalidClient, description: "The sub of client_secret is not the client_id.")
    }
    guard (claims["iss"]?.string).isGiven, let issued = claims["iat"]?.integer,
      let expires = claims["exp"]?.integer, expires > now, issued <= now &+ 300,
      expires &- issued <= Self.longestAppleSecret
    else {
      throw OAuthProblem(
        .invalidClient,
        description: "client_secret has no iss, has ended, or lives for more than six months")
    }
  }
}

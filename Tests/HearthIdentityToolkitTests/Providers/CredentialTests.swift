import HearthErrors
import HearthWire
import Testing

@testable import HearthIdentityToolkit

@Suite struct `A provider's credential` {
  private func credential(
    _ postBody: String?, uri: String? = "http://localhost", pending: String? = nil
  ) throws(APIError) -> IdpCredential {
    try IdpCredential(requestURI: uri, postBody: postBody, pendingToken: pending)
  }

  private static let claims = #"{"sub":"1","email":"A@b.c"}"#

  /// Form of a post body; the claims are those above.
  private static func form(_ provider: String) -> String {
    "providerId=\(provider)&id_token=\(PercentCoding.encodeForm(claims))"
  }

  @Test(arguments: [
    // The fragment is after the body, and the body after the query.
    ("http://localhost/?providerId=a.com", "providerId=b.com", "b.com"),
    ("http://localhost/#providerId=a.com", "providerId=b.com", "a.com"),
    ("http://localhost/?providerId=a.com&providerId=b.com", "", "a.com"),
    ("http://localhost/?providerId=Google.COM", "", "google.com"),
  ])
  func `is in the address and the body`(uri: String, body: String, provider: String) throws {
    let token = "&id_token=\(PercentCoding.encodeForm(Self.claims))"
    #expect(try credential(body + token, uri: uri).providerId == provider)
  }

  @Test(
    arguments: [
      (nil, "providerId=a", .missingRequestURI), ("not an address", "", .invalidRequestURI),
      ("http://a", nil, .invalidCredentialOrProviderId),
      ("http://a", "providerId=", .invalidCredentialOrProviderId),
      ("http://a", "providerId=a", .notImplemented),
      ("http://a", "providerId=apple.com&access_token=x", .notImplemented),
      ("http://a", "providerId=saml.a&access_token=x", .notImplemented),
      ("http://a", "providerId=phone&access_token=x", .notImplemented),
      ("http://a", "providerId=twitter.com&access_token=x", .invalidCredentialOrProviderId),
      ("http://a", "providerId=a&id_token=x&access_token=y", .invalidIdpResponse),
      ("http://a", "providerId=a&id_token=x", .invalidIdpResponse),
      ("http://a", "providerId=a&id_token={", .invalidIdpResponse),
      ("http://a", "providerId=a&id_token={}", .invalidIdpResponse),
      ("http://a", #"providerId=a&id_token={"sub":1}"#, .invalidIdpResponse),
      ("http://a", #"providerId=a&id_token={"sub":""}"#, .invalidIdpResponse),
      ("http://a", #"providerId=a&id_token={"sub":"1","email":1}"#, .invalidIdpResponse),
      ("http://a", #"providerId=a&id_token={"sub":"1"}&SAMLResponse=x"#, .invalidIdpResponse),
      ("http://a", #"providerId=a&id_token={"sub":"1"}&SAMLResponse={}"#, .invalidIdpResponse),
    ] as [(String?, String?, ErrorCode)])
  func `is refused`(uri: String?, body: String?, code: ErrorCode) {
    var found: ErrorCode?
    do throws(APIError) { _ = try credential(body, uri: uri) } catch { found = error.code }
    #expect(found == code)
  }

  @Test func `tells all that came where it names no provider`() {
    #expect(
      throws: APIError(
        .invalidCredentialOrProviderId,
        detail: "Invalid IdP response/credential: http://a/?a=2&b=3&c=4")
    ) { try credential("a=2&b=3", uri: "http://a/?a=1#c=4") }
  }

  @Test(arguments: ["google.com", "saml.x"])
  func `comes back with its pending token`(provider: String) throws {
    let saml = #"{"assertion":{"subject":{"nameId":"N@b.c"}}}"#
    let body = Self.form(provider) + "&SAMLResponse=\(PercentCoding.encodeForm(saml))"
    let first = try credential(body)
    let again = try credential(nil, pending: first.pendingToken)
    #expect(again.providerId == provider && again.claims == first.claims)
    #expect(again.idToken == first.idToken && again.assertion == first.assertion)
    // What the request says itself is stronger.
    let other = try credential("providerId=other.com", pending: first.pendingToken)
    #expect(other.providerId == "other.com" && other.claims == first.claims)
  }

  @Test func `keeps the secret of its token in the pending token`() throws {
    let first = try credential("providerId=twitter.com&access_token=x&oauth_token_secret=s")
    let again = try credential(nil, pending: first.pendingToken)
    #expect(again.accessToken == "x" && again.tokenSecret == "s" && again.claims == first.claims)
    #expect(first.restsOnAccessToken && again.restsOnAccessToken)
  }

  @Test func `rests on its ID token where there is one`() throws {
    let both = try credential(Self.form("google.com") + "&access_token=x")
    #expect(!both.restsOnAccessToken && both.answer == nil && both.claims["sub"] == "1")
  }

  @Test(arguments: ["", "x", "bm90IG91cnM="])
  func `ignores pending tokens of others`(token: String) throws {
    #expect(try credential(Self.form("google.com"), pending: token).providerId == "google.com")
  }

  @Test(
    arguments: [
      ("google.com", Self.claims, nil, "a@b.c", false),
      ("google.com", #"{"sub":"1","email":"a@b.c","email_verified":true}"#, nil, "a@b.c", true),
      ("google.com", #"{"sub":"1","email":""}"#, nil, nil, false),
      // A name that is an address is the address, as it was written, and verified.
      ("saml.x", Self.claims, "N@b.c", "N@b.c", true),
      ("saml.x", Self.claims, "name", "a@b.c", true),
    ] as [(String, String, String?, String?, Bool)])
  func `makes a profile`(
    provider: String, claims: String, name: String?, email: String?, isVerified: Bool
  ) throws {
    var body = "providerId=\(provider)&id_token=\(PercentCoding.encodeForm(claims))"
    if let name {
      let response = #"{"assertion":{"subject":{"nameId":"\#(name)"}}}"#
      body += "&SAMLResponse=\(PercentCoding.encodeForm(response))"
    }
    let profile = try IdpProfile(try credential(body))
    #expect(profile.email == email && profile.isEmailVerified == isVerified)
    #expect(profile.rawId == "1" && profile.accountEmail?.text == email?.lowercased())
  }
}

import HearthAppCheck
import HearthCrypto
import HearthErrors
import HearthOperations
import HearthTestSupport
import HearthWire
import Testing

/// Whatever is sent, the answer is one of the API, and never an internal error.
@Suite struct `Requests of App Check that nobody expects` {
  private static let values: [JSON] = [
    .null, true, 1, .double(1.5), "", "x", "-1s", "1e999s", "nans", "3600s", [], ["x"], [:],
    ["a": [:]],
    .string(String(repeating: "a", count: 20_000)), "ENFORCED", "\u{0}",
    "eyJhbGciOiJSUzI1NiJ9.e30.",
  ]
  private static let fields = [
    "debugToken", "customToken", "limitedUse", "jti", "displayName", "token", "tokenTtl",
    "minValidScore", "siteSecret", "enforcementMode", "replayProtection", "etag", "requests",
    "targetResource", "appCheckToken", "appId", "lifetime", "recaptchaV3Token", "challenge",
  ]

  @Test func `are refused in the API's words`() async throws {
    let project = try TestProject(AppCheckSchema.migrations)
    var random = SplitMix(seed: 1)
    for route in AppCheckRoutes.all {
      guard case .operation(let operation) = route.action else { continue }
      for _ in 1...40 {
        var body = JSONObject()
        for _ in 0..<Int.random(in: 0...4, using: &random) {
          guard let field = Self.fields.randomElement(using: &random),
            let value = Self.values.randomElement(using: &random)
          else { continue }
          body[field] = value
        }
        let path = [
          "app": ["1:1:web:1", "", "-", "a b", "x/y"].randomElement(using: &random) ?? "",
          "config": ["recaptchaV3Config", "none"].randomElement(using: &random) ?? "",
          "service": ["oauth2.googleapis.com", "identitytoolkit.googleapis.com", "x"]
            .randomElement(using: &random) ?? "",
          "debugToken": "x", "policy": "x",
        ]
        let query = FormFields(parsing: "updateMask=displayName,tokenTtl.x,name&names=a/b/c/d/e")
        let request = WireRequest(body: body, query: query, path: path)
        do {
          _ = try await project.perform(operation, request: request, as: .admin)
        } catch let error as APIError {
          #expect(error.code != .internalError, "\(route.id) \(JSON.object(body).text.prefix(300))")
        }
      }
    }
  }
}

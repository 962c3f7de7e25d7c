import Foundation
import HearthClient
import HearthTestSupport
import HearthWire
import Testing

@Suite struct `App Check in a test` {
  private static let app = "1:448618578101:ios:cc6c1dc7a65cc83c"

  @Test func `has tokens for apps`() async throws {
    try await Flow.open { flow in
      let hearth = flow.hearth.isolatedProject()
      let token = try await hearth.appCheckToken(for: Self.app)
      let claims = try #require(Claims(token))
      #expect(claims.sub == Self.app && claims.jti == nil)
      #expect(claims.exp - claims.iat == 3600)
      #expect(claims.aud.contains("projects/\(hearth.project)"))
      let once = try #require(
        Claims(try await hearth.appCheckToken(for: Self.app, limitedUse: true)))
      #expect(once.jti != nil && once.exp - once.iat == 300)
      let short = try #require(Claims(try await hearth.appCheckToken(for: Self.app, lifetime: 5)))
      #expect(short.exp - short.iat == 5)
      await #expect(throws: HearthError.self) {
        try await hearth.appCheckToken(for: Self.app, lifetime: 0)
      }
    }
  }

  @Test func `has a report`() async throws {
    try await Flow.open { flow in
      let hearth = flow.hearth.isolatedProject()
      #expect(try await hearth.appCheckReport().calls.isEmpty)
      try await hearth.setAppCheck(auth: .monitor)
      _ = try await hearth.signUp(email: "ann@example.com", password: "secret1")
      let report = try await hearth.appCheckReport()
      #expect((report.verified, report.unverified, report.refused) == (0, 1, 0))
      let call = try #require(report.calls.first)
      #expect(call.operation == "identitytoolkit.accounts.signUp" && call.verdict == "missing")
      #expect(call.outdatedClient + call.unknownOrigin == 1)
      try await hearth.setAppCheck(auth: .enforce)
      await #expect(throws: HearthError.self) {
        try await hearth.signUp(email: "bob@example.com", password: "secret1")
      }
      #expect(try await hearth.appCheckReport().refused == 1)
    }
  }
}

/// What a token says. Who signed it, other tests look at.
private struct Claims: Decodable {
  let sub: String
  let aud: [String]
  let iat: Int
  let exp: Int
  let jti: String?

  init?(_ token: String) {
    let parts = token.split(separator: ".")
    guard parts.count == 3, let bytes = Base64.decode(String(parts[1])),
      let claims = try? JSONDecoder().decode(Claims.self, from: Data(bytes))
    else { return nil }
    self = claims
  }
}

import HearthOperations
import HearthServer
import HearthSettings
import HearthTestSupport
import HearthWire
import Testing

@Suite struct `An update of the configuration` {
  private static let domains: JSON = ["authorizedDomains": ["a.example"]]

  @Test(arguments: [false, true])
  func `has one policy for the regions of text messages`(isProduction: Bool) async throws {
    try await TestServer.open({ $0.profile = isProduction ? .production : .emulator }) { server in
      let only = try await server.adminV2(
        "PATCH", path: "/config?updateMask=smsRegionConfig.allowlistOnly.allowedRegions",
        body: ["smsRegionConfig": ["allowlistOnly": ["allowedRegions": ["DE"]]]])
      #expect(only["smsRegionConfig"] == ["allowlistOnly": ["allowedRegions": ["DE"]]])
      let most = try await server.adminV2(
        "PATCH", path: "/config?updateMask=smsRegionConfig.allowByDefault.disallowedRegions",
        body: ["smsRegionConfig": ["allowByDefault": ["disallowedRegions": ["FR"]]]])
      let expected: JSON = ["allowByDefault": ["disallowedRegions": ["FR"]]]
      #expect(most["smsRegionConfig"] == expected, "\(most.text)")
      // An update of something else leaves it.
      let other = try await server.adminV2(
        "PATCH", path: "/config?updateMask=authorizedDomains", body: Self.domains)
      #expect(other["smsRegionConfig"] == expected)
      let both = try await server.adminV2(
        "PATCH", path: "/config?updateMask=smsRegionConfig",
        body: ["smsRegionConfig": ["allowByDefault": [:], "allowlistOnly": [:]]])
      #expect(both.status == 400)
      #expect(both.message?.contains("oneof field 'sms_region_policy' is already set") == true)
    }
  }

  @Test(
    arguments: [false, true],
    ["sign_in.allow_duplicate_emails", "signIn.allowDuplicateEmails", "sign_in"])
  func `may have a mask in snake case`(isProduction: Bool, mask: String) async throws {
    try await TestServer.open({ $0.profile = isProduction ? .production : .emulator }) { server in
      let reply = try await server.adminV2(
        "PATCH", path: "/config?updateMask=\(mask)",
        body: ["signIn": ["allowDuplicateEmails": true]])
      #expect(reply["signIn"]?["allowDuplicateEmails"] == true, "\(reply.text)")
    }
  }

  @Test func `may have a mask in snake case for tenants and providers`() async throws {
    try await TestServer.open { server in
      let made = try await server.adminV2("POST", path: "/tenants", body: ["displayName": "one"])
      let id = made["tenantId"]?.string ?? ""
      let tenant = try await server.adminV2(
        "PATCH", path: "/tenants/\(id)?updateMask=allow_password_signup",
        body: ["allowPasswordSignup": true])
      #expect(tenant["allowPasswordSignup"] == true && tenant["displayName"] == "one")
      _ = try await server.adminV2(
        "POST", path: "/oauthIdpConfigs?oauthIdpConfigId=oidc.a",
        body: ["clientId": "c", "issuer": "https://idp.example.com"])
      let provider = try await server.adminV2(
        "PATCH", path: "/oauthIdpConfigs/oidc.a?updateMask=client_id", body: ["clientId": "d"])
      #expect(provider["clientId"] == "d" && provider["issuer"] == "https://idp.example.com")
    }
  }

  @Test func `names numbers as they are`() async throws {
    try await TestServer.open { server in
      let reply = try await server.adminV2(
        "PATCH", path: "/config?updateMask=signIn.phoneNumber.testPhoneNumbers.%2B15555550100",
        body: ["signIn": ["phoneNumber": ["testPhoneNumbers": ["+15555550100": "123456"]]]])
      #expect(
        reply["signIn"]?["phoneNumber"]?["testPhoneNumbers"] == ["+15555550100": "123456"],
        "\(reply.text)")
    }
  }
}

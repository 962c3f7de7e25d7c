import HearthCrypto
import HearthOperations
import HearthTime
import HearthWire

/// What Microsoft's access tokens say: which API they are for, and whom they let in.
/// https://learn.microsoft.com/entra/identity-platform/access-token-claims-reference
struct MicrosoftAccessToken {
  /// The id of Microsoft Graph, for which a token is whose scope names no other API.
  static let graph = "00000003-0000-0000-c000-000000000000"
  /// Scopes that are not a permission of an API.
  private static let plain: Set<String> = ["offline_access"]

  /// Who the token is for.
  let audience: String
  /// What it permits.
  let permissions: [String]

  init(scope: String) {
    let scopes = scope.split(separator: " ").map(String.init)
    let resource = scopes.lazy.compactMap(Self.resource).first
    let audience = resource.map(Self.audience) ?? Self.graph
    self.audience = audience
    permissions = scopes.filter { !Self.plain.contains($0) }.compactMap { scope in
      guard let named = Self.resource(of: scope) else {
        return audience == Self.graph ? scope : nil
      }
      let permission = String(scope.dropFirst(named.utf8.count + 1))
      return named == resource && permission != ".default" ? permission : nil
    }
  }

  /// The API before the last part of `api://ID/read`, of `https://host/path/read` or of `ID/.default`.
  private static func resource(of scope: String) -> String? {
    guard let mark = scope.lastIndex(of: "/"), scope[..<mark].last != "/", mark != scope.startIndex
    else { return nil }
    return String(scope[..<mark])
  }

  private static func audience(of resource: String) -> String {
    if resource == "https://graph.microsoft.com" { return graph }
    return resource.hasPrefix("api://") ? String(resource.dropFirst("api://".count)) : resource
  }

  /// Beyond those that all tokens have. Nobody stands for a client that acts for itself.
  func claims(of grant: Grant, persona: Persona?, _ call: ProviderCall) -> JSONObject {
    let now = call.context.now.seconds
    let isProven =
      call["client_secret"] != nil || call["client_assertion"] != nil
      || call.context.authorization?.lowercased().hasPrefix("basic ") == true
    var claims = JSONObject([
      "nbf": .int(now), "azp": .string(grant.client), "azpacr": isProven ? "1" : "0",
      "uti": .string(call.context.random.base64URL(22)), "ver": "2.0",
    ])
    guard let persona else {
      let id = Self.objectId(of: grant.client)
      claims.merge(
        JSONObject([
          "idtyp": "app", "oid": .string(id), "sub": .string(id),
          "tid": .string(call.addresses.ownTenant),
        ]))
      return claims
    }
    claims.merge(
      JSONObject([
        "name": .string(persona.displayName),
        "preferred_username": .string(persona.email ?? persona.id),
        "oid": .string(persona.uuid(for: "microsoft")),
        "tid": .string(persona.tenant ?? Personality.personalTenant),
        "scp": permissions.isEmpty ? nil : .string(permissions.joined(separator: " ")),
        "sub": .string(persona.ownSubject ?? call.personality.subject(persona, audience)),
        "groups": persona.groups.isEmpty ? nil : .strings(persona.groups),
      ]))
    claims.merge(persona.claims)
    return claims
  }

  /// What a directory knows a client by.
  private static func objectId(of client: String) -> String {
    let digest = Digest.sha256.hash(Array("microsoft client\n\(client)".utf8))
    let text = Array(String(decoding: digest.hexDigits, as: UTF8.self))
    return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(text[$0]) }
      .joined(separator: "-")
  }
}

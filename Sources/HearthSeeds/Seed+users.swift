package import HearthOperations
import HearthWire

/// Tenants and users of a seed, as the importer takes them.
extension Seed {
  private enum Kind {
    case flag, text, object
  }

  private static let tenantMembers: KeyValuePairs<String, Kind> = [
    "displayName": .text, "allowPasswordSignup": .flag, "disableAuth": .flag,
    "enableAnonymousUser": .flag, "enableEmailLinkSignin": .flag, "mfaConfig": .object,
    "passwordPolicyConfig": .object, "emailPrivacyConfig": .object, "smsRegionConfig": .object,
    "testPhoneNumbers": .object, "clientPermissionConfig": .object, "inheritance": .object,
    "monitoring": .object, "recaptchaConfig": .object, "hashConfig": .object,
  ]

  package static func tenant(
    _ id: String, node: SeedNode, of project: String
  ) throws(SeedFault) -> TenantSettings {
    guard !id.isEmpty, !id.contains("/") else { throw node.fault("is not the id of a tenant") }
    var tenant = TenantSettings.implicit(id, of: project)
    for (name, member) in try node.members(tenantMembers.map(\.key)) {
      switch tenantMembers.first(where: { $0.key == name })?.value {
      case .flag?: _ = try member.flag()
      case .text?: _ = try member.text()
      case .object?, nil: _ = try member.members()
      }
      tenant.record[name] = member.json
    }
    return tenant
  }

  private static let userMembers = [
    "uid", "tenant", "email", "emailVerified", "password", "passwordHash", "salt", "displayName",
    "photoURL", "phoneNumber", "disabled", "claims", "factors", "providers",
  ]

  mutating func readUser(_ node: SeedNode) throws(SeedFault) {
    var record = JSONObject()
    var tenant: String?
    for (name, member) in try node.members(Self.userMembers) {
      switch name {
      case "uid": record["localId"] = .string(try member.someText())
      case "tenant": tenant = try member.someText()
      case "email", "displayName", "phoneNumber", "passwordHash", "salt":
        record[name] = .string(try member.text())
      case "photoURL": record["photoUrl"] = .string(try member.text())
      case "password": record["rawPassword"] = .string(try member.text())
      case "emailVerified", "disabled": record[name] = .bool(try member.flag())
      case "claims":
        _ = try member.members()
        record["customAttributes"] = .string(member.json.text)
      case "factors":
        record["mfaInfo"] = .array(
          try member.elements().map { (factor) throws(SeedFault) in try Self.factor(factor) })
      default:
        record["providerUserInfo"] = .array(
          try member.elements().map { (entry) throws(SeedFault) in try Self.provider(entry) })
      }
    }
    guard record["localId"] != nil else { throw node.fault("lacks a uid") }
    users.append((tenant, .object(record), node))
  }

  private static func factor(_ node: SeedNode) throws(SeedFault) -> JSON {
    try renamed(
      node, names: ["phone": "phoneInfo", "name": "displayName", "uid": "mfaEnrollmentId"])
  }

  private static func provider(_ node: SeedNode) throws(SeedFault) -> JSON {
    try renamed(
      node,
      names: [
        "provider": "providerId", "uid": "rawId", "email": "email", "displayName": "displayName",
        "photoURL": "photoUrl",
      ])
  }

  private static func renamed(
    _ node: SeedNode, names: KeyValuePairs<String, String>
  ) throws(SeedFault) -> JSON {
    var object = JSONObject()
    for (name, member) in try node.members(names.map(\.key)) {
      object[names.first { $0.key == name }?.value ?? name] = .string(try member.text())
    }
    return .object(object)
  }
}

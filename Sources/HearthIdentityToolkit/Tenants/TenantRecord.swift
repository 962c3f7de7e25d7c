import HearthCrypto
package import HearthErrors
import HearthOperations
import HearthSQLite
import HearthTime
import HearthWire

/// Tenants as production makes, keeps and shows them.
enum TenantRecord {
  private static let suffixLength = 5

  /// Members that production keeps and does not show.
  private static let hidden: Set<String> = ["tenantId", "autodeleteAnonymousUsers", "hashConfig"]

  /// A new id: the name, and something that nobody can guess.
  static func newId(_ displayName: String, context: Context) -> String {
    displayName + "-" + context.random.alphanumeric(suffixLength).lowercased()
  }

  /// Checks the name and returns it.
  static func checkedName(_ body: JSONObject) throws(APIError) -> String {
    guard let name = body["displayName"]?.string.nonEmpty else {
      throw APIError(.missingDisplayName, detail: "Missing tenant with valid display_name.")
    }
    let isPlain = name.utf8.allSatisfy { $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "-") }
    guard isPlain, (4...20).contains(name.utf8.count), name.first?.isLetter == true else {
      throw APIError(
        .invalidDisplayName,
        detail:
          "display_name should start with a letter and only consist of letters, digits and hyphens "
          + "with 4-20 characters.")
    }
    return name
  }

  /// What is stored of a tenant: all that was asked for.
  static func record(
    _ body: JSONObject, tenantId: String, of projectId: String, context: Context
  ) -> JSONObject {
    var record = body
    record["name"] = .string("projects/\(projectId)/tenants/\(tenantId)")
    record["tenantId"] = .string(tenantId)
    if let policy = body["passwordPolicyConfig"]?.object {
      record["passwordPolicyConfig"] = .object(stamped(policy, context: context))
    }
    return record
  }

  /// A password policy with its version and the time of its last change.
  static func stamped(_ policy: JSONObject, context: Context) -> JSONObject {
    var policy = policy
    let versions = (policy["passwordPolicyVersions"]?.array ?? []).map { version in
      guard var version = version.object else { return version }
      version["schemaVersion"] = 1
      return .object(version)
    }
    if !versions.isEmpty { policy["passwordPolicyVersions"] = .array(versions) }
    policy["lastUpdateTime"] = .string(context.now.iso8601)
    return policy
  }

  /// The tenant in an answer: under the project's number, without what is off or empty.
  static func shown(_ tenant: TenantSettings, withHash: Bool) -> JSONObject {
    var shown = JSONObject([
      "name": .string("projects/\(Token.projectNumber)/tenants/\(tenant.tenantId)")
    ])
    for (name, value) in tenant.record.members where name != "name" && !hidden.contains(name) {
      if let value = value.withoutDefaults { shown[name] = value }
    }
    if withHash { shown["hashConfig"] = hashConfig }
    if shown["inheritance"] == nil { shown["inheritance"] = [:] }
    return shown
  }

  /// How production says that it hashes passwords. The keys are nobody's.
  static let hashConfig: JSON = [
    "algorithm": "SCRYPT", "signerKey": "aGVhcnRo", "saltSeparator": "Bw==", "rounds": 8,
    "memoryCost": 14,
  ]
}

extension JSON {
  /// The value as protocol buffers write it: members that are false, zero or empty are left out, and
  /// messages stay, also empty ones. Nil where nothing is left.
  var withoutDefaults: JSON? {
    switch self {
    case .null, .bool(false), .int(0), .string(""): nil
    case .double(let number) where number == 0: nil
    case .array(let elements):
      elements.isEmpty ? nil : .array(elements.map { $0.withoutDefaults ?? $0 })
    case .object(let object):
      .object(
        JSONObject(
          members: object.members.compactMap { name, value in
            value.withoutDefaults.map { (name, $0) }
          }))
    case .bool, .int, .double, .string: self
    }
  }
}

/// The tenants of a project.
package struct Tenants: ProjectSubject {
  let project: ProjectTransaction

  init(in project: ProjectTransaction) { self.project = project }
}

extension Tenants {
  /// The tenant that an administrator names.
  ///
  /// - Throws: in production's words, where there is none.
  func known() throws(APIError) -> TenantSettings? {
    guard let tenantId else { return try tenant() }
    switch try answers {
    case .emulator: return try tenant()
    case .production:
      // Deleted or never there: to who manages tenants both are the same.
      guard let known = try TenantSettings.load(tenantId, of: projectId, in: transaction) else {
        throw APIError(.tenantMissing)
      }
      return known
    }
  }

  /// Drops the tenant and all that is its own.
  package func delete() throws(APIError) {
    try Accounts(in: project).deleteAllUsers()
    switch try answers {
    case .emulator: break
    case .production: try TenantSettings.noteDeletion(of: tenantKey, projectId, in: transaction)
    }
    for table in ["oob_codes", "verification_codes", "totp_sessions", "idp_configs", "tenants"] {
      try transaction.execute(
        "DELETE FROM \(table) WHERE project = ? AND tenant = ?", arguments: [projectId, tenantKey])
    }
  }
}

extension FieldMask {
  /// The stored object with the masked members taken from the update, or taken away where the update
  /// has none, as production does.
  /// `cleared` is stored of a member that is taken away.
  func replace(
    in stored: JSONObject, from update: JSONObject, cleared: JSON? = nil
  ) -> JSONObject {
    var result = stored
    for path in paths { Self.replace(path[...], in: &result, from: update, cleared: cleared) }
    return result
  }

  private static func replace(
    _ path: ArraySlice<String>, in stored: inout JSONObject, from update: JSONObject?,
    cleared: JSON?
  ) {
    guard let first = path.first else { return }
    let name = CamelCase.convert(first)
    guard path.count > 1 else {
      stored[name] = update?[name] ?? cleared
      return
    }
    var level = stored[name]?.object ?? JSONObject()
    replace(path.dropFirst(), in: &level, from: update?[name]?.object, cleared: cleared)
    stored[name] = .object(level)
  }
}

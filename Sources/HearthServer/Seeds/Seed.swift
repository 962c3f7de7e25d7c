import HearthErrors
import HearthExports
import HearthFirestore
import HearthFirestoreProtos
import HearthOperations
import HearthWire

/// What a seed file says, checked.
struct Seed {
  var users: [(tenant: String?, record: JSON, node: SeedNode)] = []
  var tenants: [TenantSettings] = []
  var documents: [(path: ResourcePath, fields: Fields, node: SeedNode)] = []
  var rules: SeedNode?
  var switches: SeedNode?
  var faults: SeedNode?
  var clock: SeedNode?

  static let members = [
    "$schema", "tenants", "users", "documents", "databases", "rules", "switches", "faults", "clock",
  ]

  init(_ root: SeedNode, project: String) throws(SeedFault) {
    for (name, node) in try root.members(Self.members) {
      switch name {
      case "tenants":
        for (id, tenant) in try node.members() { try readTenant(id, tenant, project) }
      case "users":
        for user in try node.elements() { try readUser(user) }
      case "documents":
        try readDocuments(node, DatabaseName(project: project, database: "(default)"))
      case "databases":
        for (id, database) in try node.members() {
          try readDocuments(database, DatabaseName(project: project, database: id))
        }
      case "rules":
        _ = try node.text()
        rules = node
      case "switches": switches = node
      case "faults": faults = node
      case "clock": clock = node
      default: break
      }
    }
  }

  private mutating func readTenant(
    _ id: String, _ node: SeedNode, _ project: String
  ) throws(SeedFault) {
    var tenant = TenantSettings.implicit(id, of: project)
    for (name, member) in try node.members() { tenant.record[name] = member.json }
    tenant.record["tenantId"] = .string(id)
    tenants.append(tenant)
  }

  private mutating func readDocuments(
    _ node: SeedNode, _ database: DatabaseName
  ) throws(SeedFault) {
    for (path, document) in try node.members() {
      let segments = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
      let place = ResourcePath(database, segments)
      guard place.isDocument else {
        throw document.fault("is not the path of a document, such as users/ada")
      }
      documents.append((place, try SeedValues.fields(document, in: database), document))
    }
  }

  // MARK: Users

  private static let userMembers = [
    "uid", "tenant", "email", "emailVerified", "password", "passwordHash", "salt", "displayName",
    "photoURL",
    "phoneNumber", "disabled", "claims", "factors", "providers",
  ]

  private mutating func readUser(_ node: SeedNode) throws(SeedFault) {
    var record = JSONObject()
    var tenant: String?
    for (name, member) in try node.members(Self.userMembers) {
      switch name {
      case "uid": record["localId"] = .string(try member.text())
      case "tenant": tenant = try member.text()
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
    try renamed(node, ["phone": "phoneInfo", "name": "displayName", "uid": "mfaEnrollmentId"])
  }

  private static func provider(_ node: SeedNode) throws(SeedFault) -> JSON {
    try renamed(
      node,
      [
        "provider": "providerId", "uid": "rawId", "email": "email", "displayName": "displayName",
        "photoURL": "photoUrl",
      ])
  }

  private static func renamed(
    _ node: SeedNode, _ names: KeyValuePairs<String, String>
  ) throws(SeedFault) -> JSON {
    var object = JSONObject()
    for (name, member) in try node.members(names.map(\.key)) {
      object[names.first { $0.key == name }?.value ?? name] = .string(try member.text())
    }
    return .object(object)
  }
}

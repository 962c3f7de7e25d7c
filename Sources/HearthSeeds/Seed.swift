import HearthErrors
import HearthExports
import HearthFirestore
import HearthFirestoreProtos
import HearthIdentityProviders
import HearthOperations
import HearthWire

/// What a seed file says, checked.
package struct Seed {
  var users: [(tenant: String?, record: JSON, node: SeedNode)] = []
  var tenants: [TenantSettings] = []
  var documents: [(path: ResourcePath, fields: Fields, node: SeedNode)] = []
  var rules: SeedNode?
  var switches: SeedNode?
  var faults: SeedNode?
  var clock: SeedNode?
  var personas: [(persona: Persona, node: SeedNode)] = []
  var texts: SeedNode?
  /// What App Check does, by the names of the switches.
  var appCheck: [(switch: String, node: SeedNode)] = []
  var debugTokens: [(app: String, node: SeedNode)] = []

  private static let members = [
    "$schema", "tenants", "users", "documents", "databases", "rules", "switches", "faults", "clock",
    "personas", "texts", "appCheck",
  ]

  init(_ root: SeedNode, project: String) throws(SeedFault) {
    for (name, node) in try root.members(Self.members) {
      switch name {
      case "tenants":
        for (id, tenant) in try node.members() {
          tenants.append(try Self.tenant(id, node: tenant, of: project))
        }
      case "users":
        for user in try node.elements() { try readUser(user) }
      case "documents":
        try readDocuments(node, database: DatabaseName(project: project, database: "(default)"))
      case "databases":
        for (id, database) in try node.members() {
          guard DatabaseName.isValid(id) else {
            throw database.fault("is not the id of a database: a-z, 0-9 and dashes")
          }
          try readDocuments(database, database: DatabaseName(project: project, database: id))
        }
      case "rules":
        _ = try node.text()
        rules = node
      case "switches":
        _ = try node.members()
        switches = node
      case "faults":
        _ = try node.elements()
        faults = node
      case "clock":
        _ = try node.members()
        clock = node
      case "texts":
        _ = try node.members()
        texts = node
      case "appCheck": try readAppCheck(node)
      case "personas":
        for (name, person) in try node.members() {
          _ = try person.members()
          do throws(APIError) {
            personas.append((try Persona(name, record: person.json.object ?? JSONObject()), person))
          } catch {
            throw person.fault(error.message)
          }
        }
      default: break
      }
    }
  }

  private mutating func readDocuments(
    _ node: SeedNode, database: DatabaseName
  ) throws(SeedFault) {
    for (path, document) in try node.members() {
      let segments = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
      let place = ResourcePath(database, segments: segments)
      guard place.isDocument else {
        throw document.fault("is not the path of a document, such as users/ada")
      }
      documents.append((place, try SeedValues.fields(document, in: database), document))
    }
  }
}

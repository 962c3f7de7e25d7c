import HearthErrors
import HearthFirestore
import HearthIdentityProviders
import HearthIdentityToolkit
package import HearthObservation
import HearthOperations
import HearthSQLite
import HearthTime
package import HearthWire

/// Writes a project as a seed. What has its own file is left out: the rules.
package struct SeedDump {
  /// A seed is read by people; larger projects have exports.
  private static let mostUsers = 5000
  private static let mostDocuments = 10_000

  package let exports: Exports
  package let faults: Faults
  package let project: String

  package init(exports: Exports, faults: Faults, project: String) {
    self.exports = exports
    self.faults = faults
    self.project = project
  }

  package func json() throws -> JSON {
    let accounts = try AccountExport(exports.store, server: exports.server, projectId: project)
      .dump(limit: Self.mostUsers)
    guard let accounts else { throw tooMany("\(Self.mostUsers) users") }
    var members = JSONObject()
    add(
      "tenants",
      object: JSONObject(
        members: accounts.tenants.map { tenant in
          var record = tenant.record
          record["name"] = nil
          record["tenantId"] = nil
          return (tenant.tenantId, .object(record))
        }), to: &members)
    if !accounts.users.isEmpty {
      members["users"] = .array(accounts.users.map { Self.user($0.record, tenant: $0.tenant) })
    }
    var databases = try documents()
    add("documents", object: databases["(default)"]?.object ?? JSONObject(), to: &members)
    databases["(default)"] = nil
    add("databases", object: databases, to: &members)
    add("switches", object: accounts.switches, to: &members)
    add("personas", object: try personas(), to: &members)
    addFaultsAndClock(to: &members)
    return .object(members)
  }

  /// Those that somebody has put there, and not those who are made up.
  private func personas() throws -> JSONObject {
    let kept = try exports.store.transaction { transaction throws(APIError) in
      try Personas(
        in: ProjectTransaction(
          transaction, projectId: project, tenantId: nil, server: exports.server)
      ).kept()
    }
    return JSONObject(members: kept.map { ($0.id, .object($0.record)) })
  }

  private func tooMany(_ words: String) -> APIError {
    APIError(.failedPrecondition, detail: "there are more than \(words): write an export instead")
  }

  private func add(_ name: String, object: JSONObject, to members: inout JSONObject) {
    if !object.isEmpty { members[name] = .object(object) }
  }

  /// The documents of each database, by path.
  private func documents() throws -> JSONObject {
    var databases: [String: JSONObject] = [:]
    var count = 0
    try exports.firestore.scan(project, database: nil) {
      databases = [:]
      count = 0
    } visit: { page in
      count += page.count
      guard count <= Self.mostDocuments else { throw tooMany("\(Self.mostDocuments) documents") }
      for document in page {
        let database = DatabaseName(project: project, database: document.database)
        databases[document.database, default: JSONObject()].append(
          document.segments.joined(separator: "/"),
          value: SeedValues.json(try document.fields(), in: database))
      }
    }
    return JSONObject(
      members: databases.sorted { $0.key < $1.key }.map { ($0.key, .object($0.value)) })
  }

  private static func user(_ record: JSON, tenant: String?) -> JSON {
    let attributes = record["customAttributes"]?.string.flatMap { try? JSON.parse($0) }
    return .members([
      "uid": record["localId"], "tenant": tenant.map(JSON.string), "email": record["email"],
      "emailVerified": record["emailVerified"], "password": record["rawPassword"],
      "passwordHash": record["passwordHash"], "salt": record["salt"],
      "displayName": record["displayName"], "photoURL": record["photoUrl"],
      "phoneNumber": record["phoneNumber"], "disabled": record["disabled"], "claims": attributes,
      "factors": list(
        record["mfaInfo"],
        names: ["phone": "phoneInfo", "name": "displayName", "uid": "mfaEnrollmentId"]),
      "providers": list(
        record["providerUserInfo"],
        names: [
          "provider": "providerId", "uid": "rawId", "email": "email",
          "displayName": "displayName", "photoURL": "photoUrl",
        ]),
    ])
  }

  /// Entries with other names; without those that follow from the account itself.
  private static func list(_ json: JSON?, names: KeyValuePairs<String, String>) -> JSON? {
    let entries = (json?.array ?? []).filter { entry in
      !["password", "phone"].contains(entry["providerId"]?.string ?? "")
        && entry["totpInfo"] == nil
    }
    guard !entries.isEmpty else { return nil }
    return .array(
      entries.map { entry in
        var object = JSONObject()
        for (name, known) in names {
          if let value = entry[known]?.string { object.append(name, value: .string(value)) }
        }
        return .object(object)
      })
  }

  private func addFaultsAndClock(to members: inout JSONObject) {
    let rules = (faults.rules(of: project)["faults"]?.array ?? []).map { fault in
      var object = fault.object ?? JSONObject()
      object["hits"] = nil
      object["remaining"] = nil
      return JSON.object(object)
    }
    if !rules.isEmpty { members["faults"] = .array(rules) }
    let setting = exports.server.clocks.setting(of: project)
    if let time = setting.stopped {
      members["clock"] = .members(["now": .string(time.iso8601), "frozen": true])
    } else if setting.offset != 0 {
      members["clock"] = .members([
        "now": .string(exports.server.clocks.now(of: project).iso8601)
      ])
    }
  }
}

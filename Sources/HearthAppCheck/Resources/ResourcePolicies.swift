import HearthCrypto
package import HearthErrors
package import HearthOperations
import HearthTime
import HearthWire

/// Policies for single resources of a service, such as one OAuth client. They are kept, and decide
/// nothing here: Hearth has no service with such resources.
/// https://firebase.google.com/docs/reference/appcheck/rest/v1beta/projects.services.resourcePolicies
private struct ResourcePolicies {
  /// Other services have no resources with policies of their own.
  private static let only = "oauth2.googleapis.com"

  let records: AppCheckRecords
  let service: String

  init(_ request: WireRequest, in project: ProjectTransaction) throws(APIError) {
    records = AppCheckRecords(in: project)
    service = try ProtectedService(request.path["service"] ?? "", in: project).id
    guard service == Self.only else {
      throw APIError(.invalidArgument, message: "Service not supported")
    }
  }

  func record(_ id: String) throws(APIError) -> JSONObject {
    guard let record = try records.record(.policy, named: "\(service)/\(id)") else {
      throw AppCheckAdmin.notFound(id)
    }
    return record
  }

  func save(_ record: JSONObject, as id: String, at now: Timestamp) throws(APIError) -> JSONObject {
    guard let target = record["targetResource"]?.string.nonEmpty else {
      throw APIError(.invalidArgument, message: "target_resource must not be empty.")
    }
    guard target.hasPrefix("//\(service)/"), target.utf8.count > service.utf8.count + 3 else {
      throw APIError(
        .invalidArgument, message: "target_resource must begin with //\(service)/.")
    }
    _ = try ProtectedService.mode(record["enforcementMode"])
    var record = record
    record["updateTime"] = .string(now.iso8601)
    try records.save(record, as: .policy, named: "\(service)/\(id)")
    return json(id, record: record)
  }

  func json(_ id: String, record: JSONObject) -> JSONObject {
    let name = "projects/\(records.projectId)/services/\(service)/resourcePolicies/\(id)"
    var shown = JSONObject(members: [("name", .string(name))] + record.members)
    shown["etag"] = .string(AppCheckAdmin.etag(shown))
    return shown
  }

  func update(
    _ id: String, with body: JSONObject, mask: String?, at now: Timestamp
  ) throws(APIError) -> JSONObject {
    let before = try record(id)
    try AppCheckAdmin.checkTag(body["etag"]?.string, of: json(id, record: before))
    let record = try AppCheckAdmin.update(before, with: body, mask: mask, allowing: policyFields)
    return try save(record, as: id, at: now)
  }
}

private let policyFields = ["targetResource", "enforcementMode"]

package enum CreateResourcePolicy: Operation {
  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try AppCheckAdmin.check(context)
    let policies = try ResourcePolicies(request, in: project)
    let record = try AppCheckAdmin.update(
      JSONObject(), with: request.body, mask: nil, allowing: policyFields)
    return .json(try policies.save(record, as: context.random.uuid(), at: context.now))
  }
}

package enum ListResourcePolicies: Operation {
  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try AppCheckAdmin.check(context)
    let policies = try ResourcePolicies(request, in: project)
    let all = try policies.records.records(.policy, below: policies.service).map {
      JSON.object(
        policies.json(String($0.name.dropFirst(policies.service.count + 1)), record: $0.record))
    }
    return .json(["resourcePolicies": all.isEmpty ? nil : .array(all)])
  }
}

package enum GetResourcePolicy: Operation {
  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try AppCheckAdmin.check(context)
    let policies = try ResourcePolicies(request, in: project)
    let id = request.path["policy"] ?? ""
    return .json(policies.json(id, record: try policies.record(id)))
  }
}

package enum UpdateResourcePolicy: Operation {
  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try AppCheckAdmin.check(context)
    let policies = try ResourcePolicies(request, in: project)
    let id = request.path["policy"] ?? ""
    return .json(
      try policies.update(
        id, with: request.body, mask: request.query["updateMask"], at: context.now))
  }
}

package enum BatchUpdateResourcePolicies: Operation {
  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try AppCheckAdmin.check(context)
    let policies = try ResourcePolicies(request, in: project)
    var updated: [JSON] = []
    for (body, mask) in try AppCheckAdmin.updates(request, of: "resourcePolicy") {
      let parts = try AppCheckAdmin.parts(
        of: body["name"]?.string ?? "", in: project.projectId,
        as: ["services", policies.service, "resourcePolicies", nil])
      let policy = try policies.update(parts[3], with: body, mask: mask, at: context.now)
      updated.append(.object(policy))
    }
    return .json(["resourcePolicies": updated.isEmpty ? nil : .array(updated)])
  }
}

package enum DeleteResourcePolicy: Operation {
  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try AppCheckAdmin.check(context)
    let policies = try ResourcePolicies(request, in: project)
    let id = request.path["policy"] ?? ""
    let record = try policies.record(id)
    try AppCheckAdmin.checkTag(request.query["etag"], of: policies.json(id, record: record))
    try policies.records.delete(.policy, named: "\(policies.service)/\(id)")
    return .json([:])
  }
}

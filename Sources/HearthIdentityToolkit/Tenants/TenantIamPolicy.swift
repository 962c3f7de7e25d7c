import HearthCrypto
import HearthErrors
import HearthOperations
import HearthSQLite
import HearthWire

/// Shows who may do what with a tenant. Nothing is enforced: every administrator may do everything.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v2/projects.tenants/getIamPolicy
enum GetTenantIamPolicy: Operation {
  static func run(
    _ request: NoFields, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    _ = try project.tenant()
    return .json(try Tenants(in: project).iamPolicy())
  }
}

/// Replaces the policy of a tenant.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v2/projects.tenants/setIamPolicy
enum SetTenantIamPolicy: Operation {
  struct Request: OperationRequest {
    let policy: JSONObject?

    init(_ wire: WireRequest) { policy = wire.object("policy") }
  }

  static func run(
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    _ = try project.tenant()
    guard var policy = request.policy else {
      throw APIError(.invalidArgument, detail: "policy is missing")
    }
    for binding in policy["bindings"]?.array ?? [] {
      guard (binding["role"]?.string).isGiven else {
        throw APIError(.invalidArgument, detail: "a binding has no role")
      }
    }
    let known = try Tenants(in: project).iamPolicy()
    // A caller that read an older policy must read again: it would overwrite another's change.
    if let etag = policy["etag"]?.string.nonEmpty, etag != known["etag"]?.string {
      throw APIError(.policyChanged)
    }
    policy["etag"] = nil
    try Tenants(in: project).save(iamPolicy: policy)
    return .json(try Tenants(in: project).iamPolicy())
  }
}

/// Tells which permissions the caller has: all of those asked for, as an administrator has.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v2/projects.tenants/testIamPermissions
enum TestTenantIamPermissions: Operation {
  struct Request: OperationRequest {
    let permissions: [String]

    init(_ wire: WireRequest) { permissions = wire.strings("permissions") ?? [] }
  }

  static func run(
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    _ = try project.tenant()
    let permissions = request.permissions
    for permission in permissions where permission.contains("*") {
      throw APIError(
        .invalidArgument, detail: "permissions with wildcards are not allowed: \(permission)")
    }
    return .json(["permissions": permissions.isEmpty ? nil : .strings(permissions)])
  }
}

extension Tenants {
  /// The policy with its etag, which changes with its content.
  fileprivate func iamPolicy() throws(APIError) -> JSONObject {
    var policy =
      try transaction.first(
        "SELECT policy FROM iam_policies WHERE project = ? AND tenant = ?",
        arguments: [projectId, tenantKey]
      ) { try JSON.parse($0[0] as String).object ?? JSONObject() } ?? JSONObject(["version": 1])
    let digest = Digest.sha256.hash(JSON.object(policy).bytes)
    policy["etag"] = .string(Base64.encode(Array(digest.prefix(9))))
    return policy
  }

  fileprivate func save(iamPolicy policy: JSONObject) throws(APIError) {
    try transaction.execute(
      "INSERT OR REPLACE INTO iam_policies (project, tenant, policy) VALUES (?, ?, ?)",
      arguments: [projectId, tenantKey, JSON.object(policy).text])
  }
}

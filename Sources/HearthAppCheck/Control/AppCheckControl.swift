package import HearthErrors
package import HearthOperations
import HearthTime
import HearthWire

/// What a project has of App Check, and the report, for tests and the console.
package enum GetAppCheck: Operation {
  package static func run(
    _ request: NoFields, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    let records = AppCheckRecords(in: project)
    let switches = try project.switches()
    let tokens = try records.records(.debugToken).map { name, record in
      let parts = name.split(separator: "/")
      return JSON.members([
        "app": parts.first.map { .string(String($0)) },
        "id": parts.last.map { .string(String($0)) },
        "displayName": record["displayName"],
      ])
    }
    return .json([
      "auth": .string(switches.appCheckAuth.rawValue),
      "firestore": .string(switches.appCheckFirestore.rawValue),
      "replay": .string(switches.appCheckReplay.rawValue),
      "attestation": .string(switches.appCheckAttestation.rawValue),
      "apps": .strings(try records.apps()),
      "debugTokens": .array(tokens),
      "report": project.server.appCheck.report.json(of: project.projectId),
    ])
  }
}

/// Begins a new report.
package enum ClearAppCheckReport: Operation {
  package static func run(
    _ request: NoFields, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    project.server.appCheck.report.clear(project.projectId)
    return .json([:])
  }
}

/// A token for a test: `{"appId", "limitedUse", "lifetime"}`, the last in seconds.
package enum CreateAppCheckToken: Operation {
  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    for name in request.body.keys where !["appId", "limitedUse", "lifetime"].contains(name) {
      throw APIError(.invalidArgument, detail: "unknown member '\(name.prefix(100))'")
    }
    let given = request.body["appId"] ?? "1:12345:web:hearth"
    let app = try AppID.check(given.string ?? "")
    var lifetime: Int64?
    if let given = request.body["lifetime"] {
      guard case .int(let seconds) = given, (1...AppCheckClaims.lifetimes.upperBound) ~= seconds
      else {
        throw APIError(
          .invalidArgument, detail: "/lifetime must be a number of seconds, up to 7 days")
      }
      lifetime = seconds
    }
    let claims = AppCheckClaims(
      of: app, lifetime: lifetime, isLimited: try request.flag("limitedUse"))
    return IssueAppCheckToken.outcome(claims, in: project) { $0.object ?? JSONObject() }
  }
}

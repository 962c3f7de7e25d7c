import HearthCrypto
package import HearthErrors
package import HearthOperations
package import HearthTime
package import HearthWire

/// Debug tokens of an app: secrets of debug builds.
/// https://firebase.google.com/docs/reference/appcheck/rest/v1/projects.apps.debugTokens
package struct DebugTokens {
  private static let longestName = 500

  let records: AppCheckRecords
  let app: String

  init(_ request: WireRequest, in project: ProjectTransaction) throws(APIError) {
    records = AppCheckRecords(in: project)
    app = try AppID.check(request)
  }

  private init(of app: String, in project: ProjectTransaction) throws(APIError) {
    records = AppCheckRecords(in: project)
    self.app = try AppID.check(app)
  }

  /// Registers what a seed names. A secret that is there already gets the name of the seed.
  package static func seed(
    _ body: JSONObject, of app: String, in project: ProjectTransaction, at now: Timestamp
  ) throws(APIError) {
    let tokens = try DebugTokens(of: app, in: project)
    let record = try tokens.checked(body, at: now)
    let secret = record["token"]?.string?.lowercased()
    let known = try tokens.records.records(.debugToken, below: app).first {
      $0.record["token"]?.string?.lowercased() == secret
    }
    let name = known?.name ?? "\(app)/\(Randomness().uuid())"
    try tokens.records.save(record, as: .debugToken, named: name)
  }

  func record(_ id: String) throws(APIError) -> JSONObject {
    guard let record = try records.record(.debugToken, named: "\(app)/\(id)") else {
      throw AppCheckAdmin.notFound(name(id))
    }
    return record
  }

  private func name(_ id: String) -> String {
    "projects/\(records.projectId)/apps/\(app)/debugTokens/\(id)"
  }

  func check(_ record: JSONObject) throws(APIError) {
    guard let name = record["displayName"]?.string.nonEmpty, name.utf8.count <= Self.longestName
    else { throw APIError(.invalidArgument, message: "display_name must not be empty.") }
  }

  /// A new record, of a body with a name and a secret.
  func checked(_ body: JSONObject, at now: Timestamp) throws(APIError) -> JSONObject {
    try check(body)
    guard let secret = body["token"]?.string.nonEmpty, Self.isUUID(secret) else {
      throw APIError(.invalidArgument, message: "token must be a UUID of version 4.")
    }
    return JSONObject([
      "displayName": body["displayName"], "token": .string(secret),
      "updateTime": .string(now.iso8601),
    ])
  }

  private static func isUUID(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    return parts.map(\.count) == [8, 4, 4, 4, 12] && parts[2].first == UInt8(ascii: "4")
      && parts.joined().allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
  }

  /// The secret is input only.
  func json(_ id: String, record: JSONObject) -> JSONObject {
    var shown = JSONObject(["name": .string(name(id))])
    for field in ["displayName", "updateTime"] { shown[field] = record[field] }
    return shown
  }
}

package enum CreateDebugToken: Operation {
  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try AppCheckAdmin.check(context)
    let tokens = try DebugTokens(request, in: project)
    let record = try tokens.checked(request.body, at: context.now)
    let id = context.random.uuid()
    try tokens.records.save(record, as: .debugToken, named: "\(tokens.app)/\(id)")
    return .json(tokens.json(id, record: record))
  }
}

package enum ListDebugTokens: Operation {
  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try AppCheckAdmin.check(context)
    let tokens = try DebugTokens(request, in: project)
    let all = try tokens.records.records(.debugToken, below: tokens.app).map { name, record in
      JSON.object(tokens.json(String(name.dropFirst(tokens.app.count + 1)), record: record))
    }
    return .json(["debugTokens": all.isEmpty ? nil : .array(all)])
  }
}

package enum GetDebugToken: Operation {
  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try AppCheckAdmin.check(context)
    let tokens = try DebugTokens(request, in: project)
    let id = request.path["debugToken"] ?? ""
    return .json(tokens.json(id, record: try tokens.record(id)))
  }
}

package enum UpdateDebugToken: Operation {
  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try AppCheckAdmin.check(context)
    let tokens = try DebugTokens(request, in: project)
    let id = request.path["debugToken"] ?? ""
    var record = try AppCheckAdmin.update(
      try tokens.record(id), with: request.body, mask: request.query["updateMask"],
      allowing: ["displayName"])
    try tokens.check(record)
    record["updateTime"] = .string(context.now.iso8601)
    try tokens.records.save(record, as: .debugToken, named: "\(tokens.app)/\(id)")
    return .json(tokens.json(id, record: record))
  }
}

package enum DeleteDebugToken: Operation {
  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try AppCheckAdmin.check(context)
    let tokens = try DebugTokens(request, in: project)
    let id = request.path["debugToken"] ?? ""
    _ = try tokens.record(id)
    try tokens.records.delete(.debugToken, named: "\(tokens.app)/\(id)")
    return .json([:])
  }
}

import HearthCrypto
package import HearthErrors
package import HearthOperations
import HearthSQLite
import HearthTime
import HearthWire

/// Makes an installation, as SDKs do before they register for messages.
/// https://firebase.google.com/docs/projects/manage-installations
package enum CreateInstallation: Operation {
  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    guard let app = request.string("appId"), !app.isEmpty else {
      throw APIError(
        .invalidArgument, message: "Request contains an invalid argument: appId is required.")
    }
    let installations = Installations(in: project)
    let given = request.string("fid") ?? ""
    // One that is taken is another app's, as far as anybody knows. SDKs take the id of the answer.
    let isFree =
      try TokenForm.isInstallation(given) ? installations.installation(given) == nil : false
    let installation = Installation(
      fid: isFree ? given : "c" + context.random.base64URL(21),
      refreshToken: "3_" + context.random.base64URL(60), app: app,
      sdk: request.string("sdkVersion") ?? "", createdAt: context.now)
    try installations.save(installation)
    return .json([
      "name": .string("projects/\(project.projectId)/installations/\(installation.fid)"),
      "fid": .string(installation.fid), "refreshToken": .string(installation.refreshToken),
      "authToken": .object(InstallationToken.json(installation.fid, app: app, at: context.now)),
    ])
  }
}

/// Renews the token that other services of Firebase take for the installation.
package enum GenerateInstallationToken: Operation {
  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    let fid = request.path["installation"] ?? ""
    let known = try Installations(in: project).authorized(fid, context: context)
    let app = known?.app ?? request.object("installation")?["appId"]?.string ?? ""
    return .json(InstallationToken.json(fid, app: app, at: context.now))
  }
}

/// Changes what is known of an installation.
package enum UpdateInstallation: Operation {
  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    let fid = request.path["installation"] ?? ""
    let installations = Installations(in: project)
    guard var installation = try installations.authorized(fid, context: context) else {
      throw .noInstallation
    }
    let fields = request.object("installation") ?? request.body
    installation.app = fields["appId"]?.string ?? installation.app
    installation.sdk = fields["sdkVersion"]?.string ?? installation.sdk
    try installations.save(installation)
    return .json([
      "name": .string("projects/\(project.projectId)/installations/\(fid)"),
      "fid": .string(fid), "appId": .string(installation.app),
      "sdkVersion": .string(installation.sdk),
    ])
  }
}

/// Ends an installation, and with it what it registered: sends to it fail from then on.
package enum DeleteInstallation: Operation {
  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    let fid = request.path["installation"] ?? ""
    let installations = Installations(in: project)
    _ = try installations.authorized(fid, context: context)
    try installations.end(fid, at: context.now)
    let devices = PushDevices(in: project)
    if var device = try devices.device(fid) {
      device.state = .unregistered
      device.topics = []
      try devices.save(device, at: context.now)
    }
    return .json([:])
  }
}

/// An app on a device, before it asks for messages.
struct Installation {
  let fid: String
  let refreshToken: String
  var app: String
  var sdk: String
  let createdAt: Timestamp
  var isDeleted = false
}

extension APIError {
  fileprivate static let noInstallation = APIError(
    .notFound, message: "Requested entity was not found.")
  static let noInstallationToken = APIError(
    .unauthenticated,
    message: "Request is missing required authentication credential. Expected a token of Firebase "
      + "Installations.")
}

/// The tokens that other services know an installation by. Nobody signs them.
enum InstallationToken {
  private static let life: Int64 = 604_800

  static func json(_ fid: String, app: String, at now: Timestamp) -> JSONObject {
    let header = JSON.members(["alg": "none", "typ": "JWT"])
    let claims = JSON.members([
      "appId": .string(app), "exp": .int(now.seconds + life), "fid": .string(fid),
    ])
    let token = "\(Base64.encodeURL(header.bytes)).\(Base64.encodeURL(claims.bytes))."
    return JSONObject(["token": .string(token), "expiresIn": .string("\(life)s")])
  }

  /// The installation of a token; nil for what is not such a token.
  static func installation(of token: String) -> String? {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[1].utf8.count <= 4_096,
      let bytes = Base64.decode(String(parts[1])),
      let fid = (try? JSON.parse(bytes))?["fid"]?.string, TokenForm.isInstallation(fid)
    else { return nil }
    return fid
  }
}

/// The installations of a project.
struct Installations: ProjectSubject {
  let project: ProjectTransaction

  init(in project: ProjectTransaction) { self.project = project }

  private static let most = 20_000
  private static let longest = 1_024

  func installation(_ fid: String) throws(APIError) -> Installation? {
    try transaction.first(
      """
      SELECT fid, refresh_token, app, sdk, created_at, deleted_at FROM push_installations
      WHERE project = ? AND fid = ?
      """,
      arguments: [projectId, fid]
    ) { row in
      let deletedAt: Int64? = row[5]
      return Installation(
        fid: row[0], refreshToken: row[1], app: row[2], sdk: row[3],
        createdAt: Timestamp(milliseconds: row[4]), isDeleted: deletedAt != nil)
    }
  }

  /// The installation, if the caller has its refresh token. Nil for one that this server does not
  /// know: an app may have kept it from an earlier one. Strict projects refuse it.
  func authorized(_ fid: String, context: Context) throws(APIError) -> Installation? {
    guard let known = try installation(fid) else {
      guard TokenForm.isInstallation(fid), try !project.switches().strictDevices else {
        throw .noInstallation
      }
      return nil
    }
    guard !known.isDeleted else { throw .noInstallation }
    guard ConstantTime.equal(context.authorization ?? "", "FIS_v2 \(known.refreshToken)") else {
      throw .noInstallationToken
    }
    return known
  }

  func save(_ installation: Installation) throws(APIError) {
    guard installation.app.utf8.count <= Self.longest, installation.sdk.utf8.count <= Self.longest
    else { throw APIError(.invalidArgument, message: "appId or sdkVersion is too long.") }
    try transaction.execute(
      """
      INSERT OR REPLACE INTO push_installations (project, fid, refresh_token, app, sdk, created_at)
      VALUES (?, ?, ?, ?, ?, ?)
      """,
      arguments: [
        projectId, installation.fid, installation.refreshToken, installation.app,
        installation.sdk, installation.createdAt.milliseconds,
      ])
    try transaction.execute(
      """
      DELETE FROM push_installations WHERE project = ? AND created_at < (
        SELECT created_at FROM push_installations WHERE project = ?
        ORDER BY created_at DESC LIMIT 1 OFFSET ?)
      """,
      arguments: [projectId, projectId, Self.most])
  }

  /// One that is not known is noted too, so that nothing reaches it.
  func end(_ fid: String, at now: Timestamp) throws(APIError) {
    if try installation(fid) == nil {
      try save(Installation(fid: fid, refreshToken: "", app: "", sdk: "", createdAt: now))
    }
    try transaction.execute(
      "UPDATE push_installations SET deleted_at = ? WHERE project = ? AND fid = ?",
      arguments: [now.milliseconds, projectId, fid])
  }
}

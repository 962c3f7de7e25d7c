package import HearthErrors
package import HearthOperations
import HearthTime
package import HearthWire

/// An exchange of what proves that an app is genuine for a token.
/// https://firebase.google.com/docs/reference/appcheck/rest/v1/projects.apps
///
/// Neither Apple's nor Google's servers are asked: the switch `appCheckAttestation` decides.
package protocol AttestationExchange: Operation where Request == WireRequest {
  /// The resource that registers the provider for an app; nil for debug tokens.
  static var config: String? { get }
  /// What the body has to hold. The first one is the attestation.
  static var fields: [String] { get }
  static func answer(_ token: JSON) -> JSONObject
}

extension AttestationExchange {
  package static func answer(_ token: JSON) -> JSONObject { token.object ?? JSONObject() }

  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    let app = try AppID.check(request)
    for field in fields where request.string(field).nonEmpty == nil {
      throw APIError(.invalidArgument, message: "\(field) must not be empty.")
    }
    let mode = try project.switches().appCheckAttestation
    switch mode {
    case .accept, .slow: break
    case .refuse: throw AttestationRefusal.failed
    case .quota: throw AttestationRefusal.quota
    case .registered: try checkRegistration(request, of: app, in: project)
    }
    let claims = AppCheckClaims(
      of: app, lifetime: try lifetime(of: app, in: project),
      isLimited: try request.flag("limitedUse"))
    return IssueAppCheckToken.outcome(claims, in: project, isSlow: mode == .slow) {
      answer($0)
    }
  }

  private static func checkRegistration(
    _ request: WireRequest, of app: String, in project: ProjectTransaction
  ) throws(APIError) {
    let records = AppCheckRecords(in: project)
    guard let config else {
      let secret = request.string(fields[0]) ?? ""
      guard try records.knows(debugSecret: secret, of: app) else {
        throw AttestationRefusal.failed
      }
      return
    }
    guard try records.record(.config, named: "\(app)/\(config)") != nil else {
      throw AttestationRefusal.notRegistered
    }
  }

  private static func lifetime(
    of app: String, in project: ProjectTransaction
  ) throws(APIError) -> Int64? {
    guard let config else { return nil }
    let record = try AppCheckRecords(in: project).record(.config, named: "\(app)/\(config)")
    return record?["tokenTtl"]?.string.flatMap(AppCheckClaims.seconds)
  }
}

/// How attestations are refused.
enum AttestationRefusal {
  static let failed = APIError(.permissionDenied, message: "App attestation failed.")
  static let notRegistered = APIError(.invalidArgument, message: "App not registered")
  static let quota = APIError(.resourceExhausted, message: "Too many attempts.")
}

/// The id of an app, as paths have it. An app exists when it is first named.
extension WireRequest {
  /// A boolean field; false where it is missing. Another type is refused: ignored, it would give a token
  /// that lives longer than the caller wants.
  func flag(_ name: String) throws(APIError) -> Bool {
    switch body[name] {
    case nil, .null?: return false
    case .bool(let value)?: return value
    case let value?:
      let text = "Invalid value at '\(name)' (TYPE_BOOL), \(value.text.prefix(200))"
      throw .invalidFields([(name, text)])
    }
  }
}

enum AppID {
  static func check(_ request: WireRequest) throws(APIError) -> String {
    try check(request.path["app"] ?? "")
  }

  static func check(_ app: String) throws(APIError) -> String {
    guard (1...200).contains(app.utf8.count), app != "-",
      app.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") })
    else {
      throw APIError(.invalidArgument, message: "Invalid app id.")
    }
    return app
  }
}

/// Signs a token when what it stands for was decided, outside of the transaction.
enum IssueAppCheckToken {
  /// What `slow` takes.
  private static let delay = Duration.seconds(5)

  static func outcome(
    _ claims: AppCheckClaims, in project: ProjectTransaction, isSlow: Bool = false,
    answer: @escaping @Sendable (JSON) -> JSONObject
  ) -> Outcome {
    let (server, projectId) = (project.server, project.projectId)
    return .away { () async throws(APIError) in
      if isSlow { await server.clock.wait(until: server.clock.now + delay) }
      // By the time of the answer, which clients count from.
      let now = server.clocks.now(of: projectId)
      let token = try await server.signAppCheck(claims.json(in: projectId, at: now))
      return { _, _ in
        .json(answer(.members(["token": .string(token), "ttl": .string(claims.ttl)])))
      }
    }
  }
}

package import HearthErrors
package import HearthOperations
import HearthTime
import HearthWire

/// Services that App Check protects. Those that Hearth has are the project's switches; of others it
/// keeps what was set.
/// https://firebase.google.com/docs/reference/appcheck/rest/v1beta/projects.services
struct ProtectedService {
  static let known = [
    "identitytoolkit", "firestore", "firebasedatabase", "firebasestorage", "firebaseml",
    "firebasedataconnect", "maps-backend", "places", "oauth2",
  ].map { $0 + ".googleapis.com" }

  /// The names of the API, and those of the switches.
  static let modes: [(String, Switches.Enforcement)] = [
    ("OFF", .off), ("UNENFORCED", .monitor), ("ENFORCED", .enforce),
  ]

  let id: String
  let project: ProjectTransaction

  init(_ id: String, in project: ProjectTransaction) throws(APIError) {
    guard Self.known.contains(id) else {
      throw APIError(.invalidArgument, message: "Service not supported")
    }
    self.id = id
    self.project = project
  }

  static func word(_ mode: Switches.Enforcement) -> String {
    modes.first { $0.1 == mode }?.0 ?? "OFF"
  }

  private static func rank(_ mode: Switches.Enforcement) -> Int {
    modes.firstIndex { $0.1 == mode } ?? 0
  }

  static func mode(_ value: JSON?) throws(APIError) -> Switches.Enforcement {
    guard let mode = modes.first(where: { $0.0 == value?.string })?.1 else {
      throw APIError(.invalidArgument, message: "Invalid enforcement mode.")
    }
    return mode
  }

  /// Whether anything was set.
  func json() throws(APIError) -> (json: JSONObject, isSet: Bool) {
    let record = try stored()
    let isSet = record != nil
    let values = record ?? JSONObject()
    var shown = JSONObject(["name": .string("projects/\(project.projectId)/services/\(id)")])
    shown["enforcementMode"] = values["enforcementMode"]
    shown["replayProtection"] = values["replayProtection"]
    shown["updateTime"] = values["updateTime"] ?? "1970-01-01T00:00:00Z"
    shown["etag"] = .string(AppCheckAdmin.etag(shown))
    return (shown, isSet)
  }

  private func stored() throws(APIError) -> JSONObject? {
    var record = try AppCheckRecords(in: project).record(.service, named: id)
    guard let service = AppCheckService(rawValue: id) else { return record }
    let switches = try project.switches()
    let mode = switches.enforcement(of: service)
    let replay = service == .auth ? switches.appCheckReplay : .off
    guard record != nil || mode != .off || replay != .off else { return nil }
    record = record ?? JSONObject()
    record?["enforcementMode"] = .string(Self.word(mode))
    if service == .auth { record?["replayProtection"] = .string(Self.word(replay)) }
    return record
  }

  func update(with body: JSONObject, mask: String?, at now: Timestamp) throws(APIError) {
    let before = try json().json
    try AppCheckAdmin.checkTag(body["etag"]?.string, of: before)
    var record = try AppCheckAdmin.update(
      before, with: body, mask: mask, allowing: ["enforcementMode", "replayProtection"])
    let mode = try Self.mode(record["enforcementMode"] ?? "OFF")
    let replay = try Self.mode(record["replayProtection"] ?? "OFF")
    guard Self.rank(replay) <= Self.rank(mode) else {
      throw APIError(
        .invalidArgument,
        message: "replay_protection cannot be set to a level higher than enforcement_mode.")
    }
    if let service = AppCheckService(rawValue: id) {
      guard service == .auth || replay == .off else {
        throw APIError(.invalidArgument, message: "Hearth has replay protection for Auth only.")
      }
      var settings = try project.settings()
      settings.switches.setEnforcement(mode, of: service)
      if service == .auth { settings.switches.appCheckReplay = replay }
      try project.save(settings)
    }
    record["name"] = nil
    record["etag"] = nil
    record["updateTime"] = .string(now.iso8601)
    try AppCheckRecords(in: project).save(record, as: .service, named: id)
  }
}

package enum ListServices: Operation {
  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try AppCheckAdmin.check(context)
    var services: [JSON] = []
    for id in ProtectedService.known {
      let (json, isSet) = try ProtectedService(id, in: project).json()
      if isSet { services.append(.object(json)) }
    }
    return .json(["services": services.isEmpty ? nil : .array(services)])
  }
}

package enum GetService: Operation {
  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try AppCheckAdmin.check(context)
    return .json(try ProtectedService(request.path["service"] ?? "", in: project).json().json)
  }
}

package enum UpdateService: Operation {
  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try AppCheckAdmin.check(context)
    let service = try ProtectedService(request.path["service"] ?? "", in: project)
    try service.update(with: request.body, mask: request.query["updateMask"], at: context.now)
    return .json(try service.json().json)
  }
}

package enum BatchUpdateServices: Operation {
  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try AppCheckAdmin.check(context)
    var updated: [JSON] = []
    for (body, mask) in try AppCheckAdmin.updates(request, of: "service") {
      let parts = try AppCheckAdmin.parts(
        of: body["name"]?.string ?? "", in: project.projectId, as: ["services", nil])
      let service = try ProtectedService(parts[1], in: project)
      try service.update(with: body, mask: mask, at: context.now)
      updated.append(.object(try service.json().json))
    }
    return .json(["services": updated.isEmpty ? nil : .array(updated)])
  }
}

import HearthCrypto
import HearthErrors
import HearthFirestoreProtos
import HearthTime
import HearthWire

/// A database as the Admin API shows it.
/// https://cloud.google.com/firestore/docs/reference/rest/v1/projects.databases
struct DatabaseResource: Sendable {
  let name: DatabaseName
  /// Microseconds, as all times here.
  let createTime: Int64
  var updateTime: Int64
  var deleteTime: Int64?
  var locationId = "us-central1"
  var concurrencyMode = DatabaseField.concurrencyMode.values[1]
  var deleteProtectionState = DatabaseField.deleteProtectionState.values[0]
  var pointInTimeRecovery = DatabaseField.pointInTimeRecoveryEnablement.values[1]

  init(_ name: DatabaseName, createdAt time: Int64) {
    self.name = name
    createTime = time
    updateTime = time
  }

  var isProtected: Bool {
    deleteProtectionState == DatabaseField.deleteProtectionState.values[1]
  }

  /// The same for the same database, so that nothing has to be kept of those that nobody has made.
  var uid: String {
    let digits = Digest.sha256.hash(Array("\(name) \(createTime)".utf8)).prefix(16).map {
      let text = String($0, radix: 16)
      return text.count < 2 ? "0" + text : text
    }
    return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }
      .joined(separator: "-")
  }

  /// Changes with every update.
  var etag: String {
    let state = "\(name) \(createTime) \(updateTime) \(deleteTime ?? 0)"
    return Base64.encode(Array(Digest.sha256.hash(Array(state.utf8)).prefix(15)))
  }

  /// How long the past can be read, in seconds.
  private var retention: Int64 {
    pointInTimeRecovery == DatabaseField.pointInTimeRecoveryEnablement.values[0] ? 604_800 : 3600
  }

  func json(at now: Int64) -> JSON {
    let project = "projects/\(name.project)/databases/"
    let earliest = deleteTime ?? max(createTime, now - retention * 1_000_000)
    return .members([
      "name": .string(deleteTime == nil ? "\(name)" : project + uid),
      "uid": .string(uid),
      "createTime": Self.time(createTime),
      "updateTime": Self.time(updateTime),
      "deleteTime": deleteTime.map(Self.time),
      "locationId": .string(locationId),
      "type": .string(DatabaseField.type.values[0]),
      "concurrencyMode": .string(concurrencyMode),
      "versionRetentionPeriod": .string("\(retention)s"),
      "earliestVersionTime": Self.time(earliest),
      "pointInTimeRecoveryEnablement": .string(pointInTimeRecovery),
      "appEngineIntegrationMode": "DISABLED",
      "deleteProtectionState": .string(deleteProtectionState),
      "previousId": deleteTime == nil ? nil : .string(name.database),
      "freeTier": .bool(name.database == "(default)" && deleteTime == nil),
      "etag": .string(etag),
      "databaseEdition": .string(DatabaseField.databaseEdition.values[0]),
      "realtimeUpdatesMode": "REALTIME_UPDATES_MODE_ENABLED",
      "enhancedTextSearchQueryMode": "ENHANCED_QUERY_MODE_ENABLED",
    ])
  }

  /// As the Admin API writes times.
  static func time(_ microseconds: Int64) -> JSON {
    let fraction = String(
      microseconds - microseconds.quotientRoundingDown(by: 1_000_000) * 1_000_000)
    let seconds = Timestamp(seconds: microseconds.quotientRoundingDown(by: 1_000_000)).iso8601
    let digits = String(repeating: "0", count: 6 - fraction.count) + fraction
    return .string("\(seconds.prefix(19)).\(digits)Z")
  }
}

/// A member of a database that is one of several words.
struct DatabaseField: Sendable {
  /// As requests have it.
  let name: String
  private let snakeCase: String
  private let typeName: String
  /// In the order of their numbers, from 1 on.
  let values: [String]

  static let type = DatabaseField(
    name: "type", snakeCase: "type", typeName: "DatabaseType",
    values: ["FIRESTORE_NATIVE", "DATASTORE_MODE"])
  static let concurrencyMode = DatabaseField(
    name: "concurrencyMode", snakeCase: "concurrency_mode", typeName: "ConcurrencyMode",
    values: ["OPTIMISTIC", "PESSIMISTIC", "OPTIMISTIC_WITH_ENTITY_GROUPS"])
  static let deleteProtectionState = DatabaseField(
    name: "deleteProtectionState", snakeCase: "delete_protection_state",
    typeName: "DeleteProtectionState",
    values: ["DELETE_PROTECTION_DISABLED", "DELETE_PROTECTION_ENABLED"])
  static let pointInTimeRecoveryEnablement = DatabaseField(
    name: "pointInTimeRecoveryEnablement", snakeCase: "point_in_time_recovery_enablement",
    typeName: "PointInTimeRecoveryEnablement",
    values: ["POINT_IN_TIME_RECOVERY_ENABLED", "POINT_IN_TIME_RECOVERY_DISABLED"])
  static let databaseEdition = DatabaseField(
    name: "databaseEdition", snakeCase: "database_edition", typeName: "DatabaseEdition",
    values: ["STANDARD", "ENTERPRISE"])

  /// The word in a body, also where it is given by its number; nil where it is not specified.
  func value(in body: JSONObject) throws(APIError) -> String? {
    guard let given = body[name] ?? body[snakeCase], given != .null else { return nil }
    if let number = Self.number(given) {
      guard number != 0 else { return nil }
      guard (1...values.count).contains(Int(number)) else { throw fault(given.text) }
      return values[Int(number) - 1]
    }
    guard let word = given.string else { throw fault(given.text) }
    if word.hasSuffix("_UNSPECIFIED") { return nil }
    guard values.contains(word) else { throw fault("\"\(word)\"") }
    return word
  }

  private static func number(_ given: JSON) -> Int64? {
    if case .int(let number) = given { number } else { nil }
  }

  private func fault(_ given: String) -> APIError {
    let field = "database.\(snakeCase)"
    let message =
      "Invalid value at '\(field)' (type.googleapis.com/google.firestore.admin.v1.Database."
      + "\(typeName)), \(given)"
    return .invalid(message).with(
      details: [
        "@type": "type.googleapis.com/google.rpc.BadRequest",
        "fieldViolations": [["field": .string(field), "description": .string(message)]],
      ])
  }
}

import HearthErrors
import HearthFirestoreProtos
import HearthWire

/// What a request says of a database.
struct DatabaseRequest {
  /// The members that an update may change.
  static let mutable: Set<String> = [
    "concurrencyMode", "deleteProtectionState", "pointInTimeRecoveryEnablement",
  ]

  private static let known: Set<String> = mutable.union([
    "name", "uid", "createTime", "updateTime", "deleteTime", "locationId", "type",
    "versionRetentionPeriod", "earliestVersionTime", "appEngineIntegrationMode", "keyPrefix",
    "cmekConfig", "previousId", "sourceInfo", "tags", "freeTier", "etag", "databaseEdition",
    "realtimeUpdatesMode", "firestoreDataAccessMode", "mongodbCompatibleDataAccessMode",
    "enhancedTextSearchQueryMode",
  ])

  let locationId: String?
  let etag: String?
  let type: String?
  let databaseEdition: String?
  private let values: [String: String]

  init(_ body: JSONObject) throws(APIError) {
    for name in body.members.map(\.key) where !Self.known.contains(Self.camelCase(name)) {
      throw .invalid(
        "Invalid JSON payload received. Unknown name \"\(name)\" at 'database': Cannot find field.")
    }
    locationId = (body["locationId"] ?? body["location_id"])?.string.nonEmpty
    etag = body["etag"]?.string
    databaseEdition = try DatabaseField.databaseEdition.value(in: body)
    type = try DatabaseField.type.value(in: body)
    var values: [String: String] = [:]
    let fields: [DatabaseField] = [
      .concurrencyMode, .deleteProtectionState, .pointInTimeRecoveryEnablement,
    ]
    for field in fields { values[field.name] = try field.value(in: body) }
    self.values = values
    for name in ["cmekConfig", "tags"] where body[name] != nil {
      throw APIError(
        .unimplemented, message: "Databases with '\(name)' are not implemented.")
    }
  }

  /// Changes the members with these names. What is not given gets the value of a new database.
  func apply(to resource: inout DatabaseResource, _ names: Set<String>) {
    let new = DatabaseResource(resource.name, createdAt: 0)
    if names.contains("concurrencyMode") {
      resource.concurrencyMode = values["concurrencyMode"] ?? new.concurrencyMode
    }
    if names.contains("deleteProtectionState") {
      resource.deleteProtectionState =
        values["deleteProtectionState"] ?? new.deleteProtectionState
    }
    if names.contains("pointInTimeRecoveryEnablement") {
      resource.pointInTimeRecovery =
        values["pointInTimeRecoveryEnablement"] ?? new.pointInTimeRecovery
    }
  }

  /// The members that a mask names.
  static func paths(in mask: String?) throws(APIError) -> Set<String> {
    guard let mask = mask.nonEmpty else { return mutable }
    let paths = Set(mask.split(separator: ",").map { camelCase(String($0)) })
    if paths.contains("locationId") {
      throw .invalid("Changing database location is not supported.")
    }
    if paths.contains("databaseEdition") {
      throw .invalid("Changing the edition of a database is not supported.")
    }
    guard paths.isSubset(of: known) else {
      throw .invalid("Invalid updateMask for database proto.")
    }
    return paths
  }

  static func isID(_ id: String) -> Bool {
    if id == "(default)" { return true }
    let bytes = Array(id.utf8)
    guard (4...63).contains(bytes.count), let first = bytes.first, let last = bytes.last else {
      return false
    }
    return first.isASCIILowercase && (last.isASCIILowercase || last.isASCIIDigit)
      && bytes.allSatisfy { $0.isASCIILowercase || $0.isASCIIDigit || $0 == UInt8(ascii: "-") }
  }

  /// Only what this server can play is created.
  static func checkPlayable(type: String, edition: String?) throws(APIError) {
    guard type == DatabaseField.type.values[0] else {
      throw APIError(.unimplemented, message: "Databases of type \(type) are not implemented.")
    }
    guard edition != DatabaseField.databaseEdition.values[1] else {
      throw APIError(
        .unimplemented, message: "Databases of edition ENTERPRISE are not implemented.")
    }
  }

  private static func camelCase(_ name: String) -> String {
    let words = name.split(separator: "_", omittingEmptySubsequences: false)
    return words.dropFirst().reduce(String(words.first ?? "")) {
      $0 + $1.prefix(1).uppercased() + $1.dropFirst()
    }
  }
}

/// Where databases may be. https://cloud.google.com/firestore/docs/locations
enum DatabaseLocations {
  static let all: Set<String> = [
    "eur3", "nam5", "nam7", "africa-south1", "asia-east1", "asia-east2", "asia-northeast1",
    "asia-northeast2", "asia-northeast3", "asia-south1", "asia-south2", "asia-southeast1",
    "asia-southeast2", "asia-southeast3", "australia-southeast1", "australia-southeast2",
    "europe-central2", "europe-north1", "europe-north2", "europe-southwest1", "europe-west1",
    "europe-west2", "europe-west3", "europe-west4", "europe-west6", "europe-west8",
    "europe-west9", "europe-west10", "europe-west12", "me-central1", "me-central2", "me-west1",
    "northamerica-northeast1", "northamerica-northeast2", "northamerica-south1",
    "southamerica-east1", "southamerica-west1", "us-central1", "us-east1", "us-east4",
    "us-east5", "us-south1", "us-west1", "us-west2", "us-west3", "us-west4",
  ]
}

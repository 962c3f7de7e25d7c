import HearthErrors
import HearthIdentityToolkit
import HearthOperations
import HearthSQLite
import HearthWire

/// The apps of a project that phones may open in place of its pages: what the two documents below
/// `/.well-known/` say.
struct AppLinks: Sendable, Equatable {
  struct AppleApp: Sendable, Equatable {
    /// Team and bundle: `ABCDE12345.com.example.app`.
    let id: String
    let paths: [String]
  }

  struct AndroidApp: Sendable, Equatable {
    let package: String
    let fingerprints: [String]
  }

  private(set) var ios: [AppleApp] = []
  private(set) var android: [AndroidApp] = []

  private static let most = 50
  /// In bytes of a text.
  private static let longest = 1024
  /// Where the links of mails go: at Google's name, and here.
  private static let usualPaths = ["/__/auth/*", "/emulator/action"]

  init() {}

  /// Reads what somebody sets.
  ///
  /// - Throws: `INVALID_ARGUMENT` with the member that is wrong.
  init(_ record: JSONObject) throws(APIError) {
    for (name, value) in record.members {
      guard ["ios", "android"].contains(name) else {
        throw APIError(
          .invalidArgument,
          detail: "unknown member '\(name)'" + ["ios", "android"].advice(on: name))
      }
      guard let entries = value.array, entries.count <= Self.most else {
        throw APIError(.invalidArgument, detail: "/\(name) must be a list of at most \(Self.most)")
      }
      for (index, entry) in entries.enumerated() {
        if name == "ios" {
          ios.append(try Self.appleApp(entry, at: "/ios/\(index)"))
        } else {
          android.append(try Self.androidApp(entry, at: "/android/\(index)"))
        }
      }
    }
  }

  /// A name that nobody knows is a mistyped one, and what it was to say would be lost.
  private static func check(
    _ entry: JSON, has known: [String], at place: String
  ) throws(APIError) {
    guard let object = entry.object else {
      throw APIError(.invalidArgument, detail: "\(place) must be an object")
    }
    if let other = object.keys.first(where: { !known.contains($0) }) {
      throw APIError(
        .invalidArgument,
        detail: "unknown member '\(other)' of \(place)" + known.advice(on: other))
    }
  }

  private static func appleApp(_ entry: JSON, at place: String) throws(APIError) -> AppleApp {
    try check(entry, has: ["appId", "paths"], at: place)
    let id = entry["appId"]?.string ?? ""
    let parts = id.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[1].isEmpty, id.utf8.count <= longest, parts[0].utf8.count == 10,
      parts[0].utf8.allSatisfy({ $0.isASCIIAlphanumeric })
    else {
      throw APIError(
        .invalidArgument,
        detail:
          "\(place)/appId must be the id of a team and a bundle, such as ABCDE12345.com.example.app"
      )
    }
    let paths = try strings(entry["paths"], at: place + "/paths") ?? usualPaths
    guard paths.allSatisfy({ $0.hasPrefix("/") || $0.hasPrefix("*") }) else {
      throw APIError(.invalidArgument, detail: "\(place)/paths must begin with / or *")
    }
    return AppleApp(id: id, paths: paths)
  }

  private static func androidApp(_ entry: JSON, at place: String) throws(APIError) -> AndroidApp {
    try check(entry, has: ["packageName", "sha256Fingerprints"], at: place)
    guard let package = entry["packageName"]?.string.nonEmpty, package.utf8.count <= longest else {
      throw APIError(
        .invalidArgument,
        detail: "\(place)/packageName must be a text of at most \(longest) bytes")
    }
    let prints = try strings(entry["sha256Fingerprints"], at: place + "/sha256Fingerprints") ?? []
    let isWhole = prints.allSatisfy { text in
      let bytes = text.split(separator: ":", omittingEmptySubsequences: false)
      return bytes.count == 32
        && bytes.allSatisfy { byte in
          byte.utf8.count == 2 && byte.allSatisfy { $0.isASCII && $0.isHexDigit }
        }
    }
    guard isWhole, !prints.isEmpty else {
      throw APIError(
        .invalidArgument,
        detail: "\(place)/sha256Fingerprints must be a list of 32 bytes each: AA:BB:…")
    }
    return AndroidApp(package: package, fingerprints: prints.map { $0.uppercased() })
  }

  private static func strings(_ value: JSON?, at place: String) throws(APIError) -> [String]? {
    guard let value else { return nil }
    guard let list = value.array, list.count <= most else {
      throw APIError(.invalidArgument, detail: "\(place) must be a list of at most \(most)")
    }
    let texts = list.compactMap(\.string).filter { $0.utf8.count <= longest }
    guard texts.count == list.count else {
      throw APIError(
        .invalidArgument,
        detail: "\(place) must be a list of strings of at most \(longest) bytes")
    }
    return texts
  }

  var record: JSONObject {
    JSONObject([
      "ios": .array(
        ios.map { .members(["appId": .string($0.id), "paths": .strings($0.paths)]) }),
      "android": .array(
        android.map {
          .members([
            "packageName": .string($0.package), "sha256Fingerprints": .strings($0.fingerprints),
          ])
        }),
    ])
  }

  // MARK: Documents

  /// https://developer.apple.com/documentation/xcode/supporting-associated-domains
  var appleDocument: JSON {
    .members([
      "applinks": .members([
        "details": .array(
          ios.map { app in
            .members([
              "appIDs": [.string(app.id)],
              "components": .array(app.paths.map { .members(["/": .string($0)]) }),
            ])
          })
      ]),
      "webcredentials": .members(["apps": .strings(ios.map(\.id))]),
    ])
  }

  /// https://developers.google.com/digital-asset-links/v1/getting-started
  var androidDocument: JSON {
    .array(
      android.map { app in
        .members([
          "relation": ["delegate_permission/common.handle_all_urls"],
          "target": .members([
            "namespace": "android_app", "package_name": .string(app.package),
            "sha256_cert_fingerprints": .strings(app.fingerprints),
          ]),
        ])
      })
  }

  // MARK: Paths

  /// Whether a pattern of Apple's fits a path: `*` is any text, `?` any one character.
  static func fits(_ pattern: String, path: String) -> Bool {
    let (pattern, path) = (Array(pattern.utf8), Array(path.utf8))
    var (place, index) = (0, 0)
    var star: (place: Int, index: Int)?
    while index < path.count {
      if place < pattern.count, pattern[place] == UInt8(ascii: "*") {
        star = (place, index)
        place += 1
      } else if place < pattern.count,
        pattern[place] == path[index] || pattern[place] == UInt8(ascii: "?")
      {
        place += 1
        index += 1
      } else if let last = star {
        star = (last.place, last.index + 1)
        (place, index) = (last.place + 1, last.index + 1)
      } else {
        return false
      }
    }
    return pattern[place...].allSatisfy { $0 == UInt8(ascii: "*") }
  }
}

/// The apps of a project, as they are kept.
struct AppLinksStore: ProjectSubject {
  let project: ProjectTransaction

  init(in project: ProjectTransaction) { self.project = project }

  func links() throws(APIError) -> AppLinks {
    let record = try transaction.first(
      "SELECT record FROM app_links WHERE project = ?", arguments: [projectId]
    ) { $0[0] as String }
    guard let object = record.flatMap({ try? JSON.parse($0) })?.object else { return AppLinks() }
    return try AppLinks(object)
  }

  func save(_ links: AppLinks) throws(APIError) {
    try transaction.execute(
      "INSERT OR REPLACE INTO app_links (project, record) VALUES (?, ?)",
      arguments: [projectId, JSON.object(links.record).text])
  }
}

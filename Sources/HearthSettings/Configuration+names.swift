import HearthWire

/// Names that nothing has in the environment and in the files of settings. They are told at the
/// start: a setting that is mistyped would be without effect and without a word.
extension Configuration {
  /// Variables that are not settings of a server: of commands, of the test libraries, of their
  /// children, and of the build.
  private static let otherVariables: Set<String> = [
    "HEARTH_BINARY", "HEARTH_BUILD", "HEARTH_CONFIG", "HEARTH_CONSOLE_URL", "HEARTH_DEBIAN_ROOT",
    "HEARTH_IDP_URL",
    "HEARTH_JS_SDK", "HEARTH_KILL_ROUNDS", "HEARTH_OPERATOR_TOKEN", "HEARTH_PACKAGES_URL",
    "HEARTH_PROJECT_TOKEN", "HEARTH_REVISION",
    "HEARTH_SLOW_TESTS", "HEARTH_SMTP_URL", "HEARTH_UNSIGNED_AUTH_HOST", "HEARTH_URL",
    "HEARTH_VERSION", "HEARTH_WARNINGS_AS_ERRORS",
  ]

  private static let otherPrefixes = ["HEARTH_ACTION", "HEARTH_FUZZ_"]

  /// What to say of variables that begin with `HEARTH_` and that nothing reads, in their order.
  static func unknownVariables(in environment: [String: String]) -> [String] {
    let settings = Setting.allCases.map(\.environmentName)
    let known = otherVariables.union(settings).union(
      Setting.allCases.compactMap(\.earlierEnvironmentName))
    let unknown = environment.keys.filter { name in
      name.hasPrefix("HEARTH_") && !known.contains(name)
        && !otherPrefixes.contains(where: name.hasPrefix)
    }
    return unknown.sorted().map { name in
      // The common beginning does not make them alike.
      let words = known.sorted().map { String($0.dropFirst("HEARTH_".count)) }
      let near = words.nearest(to: String(name.dropFirst("HEARTH_".count)))
      let advice = near.map { "; did you mean HEARTH_\($0)?" } ?? "; `hearth help serve` lists all"
      return "unknown variable \(name)\(advice)"
    }
  }

  /// An object of `firebase.json` that concerns Hearth, and the members that it may have. Those of
  /// emulators that are not here are not looked at.
  private struct KnownObject {
    let path: [String]
    let members: Set<String>
    var mayBeArray = false

    var name: String { path.joined(separator: ".") }
  }

  private static let place: Set<String> = ["host", "port"]

  private static let knownObjects = [
    KnownObject(
      path: [],
      members: [
        "$schema", "apphosting", "auth", "database", "dataconnect", "emulators", "extensions",
        "firestore", "functions", "hosting", "remoteconfig", "storage",
      ]),
    KnownObject(
      path: ["firestore"],
      members: [
        "database", "dataAccessMode", "edition", "indexes", "location", "postdeploy", "predeploy",
        "rules", "target",
      ], mayBeArray: true),
    KnownObject(
      path: ["emulators"],
      members: suite.union(emulators).union(["hub", "logging", "singleProjectMode", "ui"])),
    KnownObject(path: ["emulators", "auth"], members: place),
    KnownObject(
      path: ["emulators", "firestore"], members: place.union(["edition", "rules", "websocketPort"])),
    KnownObject(path: ["emulators", "hub"], members: place),
    KnownObject(path: ["emulators", "logging"], members: place),
    KnownObject(path: ["emulators", "ui"], members: place.union(["enabled"])),
  ]

  /// What to say of members of `firebase.json` that nobody knows.
  ///
  /// - Throws: ``ConfigurationError`` where there is no object that can have members.
  static func unknownMembers(
    in json: JSON, of file: String
  ) throws(ConfigurationError) -> [String] {
    var lines: [String] = []
    for object in knownObjects {
      guard let value = object.path.reduce(json as JSON?, { $0?[$1] }), value != .null else {
        continue
      }
      let entries = object.mayBeArray ? value.array ?? [value] : [value]
      for entry in entries {
        guard let members = entry.object else {
          let what = object.path.isEmpty ? "it" : object.name
          let kind = object.mayBeArray ? "an object or an array of objects" : "an object"
          throw ConfigurationError("\(file): \(what) must be \(kind)")
        }
        for name in members.keys where !object.members.contains(name) {
          let full = (object.path + [name]).joined(separator: ".")
          lines.append(
            "\(file): unknown member '\(full)'\(object.members.sorted().advice(on: name))")
        }
      }
    }
    return lines
  }
}

import HearthWire

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Configuration {
  /// Takes over what `firebase.json` and `.firebaserc` say, where they exist. A file that the user
  /// named must exist; else it is looked for in the directory and in those above it, as
  /// `firebase` does, and there need not be any.
  package mutating func applyFirebaseJSON(
    _ path: String?, in directory: String
  ) throws(ConfigurationError) {
    try readFirebaseJSON(path, in: directory)
    try readTriggerEmail()
  }

  private mutating func readFirebaseJSON(
    _ path: String?, in directory: String
  ) throws(ConfigurationError) {
    let file = path ?? Self.nearest("firebase.json", from: directory)
    if let json = try Self.read(file, isRequired: path != nil) {
      try apply(json, file)
      settingsPath = file
      requiresIndexFiles = path != nil
    }
    var resources = Self.place(of: ".firebaserc", beside: file)
    if path == nil, !FileManager.default.fileExists(atPath: resources) {
      resources = Self.nearest(".firebaserc", from: directory)
    }
    guard let projects = try Self.read(resources, isRequired: false)?["projects"]?.object else {
      return
    }
    for (alias, id) in projects.members { projectAliases[alias] = id.string }
    if let project = projectAliases["default"] {
      self.project = try Self.projectID(project, resources)
    }
  }

  /// The file in the directory, or in the nearest one above that has it.
  private static func nearest(_ name: String, from directory: String) -> String {
    var place = URL(fileURLWithPath: directory).standardizedFileURL
    while !FileManager.default.fileExists(atPath: place.appendingPathComponent(name).path) {
      let above = place.deletingLastPathComponent().standardizedFileURL
      guard above.path != place.path, place.path != "/" else { return directory + "/" + name }
      place = above
    }
    return place.appendingPathComponent(name).path
  }

  private static func place(of name: String, beside file: String) -> String {
    file.lastIndex(of: "/").map { file[...$0] + name } ?? name
  }

  private mutating func apply(_ json: JSON, _ file: String) throws(ConfigurationError) {
    if let rules = Self.member(.rules, of: json)?.string {
      rulesPath = rules.hasPrefix("/") ? rules : Self.place(of: rules, beside: file)
    }
    indexFiles = Self.indexFiles(json["firestore"]) { Self.place(of: $0, beside: file) }
    // There is one address for all ports.
    let host = Self.member(.host, of: json) ?? json["emulators"]?["firestore"]?["host"]
    if let host = host?.string { self.host = host }
    authPort = try Self.port(.authPort, json, file) ?? authPort
    firestorePort = try Self.port(.firestorePort, json, file) ?? firestorePort
    consolePort = try Self.port(.consolePort, json, file) ?? consolePort
    hubPort = try Self.port(.hubPort, json, file) ?? hubPort
    otherEmulators = (json["emulators"]?.object?.keys ?? []).filter(Self.suite.contains)
    findTriggerEmail(in: json, beside: file)
    if let isSingle = Self.member(.singleProjectMode, of: json) {
      guard let isSingle = isSingle.bool else {
        throw ConfigurationError("\(file): emulators.singleProjectMode must be true or false")
      }
      singleProjectMode = isSingle ? .warning : .noWarning
    }
  }

  /// The emulators of the official suite that Hearth does not have.
  package static let suite: Set<String> = [
    "apphosting", "database", "dataconnect", "eventarc", "extensions", "functions", "hosting",
    "pubsub", "storage", "tasks",
  ]

  /// The member that the table of settings names. Of several databases, the first one's counts.
  private static func member(_ setting: Setting, of json: JSON) -> JSON? {
    guard let path = setting.text.member else { return nil }
    return path.split(separator: ".").reduce(json as JSON?) { value, key in
      (value?.array?.first ?? value)?[String(key)]
    }
  }

  private static func port(
    _ setting: Setting, _ json: JSON, _ file: String
  ) throws(ConfigurationError) -> Int? {
    guard let value = member(setting, of: json) else { return nil }
    let source = "\(file): \(setting.text.member ?? setting.flag)"
    guard let port = value.integer else { throw ConfigurationError("\(source) must be a number") }
    return try Self.port(String(port), source)
  }

  private static func read(_ path: String, isRequired: Bool) throws(ConfigurationError) -> JSON? {
    guard let data = FileManager.default.contents(atPath: path) else {
      if isRequired { throw ConfigurationError("cannot read \(path)") }
      return nil
    }
    do throws(JSON.ParseError) {
      return try JSON.parse(JSON.withoutComments(Array(data)))
    } catch {
      throw ConfigurationError("\(path) is not JSON: \(error)")
    }
  }
}

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
    settleDatabases()
    try readTriggerEmail()
  }

  private mutating func readFirebaseJSON(
    _ path: String?, in directory: String
  ) throws(ConfigurationError) {
    let file = path ?? Self.nearest("firebase.json", from: directory)
    if let json = try Self.read(file, isRequired: path != nil) {
      unknownNames += try Self.unknownMembers(in: json, of: file)
      try apply(json, file: file)
      settingsPath = file
      requiresIndexFiles = path != nil
    }
    var resources = Self.place(of: ".firebaserc", beside: file)
    if path == nil, !FileManager.default.fileExists(atPath: resources) {
      resources = Self.nearest(".firebaserc", from: directory)
    }
    let json = try Self.read(resources, isRequired: false)
    targets = json?["targets"]
    guard let projects = json?["projects"]?.object else { return }
    for (alias, id) in projects.members { projectAliases[alias] = id.string }
    if let project = projectAliases["default"] {
      self.project = try Self.projectID(project, source: resources)
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

  private mutating func apply(_ json: JSON, file: String) throws(ConfigurationError) {
    databaseEntries = DatabaseEntry.all(json["firestore"]) { Self.place(of: $0, beside: file) }
    applyHosts(json, file: file)
    authPort = try Self.port(.authPort, json: json, file: file) ?? authPort
    firestorePort = try Self.port(.firestorePort, json: json, file: file) ?? firestorePort
    try applyConsole(json, file: file)
    hubPort = try Self.port(.hubPort, json: json, file: file) ?? hubPort
    otherEmulators = (json["emulators"]?.object?.keys ?? []).filter(Self.suite.contains)
    findTriggerEmail(in: json, beside: file)
    if let isSingle = Self.member(.singleProjectMode, of: json) {
      guard let isSingle = isSingle.bool else {
        throw ConfigurationError("\(file): emulators.singleProjectMode must be true or false")
      }
      singleProjectMode = isSingle ? .warning : .noWarning
    }
  }

  /// There is one address for all ports. The log names the others in the file: this one may open
  /// ports to other machines that the file keeps closed.
  private mutating func applyHosts(_ json: JSON, file: String) {
    let emulators = json["emulators"]
    if let host = (Self.member(.host, of: json) ?? emulators?["firestore"]?["host"])?.string {
      self.host = host
    }
    // The hub is seldom in the file.
    let names = ["auth", "firestore", "ui"] + (emulators?["hub"] == nil ? [] : ["hub"])
    let others = names.compactMap { name in
      let other = emulators?[name]?["host"]?.string ?? "127.0.0.1"
      return Self.isSame(other, other: host) ? nil : "\(name) \(other)"
    }
    guard !others.isEmpty else { return }
    unusedHosts =
      "\(file): all ports are at \(host), because Hearth has one address for all. Not used: "
      + others.joined(separator: ", ") + ". Choose the address with --host."
  }

  private static func isSame(_ host: String, other: String) -> Bool {
    func address(_ host: String) -> String { host == "localhost" ? "127.0.0.1" : host }
    return address(host) == address(other)
  }

  /// The console is there also where the file has none, for the control endpoints. It takes a free
  /// port then.
  private mutating func applyConsole(_ json: JSON, file: String) throws(ConfigurationError) {
    let port = try Self.port(.consolePort, json: json, file: file)
    if json["emulators"]?["ui"]?["enabled"]?.bool == false {
      consolePort = 0
    } else if let port {
      consolePort = port
      consoleMayMove = false
    }
  }

  /// The emulators of the official suite that Hearth does not have.
  package static let suite: Set<String> = [
    "apphosting", "database", "dataconnect", "eventarc", "extensions", "functions", "hosting",
    "pubsub", "storage", "tasks",
  ]

  /// The member that the table of settings names.
  private static func member(_ setting: Setting, of json: JSON) -> JSON? {
    guard let path = setting.row.member else { return nil }
    return path.split(separator: ".").reduce(json as JSON?) { $0?[String($1)] }
  }

  private static func port(
    _ setting: Setting, json: JSON, file: String
  ) throws(ConfigurationError) -> Int? {
    guard let value = member(setting, of: json) else { return nil }
    let source = "\(file): \(setting.row.member ?? setting.flag)"
    guard let port = value.integer else { throw ConfigurationError("\(source) must be a number") }
    return try Self.port(String(port), source: source)
  }

  private static func read(_ path: String, isRequired: Bool) throws(ConfigurationError) -> JSON? {
    guard let data = FileManager.default.contents(atPath: path) else {
      if isRequired { throw ConfigurationError("cannot read \(path)") }
      return nil
    }
    let text = JSON.withoutComments(Array(data))
    do throws(JSON.ParseError) {
      return try JSON.parse(text)
    } catch {
      let (line, column) = error.position(in: text)
      throw ConfigurationError("\(path):\(line):\(column): \(error.reason)")
    }
  }
}

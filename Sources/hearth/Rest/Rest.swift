import HearthServer
import HearthSettings
import HearthSuite
import HearthWire

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What is to run beside the server, and with what.
struct Rest {
  let plan: SuitePlan
  let program: String
  let project: String
  /// The project's `firebase.json`.
  let settingsPath: String
  let importing: String?
  let exportDirectory: String?
  /// Further arguments of the official command.
  let others: [String]
  /// The emulators that start, and those of which a line has said why they do not.
  private let wanted: [String]

  /// How a project's other emulators are asked for.
  struct Wish {
    /// The names of `--only`; nil for all that `firebase.json` has.
    var only: [String]?
    var tools: String?
    /// Whether they get free ports, and not those of `firebase.json`.
    var takesFreePorts = false
    /// Whether `--with-rest` was given.
    var isAsked = false
    var others: [String] = []
  }

  /// Nil where nothing is to run beside the server. What is missing goes to the terminal, and the rest starts.
  init?(_ wish: Wish, beside configuration: HearthSettings.Configuration) {
    guard let settingsPath = configuration.settingsPath,
      let settings = Self.settings(at: settingsPath)
    else {
      if wish.isAsked { warn("--with-rest: no firebase.json here") }
      return nil
    }
    let wanted = wish.only ?? SuitePlan.named(in: settings)
    guard !wanted.isEmpty else { return nil }
    guard let program = Self.program(wish.tools, beside: settingsPath) else {
      warn(Self.words(withoutTools: wanted, wish.tools))
      return nil
    }
    // Those of the child's hub and its log, and of two emulators that functions bring along.
    let ports = FreePorts.find(wish.takesFreePorts ? wanted.count + 4 : 2)
    guard ports.count >= 2 else { return nil }
    plan = SuitePlan(
      firebaseJSON: settings, only: wanted,
      on: .init(
        ownPorts: (hub: ports[0], logging: ports[1]),
        freePort: wish.takesFreePorts ? FreePorts(Array(ports.dropFirst(2))).next : nil,
        withoutJava: { ToolsVersion(of: program).withoutJava }, owner: Self.owner))
    self.wanted = wanted
    for words in plan.missing { warn(words) }
    guard !plan.names.isEmpty else { return nil }
    self.program = program
    self.settingsPath = settingsPath
    project = configuration.project
    importing = configuration.importPath
    exportDirectory = configuration.exportDirectory
    others = wish.others
  }

  /// The same, where the server may have nothing to play by itself.
  ///
  /// - Throws: where nothing of `--only` would run at all.
  static func found(
    _ wish: Wish?, beside configuration: HearthSettings.Configuration
  ) throws(ConfigurationError) -> Rest? {
    let rest = wish.flatMap { Rest($0, beside: configuration) }
    guard rest != nil || !configuration.only.isEmpty else {
      throw ConfigurationError("--only: nothing of it can run here")
    }
    return rest
  }

  /// The settings of the server that runs beside the others.
  func applied(to configuration: HearthSettings.Configuration) -> HearthSettings.Configuration {
    var configuration = configuration
    if configuration.functionsAddress == nil {
      configuration.functionsAddress = plan.addresses["functions"]
    }
    let known = Set(wanted.map { String($0.prefix { $0 != ":" }) })
    configuration.otherEmulators.removeAll(where: known.contains)
    return configuration
  }

  private static func settings(at path: String) -> JSON? {
    FileManager.default.contents(atPath: path)
      .flatMap { try? JSON.parse(JSON.withoutComments(Array($0))) }
  }

  /// After `port 5001 is already in use`; nil where it is free.
  private static func owner(of port: Int) -> String? {
    PortProbe.isTaken(port, at: "127.0.0.1") ? PortOwner(of: port)?.words ?? "" : nil
  }

  /// The command that is named, that of the project, or that of the machine.
  private static func program(_ named: String?, beside settings: String) -> String? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    if let named { return ProgramSearch.location(of: named, on: path) }
    var place = URL(fileURLWithPath: settings).deletingLastPathComponent().standardizedFileURL
    while true {
      let own = place.appendingPathComponent("node_modules/.bin/firebase").path
      if let found = ProgramSearch.location(of: own, on: "") { return found }
      let above = place.deletingLastPathComponent().standardizedFileURL
      guard above.path != place.path, place.path != "/" else { break }
      place = above
    }
    return ProgramSearch.location(of: "firebase", on: path)
  }

  private static func words(withoutTools names: [String], _ named: String?) -> String {
    let place =
      named.map { "there is no program \($0)" }
      ?? "firebase-tools is not in node_modules/.bin or PATH (--firebase-tools PATH names it)"
    return "\(place): \(names.joined(separator: ", ")) will not run"
  }
}

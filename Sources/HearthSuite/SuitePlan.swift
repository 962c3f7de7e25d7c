package import HearthWire

/// Which emulators of `firebase.json` the official tools are to start beside this server, and with
/// which settings: those of the project, in which Auth and Firestore are none of theirs.
package struct SuitePlan: Sendable, Equatable {
  /// As `--only` takes them, such as `functions:api`.
  package private(set) var names: [String] = []
  /// What does not run, and why: a sentence each.
  package private(set) var missing: [String] = []
  /// `host:port` by the names of emulators.
  package private(set) var addresses: [String: String] = [:]
  /// The `firebase.json` of the child.
  package private(set) var settings: JSON
  package let hubPort: Int

  /// What the plan has to know of the machine.
  package struct Machine: Sendable {
    /// Why there is no Java for them, such as `no java in PATH`; nil where there is. Asked for where
    /// one needs it.
    package var withoutJava: @Sendable () -> String?
    /// Who has a port, as words such as `by another hearth`; nil where it is free.
    package var owner: @Sendable (Int) -> String?
    /// A port that nobody has; nil where the project's own ports are to be used.
    package var freePort: (@Sendable () -> Int)?
    /// Ports for the child's hub and its log.
    package var ownPorts: (hub: Int, logging: Int)

    package init(
      ownPorts: (hub: Int, logging: Int), freePort: (@Sendable () -> Int)?,
      withoutJava: @escaping @Sendable () -> String?, owner: @escaping @Sendable (Int) -> String?
    ) {
      self.withoutJava = withoutJava
      self.ownPorts = ownPorts
      self.freePort = freePort
      self.owner = owner
    }
  }

  /// - Parameters:
  ///   - firebaseJSON: the settings of the project.
  ///   - only: the names of `--only`; nil for all that the settings have.
  ///   - machine: where they are to run.
  package init(firebaseJSON: JSON, only: [String]?, on machine: Machine) {
    hubPort = machine.ownPorts.hub
    settings = firebaseJSON
    var emulators = JSONObject()
    let wanted = (only ?? Self.named(in: firebaseJSON)).compactMap(Wanted.init)
    let lacksJava = wanted.contains(where: \.member.needsJava) ? machine.withoutJava() : nil
    for (name, member) in wanted.map({ ($0.name, $0.member) })
    where lacksJava == nil || !member.needsJava {
      guard let given = place(of: member, in: firebaseJSON, machine) else { continue }
      names.append(name)
      if member.port != nil { emulators[member.name] = given }
    }
    if let lacksJava {
      let names = wanted.map(\.member).filter(\.needsJava).map(\.name)
      missing.append("\(lacksJava): \(names.joined(separator: ", ")) will not run")
    }
    startedBeside(&emulators, machine)
    settings = Self.settings(firebaseJSON, emulators: emulators, machine: machine)
  }

  /// A name of `--only`, such as `functions:api`, and whose it is.
  private struct Wanted {
    let name: String
    let member: SuiteMember

    init?(_ name: String) {
      let plain = name.prefix { $0 != ":" }
      guard let member = SuiteMember.all.first(where: { $0.name == plain }) else { return nil }
      self.name = name
      self.member = member
    }
  }

  /// Functions bring two emulators along, whose ports another run may be about to take.
  private func startedBeside(_ emulators: inout JSONObject, _ machine: Machine) {
    guard let freePort = machine.freePort, emulators["functions"] != nil else { return }
    for name in ["eventarc", "tasks"] where emulators[name] == nil {
      emulators[name] = ["port": .int(Int64(freePort()))]
    }
  }

  /// Those that the official command starts: a service of the project, or an emulator of its own.
  package static func named(in firebaseJSON: JSON) -> [String] {
    SuiteMember.all.map(\.name).filter { name in
      firebaseJSON[name] != nil || firebaseJSON["emulators"]?[name] != nil
    }
  }

  /// The emulator's entry with its port; nil where somebody else has the port.
  private mutating func place(
    of member: SuiteMember, in firebaseJSON: JSON, _ machine: Machine
  ) -> JSON? {
    let given = firebaseJSON["emulators"]?[member.name]?.object ?? JSONObject()
    guard let standard = member.port else { return .object(given) }
    let own = given["port"]?.integer.flatMap(Int.init(exactly:)) ?? standard
    let port = machine.freePort?() ?? own
    if let owner = machine.owner(port) {
      missing.append("port \(port) is already in use\(owner): \(member.name) will not run")
      return nil
    }
    var entry = given
    entry["port"] = .int(Int64(port))
    let host = given["host"]?.string ?? "127.0.0.1"
    addresses[member.name] = "\(host == "0.0.0.0" ? "127.0.0.1" : host):\(port)"
    return .object(entry)
  }

  private static func settings(
    _ firebaseJSON: JSON, emulators: JSONObject, machine: Machine
  ) -> JSON {
    var emulators = emulators
    emulators["hub"] = ["port": .int(Int64(machine.ownPorts.hub))]
    emulators["logging"] = ["port": .int(Int64(machine.ownPorts.logging))]
    // The console is this server's.
    emulators["ui"] = ["enabled": false]
    if let isSingle = firebaseJSON["emulators"]?["singleProjectMode"] {
      emulators["singleProjectMode"] = isSingle
    }
    var settings = firebaseJSON.object ?? JSONObject()
    settings["emulators"] = .object(emulators)
    return .object(settings)
  }

  /// Those of the emulators whose data are exported.
  package var exported: [String] {
    let running = Set(names.map { String($0.prefix { $0 != ":" }) })
    return SuiteExport.services.filter(running.contains)
  }

  /// The arguments of the official command, whose settings are in the file. It imports its parts from
  /// a folder; nil for none. It exports nothing at its end: it would ask the hub of the project for
  /// that, which is this server's.
  package func arguments(
    project: String, file: String, importing: String?, others: [String] = []
  ) -> [String] {
    var arguments = [
      "emulators:start", "--only", names.joined(separator: ","), "--project", project, "--config",
      file, "--non-interactive",
    ]
    if let importing { arguments += ["--import", importing] }
    return arguments + others
  }

  package static func == (left: SuitePlan, right: SuitePlan) -> Bool {
    left.names == right.names && left.missing == right.missing && left.settings == right.settings
  }
}

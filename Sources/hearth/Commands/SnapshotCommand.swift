import ArgumentParser
import HearthWire

/// `hearth snapshot`: saves what a project holds, and brings it back.
struct SnapshotCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "snapshot", abstract: "Save and restore the content of a project.",
    discussion: """
      hearth snapshot save seeded
      hearth snapshot restore seeded
      hearth snapshot fork seeded demo-other
      """,
    subcommands: [Save.self, Restore.self, List.self, Delete.self, Fork.self])

  struct Save: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "save",
      abstract: "Save a snapshot.", usage: "hearth snapshot save <name> [<options>]")

    @Argument(help: "The name of the snapshot.") var name: String
    @Flag(help: "Replace an existing snapshot of that name.") var replace = false
    @OptionGroup var server: ServerAddress

    func run() async throws {
      let saved = try await server.ask(
        "POST", path: server.snapshots(), body: ["name": .string(name), "replace": .bool(replace)],
        words: ["/name": "the name '\(name)'"])
      print("Saved \(SnapshotCommand.words(saved)).")
    }
  }

  struct Restore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "restore",
      abstract: "Restore the project to a snapshot.",
      usage: "hearth snapshot restore <name> [<options>]")

    @Argument(help: "The name of the snapshot.") var name: String
    @Flag(help: "Leave the clock of the project as it is.") var keepClock = false
    @OptionGroup var server: ServerAddress

    func run() async throws {
      let restored = try await server.ask(
        "POST", path: server.snapshots(name, verb: "restore"), body: ["keepClock": .bool(keepClock)]
      )
      print("Restored \(restored["name"]?.string ?? name).")
    }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the snapshots of the project.")

    @OptionGroup var server: ServerAddress

    func run() async throws {
      let known = try await server.ask("GET", path: server.snapshots())["snapshots"]?.array ?? []
      for snapshot in known { print(SnapshotCommand.words(snapshot)) }
      if known.isEmpty { StandardError.say("no snapshots") }
    }
  }

  struct Delete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "delete",
      abstract: "Delete a snapshot. The project does not change.")

    @Argument(help: "The name of the snapshot.") var name: String
    @OptionGroup var server: ServerAddress

    func run() async throws {
      _ = try await server.ask("DELETE", path: server.snapshots(name))
      print("Deleted \(name).")
    }
  }

  struct Fork: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "fork",
      abstract: "Create a new project from a snapshot.",
      usage: "hearth snapshot fork <name> <to> [<options>]")

    @Argument(help: "The name of the snapshot.") var name: String
    @Argument(help: "The id of the new project.") var to: String
    @OptionGroup var server: ServerAddress

    func run() async throws {
      _ = try await server.ask(
        "POST", path: server.snapshots(name, verb: "fork"), body: ["to": .string(to)],
        words: ["/to": "the project '\(to)'"])
      print("Created project \(to).")
    }
  }

  /// `seeded, 2027-01-31T09:30:00.000Z, 1200 kB`.
  private static func words(_ snapshot: JSON) -> String {
    let kilobytes = ((snapshot["bytes"]?.integer ?? 0) + 1023) / 1024
    let (name, time) = (snapshot["name"]?.string ?? "", snapshot["createdAt"]?.string ?? "")
    return "\(name), \(time), \(kilobytes) kB"
  }
}

extension ServerAddress {
  /// The path of the snapshots, of one, or of what is done with it.
  fileprivate func snapshots(_ name: String? = nil, verb: String? = nil) -> String {
    let one = name.map { "/" + PercentCoding.encodeComponent($0) } ?? ""
    return "/emulator/v1/projects/\(projectSegment)/snapshots\(one)\(verb.map { ":" + $0 } ?? "")"
  }
}

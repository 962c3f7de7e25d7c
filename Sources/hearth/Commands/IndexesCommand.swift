import ArgumentParser
import HearthIndexes
import HearthWire

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `hearth indexes`: which indexes there are, which queries have missed, and which were not used.
struct IndexesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "indexes", abstract: "Show or check the indexes of Firestore.",
    usage: "hearth indexes [<action>] [<file>] [<options>]",
    discussion: """
      hearth indexes list            the indexes of the database
      hearth indexes missing         what queries have missed since the start
      hearth indexes unused          listed indexes that no query has used
      hearth indexes --write FILE    add what is missing to a file
      hearth indexes check FILE      status 1 if FILE lacks an index that was needed
      """)

  enum Action: String, ExpressibleByArgument, CaseIterable { case list, missing, unused, check }

  @Argument(help: "What to do: list, missing, unused or check.") var action: Action = .missing

  @Argument(help: "The file to check.") var file: String?

  @Option(help: "Add what is missing to this file, in the order of Google's tool.")
  var write: String?

  @Option(help: "The database.") var database = "(default)"

  @Flag(help: "Print JSON.") var json = false

  @OptionGroup var server: ServerAddress

  func validate() throws {
    if action == .check, file == nil {
      throw ValidationError("a file is missing: hearth indexes check firestore.indexes.json")
    }
    if action != .check, let file { throw ValidationError("Unexpected argument '\(file)'") }
    if write != nil, action != .missing {
      throw ValidationError("--write cannot be combined with '\(action.rawValue)'")
    }
  }

  func run() async throws {
    switch action {
    case .list: try await list()
    case .missing: try await missing()
    case .unused:
      let report = try await report()
      let unused = report["unused"]?.array ?? []
      show(unused, empty: Self.isOff(report) ? Self.unchecked : "every listed index was used")
    case .check: try await check(file ?? "")
    }
  }

  private func list() async throws {
    let configuration = try await server.ask("GET", path: path)
    if json { return print(String(decoding: configuration.prettyBytes, as: UTF8.self)) }
    show(
      (configuration["indexes"]?.array ?? []) + (configuration["fieldOverrides"]?.array ?? []),
      empty: "no indexes")
  }

  private func missing() async throws {
    let report = try await report()
    let missing = (report["missing"]?.array ?? []).filter { $0["served"]?.bool != true }
    if let write {
      // An empty report tells nothing, and is not to be taken for one.
      guard !Self.isOff(report) || !missing.isEmpty else { throw CommandFailure(Self.unchecked) }
      return try add(missing, to: write)
    }
    if json {
      for entry in missing { print(entry.text) }
      return
    }
    for line in IndexWords.lines(missing: missing) { print(line) }
    if missing.isEmpty {
      StandardError.say(Self.isOff(report) ? Self.unchecked : "nothing is missing")
    }
  }

  private static func isOff(_ report: JSON) -> Bool { report["mode"]?.string == "off" }

  private static let unchecked =
    "queries are not checked: `indexes` is off; start with --indexes warn"

  private func check(_ file: String) async throws {
    let configuration = try Self.read(file)
    let missing =
      try await server.ask("POST", path: path + ":check", body: configuration.json)["missing"]?
      .array ?? []
    for line in IndexWords.lines(missing: missing) { print(line) }
    guard missing.isEmpty else { throw ExitCode.failure }
    // Otherwise a run of CI would pass that has checked nothing.
    guard try await !Self.isOff(report()) else { throw CommandFailure(Self.unchecked) }
    StandardError.say("\(file) has every index that was needed")
  }

  private func add(_ missing: [JSON], to file: String) throws {
    let isNew = !FileManager.default.fileExists(atPath: file)
    let known = isNew ? IndexConfiguration() : try Self.read(file)
    var merged = known
    for entry in missing {
      guard let json = entry["configuration"] else { continue }
      merged = merged.merged(with: try IndexConfiguration(json))
    }
    let text = merged.json.prettyBytes + [UInt8(ascii: "\n")]
    try Data(text).write(to: URL(fileURLWithPath: file), options: .atomic)
    let added = merged.indexes.count - known.indexes.count
    let overrides = merged.overrides.count { !known.overrides.contains($0) }
    print("Added \(added + overrides) to \(file).")
  }

  private static func read(_ file: String) throws -> IndexConfiguration {
    guard let data = FileManager.default.contents(atPath: file) else {
      throw CommandFailure("cannot read \(file)")
    }
    do throws(IndexFileError) {
      return try IndexConfiguration(reading: Array(data))
    } catch {
      throw CommandFailure(
        error.mistakes.map { "\(file): \($0.description)" }.joined(separator: "\n"))
    }
  }

  private func show(_ entries: [JSON], empty: String) {
    for entry in entries { print(json ? entry.text : IndexWords.line(entry)) }
    if entries.isEmpty { StandardError.say(empty) }
  }

  private func report() async throws -> JSON { try await server.ask("GET", path: path + ":report") }

  private var path: String {
    let database = PercentCoding.encodeComponent(database)
    return "/emulator/v1/projects/\(server.projectSegment)/databases/\(database)/indexes"
  }
}

/// Reports about indexes in words.
enum IndexWords {
  /// The reports of several databases.
  static func lines(_ reports: [JSON]) -> [String] {
    let missing = reports.flatMap { $0["missing"]?.array ?? [] }
      .filter { $0["served"]?.bool != true }
    let unused = reports.flatMap { $0["unused"]?.array ?? [] }
    var lines = ["Indexes: \(missing.count) queries miss one, \(unused.count) were not used."]
    lines += Self.lines(missing: missing)
    lines += unused.map { "not used: \(line($0))" }
    return lines
  }

  /// Each query with what it lacks.
  static func lines(missing: [JSON]) -> [String] {
    missing.flatMap { entry in
      var lines = ["missing: \(entry["query"]?.string ?? "")"]
      if let count = entry["count"]?.integer, let operation = entry["operation"]?.string {
        let caller = entry["caller"]?.string ?? ""
        lines.append("  \(count == 1 ? "once" : "\(count) times"), first \(operation) by \(caller)")
      }
      return lines + (entry["indexes"]?.array ?? []).map { "  \(line($0))" }
    }
  }

  /// `cities COLLECTION (a ASC, b DESC)`
  static func line(_ index: JSON) -> String {
    let group = index["collectionGroup"]?.string ?? ""
    if let path = index["fieldPath"]?.string {
      let modes = (index["indexes"]?.array ?? []).map {
        "\($0["queryScope"]?.string ?? "COLLECTION") \(mode($0))"
      }
      return
        "\(group) single field \(path): \(modes.isEmpty ? "none" : modes.joined(separator: ", "))"
    }
    let fields = (index["fields"]?.array ?? []).map {
      "\($0["fieldPath"]?.string ?? "") \(mode($0))"
    }
    let scope = index["queryScope"]?.string ?? "COLLECTION"
    return "\(group) \(scope) (\(fields.joined(separator: ", ")))"
  }

  private static func mode(_ field: JSON) -> String {
    if let order = field["order"]?.string { return order == "DESCENDING" ? "DESC" : "ASC" }
    if field["arrayConfig"] != nil { return "CONTAINS" }
    if let dimension = field["vectorConfig"]?["dimension"]?.integer {
      return "VECTOR<\(dimension)>"
    }
    return "SEARCH"
  }
}

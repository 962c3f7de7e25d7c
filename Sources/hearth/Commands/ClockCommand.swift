import ArgumentParser
import HearthTime
import HearthWire

/// `hearth clock`: shows or moves the time of a project.
struct ClockCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clock", abstract: "Show or move the time of a project.",
    usage: "hearth clock [<options>]")

  @Option(
    parsing: .unconditional, help: "Move the clock by this duration, such as 2h, -1d or PT2H.")
  var advance: String?

  @Option(help: "Set the clock to this time, such as 2027-01-31T09:30:00Z.")
  var set: String?

  @Flag(help: "Stop the clock.")
  var freeze = false

  @Flag(name: [.long, .customLong("unfreeze")], help: "Let a stopped clock run.")
  var run = false

  @Flag(help: "Return to real time.")
  var reset = false

  @OptionGroup var server: ServerAddress

  func validate() throws {
    if freeze && run { throw ValidationError("--freeze and --run cannot be combined") }
    if reset, advance != nil || set != nil || freeze || run {
      throw ValidationError("--reset cannot be combined with other changes")
    }
    if let advance, Duration(written: advance) == nil {
      throw ValidationError("--advance: '\(advance)' is not a duration such as 2h, -1d or PT2H")
    }
    if let set, Timestamp(iso8601: set) == nil {
      throw ValidationError("--set: '\(set)' is not a time such as 2027-01-31T09:30:00Z")
    }
  }

  func run() async throws {
    let path = "/emulator/v1/projects/\(server.projectSegment)/clock"
    var body = JSONObject()
    body["advance"] = advance.json
    body["now"] = set.json
    if freeze || run { body["frozen"] = .bool(freeze) }
    let answer: JSON
    if reset {
      answer = try await server.ask("DELETE", path: path)
    } else if body.members.isEmpty {
      answer = try await server.ask("GET", path: path)
    } else {
      answer = try await server.ask(
        "PATCH", path: path, body: .object(body), words: ["/advance": "--advance", "/now": "--set"])
    }
    print(answer["now"]?.string ?? "")
    // Apart from the time, which scripts read.
    if answer["frozen"]?.bool == true { StandardError.say("the clock is stopped") }
    if let offset = answer["offset"]?.string, offset != "PT0S" {
      StandardError.say("the clock is \(offset) from real time")
    }
  }
}

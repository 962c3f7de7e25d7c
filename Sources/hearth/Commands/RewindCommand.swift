import ArgumentParser
import HearthTime
import HearthWire

/// `hearth rewind`: makes a project of what another one was.
struct RewindCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rewind", abstract: "Create a project from a moment of another one's past.",
    usage: "hearth rewind (--request <number> | --time <time>) [<options>]",
    discussion: """
      Documents are those of the moment. What cannot be rebuilt is printed.

      hearth rewind --request 42
      hearth rewind --time 2027-01-31T09:30:00Z --to demo-then
      """)

  @Option(help: "The moment after this request of the log, by its number.") var request: Int64?
  @Option(help: "A time of the project's clock, such as 2027-01-31T09:30:00Z.") var time: String?
  @Option(help: "The id of the new project (PROJECT-rewind).") var to: String?
  @OptionGroup var server: ServerAddress

  func validate() throws {
    guard (request == nil) != (time == nil) else {
      throw ValidationError("give either --request or --time")
    }
    if let time, Timestamp(iso8601: time) == nil {
      throw ValidationError("--time: '\(time)' is not a time such as 2027-01-31T09:30:00Z")
    }
  }

  func run() async throws {
    var body = JSONObject()
    body["request"] = request.map(JSON.int)
    body["time"] = time.json
    body["to"] = to.json
    let made = try await server.ask(
      "POST", path: "/emulator/v1/projects/\(server.projectSegment)/rewind", body: .object(body),
      words: ["/to": "the project '\(to ?? "")'"])
    print("Created project \(made["project"]?.string ?? "").")
    for sentence in made["notRebuilt"]?.array ?? [] { print(sentence.string ?? "") }
  }
}

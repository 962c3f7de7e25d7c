import ArgumentParser
import HearthWire

/// `hearth app-check report`: which calls App Check would refuse.
struct AppCheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "app-check", abstract: "Show which calls App Check would refuse, or get a token.",
    usage: "hearth app-check [<action>] [<options>]",
    discussion: """
      hearth app-check report    calls without a token that counts, since the start
      hearth app-check clear     begin a new report
      hearth app-check token     print a token for a test
      """)

  enum Action: String, ExpressibleByArgument, CaseIterable { case report, clear, token }

  @Argument(help: "What to do: report, clear or token.") var action: Action = .report

  @Option(help: "The id of the app that the token is for.") var app: String?

  @Flag(help: "A token that is to be used once.") var limitedUse = false

  @Flag(help: "Print JSON.") var json = false

  @OptionGroup var server: ServerAddress

  func validate() throws {
    if action != .token, app != nil || limitedUse {
      throw ValidationError("--app and --limited-use are for 'hearth app-check token'")
    }
  }

  func run() async throws {
    let path = "/emulator/v1/projects/\(server.projectSegment)/appCheck"
    switch action {
    case .report:
      let state = try await server.ask("GET", path: path)
      let report = state["report"] ?? [:]
      if json { return print(String(decoding: report.prettyBytes, as: UTF8.self)) }
      for line in AppCheckWords.lines(report) { print(line) }
      if state["auth"]?.string == "off", state["firestore"]?.string == "off" {
        StandardError.say("calls are not counted: App Check is off")
      }
    case .clear: _ = try await server.ask("DELETE", path: path)
    case .token:
      var body = JSONObject()
      body["appId"] = app.json
      if limitedUse { body["limitedUse"] = true }
      let answer = try await server.ask(
        "POST", path: path + ":token", body: .object(body), words: ["/appId": "--app"])
      print(json ? answer.text : answer["token"]?.string ?? "")
    }
  }
}

/// What is said of a report.
enum AppCheckWords {
  static func lines(_ report: JSON) -> [String] {
    let verified = report["verified"]?.integer ?? 0
    let details = (report["calls"]?.array ?? []).compactMap(line)
    return [summary(report) + " (\(verified) verified)"] + details
  }

  /// `3 calls would be refused in production`.
  static func summary(_ report: JSON) -> String {
    let (unverified, refused) = (unverified(report), report["refused"]?.integer ?? 0)
    let calls = unverified == 1 ? "1 call" : "\(unverified) calls"
    return refused == unverified && refused > 0
      ? "App Check: \(calls) refused, as in production"
      : "App Check: \(calls) would be refused in production"
  }

  static func unverified(_ report: JSON) -> Int64 { report["unverified"]?.integer ?? 0 }

  private static let kinds = [
    ("invalid", "invalid"), ("outdatedClient", "outdated client"),
    ("unknownOrigin", "unknown origin"),
  ]

  /// `  2 × identitytoolkit.accounts.signUp by curl/8: unknown origin (missing)`.
  private static func line(_ call: JSON) -> String? {
    let found = kinds.filter { (call[$0.0]?.integer ?? 0) > 0 }
    guard !found.isEmpty else { return nil }
    let count = found.reduce(Int64(0)) { $0 + (call[$1.0]?.integer ?? 0) }
    let words = found.map(\.1).joined(separator: ", ")
    return "  \(count) × \(call["operation"]?.string ?? "") by \(call["caller"]?.string ?? "")"
      + ": \(words) (\(call["verdict"]?.string ?? ""))"
  }
}

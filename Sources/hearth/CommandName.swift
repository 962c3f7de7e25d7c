import ArgumentParser
import HearthWire

/// The name of a subcommand, as it was typed.
enum CommandName {
  /// The commands that the help shows.
  private static let known = [
    "serve", "exec", "mail", "export", "import", "seed", "health", "routes", "clock", "fault",
    "snapshot", "indexes", "doctor", "service-account", "trust", "mcp", "limits", "version", "help",
    "emulators:start",
    "emulators:exec",
  ]

  /// The error about the first word, if it looks like a subcommand and is not one. The parser would
  /// take it for an argument of `serve`, which has none.
  static func mistake(in arguments: [String]) -> String? {
    guard let word = arguments.first, !word.hasPrefix("-"), !known.contains(word),
      word != "settings"
    else { return nil }
    let all = "the commands are \(known.joined(separator: ", "))"
    guard let near = nearest(to: word) else { return "unknown command '\(word)'; \(all)" }
    return "unknown command '\(word)'; did you mean '\(near)'?"
  }

  private static func nearest(to word: String) -> String? {
    let ranked = known.map { ($0, word.editDistance(to: $0)) }.sorted { $0.1 < $1.1 }
    return ranked.first.flatMap { $0.1 <= max(1, word.count / 2) ? $0.0 : nil }
  }
}

/// `hearth version`: the same as `--version`.
struct VersionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "version", abstract: "Print the version.")

  func run() { print(HearthCommand.version) }
}

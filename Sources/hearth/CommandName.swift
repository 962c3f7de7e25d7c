import ArgumentParser
import HearthWire

/// The name of a subcommand, as it was typed.
enum CommandName {
  /// The commands that the help shows.
  private static let known = [
    "serve", "exec", "mail", "inbox", "push", "export", "import", "seed", "health", "ps", "routes",
    "clock", "fault", "snapshot", "rewind", "indexes", "links", "app-check", "doctor",
    "service-account",
    "trust", "mcp", "limits", "version", "help", "emulators:start", "emulators:exec", "auth:export",
    "auth:import",
  ]

  /// Commands of Firebase's tools that are called otherwise here.
  private static let official = ["emulators:export": "export"]

  /// The error about the first word, if it looks like a subcommand and is not one; or about the
  /// word after `help`. The parser would take it for an argument of `serve`, which has none.
  static func mistake(in arguments: [String]) -> String? {
    let words = arguments.first == "help" ? arguments.dropFirst() : arguments[...]
    guard let word = words.first, !word.hasPrefix("-"), !known.contains(word),
      word != "settings"
    else { return nil }
    if let own = official[word] {
      let line = ["hearth", own] + words.dropFirst()
      return "unknown command '\(word)'; the command is: \(line.joined(separator: " "))"
    }
    guard let near = known.nearest(to: word) else {
      return "unknown command '\(word)'; the commands are \(known.joined(separator: ", "))"
    }
    return "unknown command '\(word)'; did you mean '\(near)'?"
  }
}

/// `hearth version`: the same as `--version`.
struct VersionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "version", abstract: "Print the version.")

  func run() { print(HearthCommand.version) }
}

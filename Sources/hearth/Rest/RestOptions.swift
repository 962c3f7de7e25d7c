import ArgumentParser
import HearthSuite
import Subprocess

/// Whether the official suite's other emulators run beside this server.
struct RestOptions: ParsableArguments {
  @Flag(
    help: "Run the other emulators of firebase.json beside Hearth, with firebase-tools.")
  var withRest = false

  @OptionGroup var tools: ToolsOptions

  /// Nil where nothing is wanted.
  func wish(takesFreePorts: Bool = false) -> Rest.Wish? {
    guard withRest else { return nil }
    return Rest.Wish(tools: tools.firebaseTools, takesFreePorts: takesFreePorts, isAsked: true)
  }
}

/// Where the official tools are.
struct ToolsOptions: ParsableArguments {
  @Option(
    help: "The firebase command. (default: the one in node_modules/.bin or PATH)",
    completion: .file())
  var firebaseTools: String?
}

extension SuiteMember {
  /// The variables of the emulators that run, for a command.
  static func variables(_ addresses: [String: String]) -> [Environment.Key: String?] {
    var values: [Environment.Key: String?] = [:]
    for (name, value) in environment(addresses) {
      values[Environment.Key(stringLiteral: name)] = value
    }
    return values
  }
}

import ArgumentParser
import HearthServer
import HearthWire
import HearthYAML

/// `hearth seed`: prints the schema of seeds, and a running server's project as a seed.
struct SeedCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "seed", abstract: "Print the schema of seed files, or a project as a seed.",
    discussion: "hearth seed --schema > seed.schema.json",
    subcommands: [Dump.self])

  @Flag(help: "Print the JSON Schema of seeds, for editors that complete and check them.")
  var schema = false

  func run() throws {
    guard schema else { throw CleanExit.helpRequest(Self.self) }
    print(WebFiles.`seed.schema.json`)
  }

  struct Dump: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "dump", abstract: "Print a project as a seed.",
      usage: "hearth seed dump [<options>]",
      discussion: "Rules are not included: a seed names their file.")

    enum Format: String, ExpressibleByArgument, CaseIterable {
      case json, yaml
    }

    @OptionGroup var server: ServerAddress

    @Option(help: "json or yaml.")
    var format = Format.json

    func run() async throws {
      let seed = try await server.ask(
        "GET", path: "/emulator/v1/projects/\(server.projectSegment)/seed")
      switch format {
      case .json: print(String(decoding: seed.prettyBytes, as: UTF8.self))
      case .yaml: print(YAMLText.of(seed), terminator: "")
      }
    }
  }
}

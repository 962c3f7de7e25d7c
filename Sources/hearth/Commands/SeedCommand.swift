import ArgumentParser
import HearthServer
import HearthWire

/// `hearth seed dump`: writes a running server's project as a seed.
struct SeedCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "seed", abstract: "Work with seeds, which --seed reads.",
    subcommands: [Dump.self])

  struct Dump: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "dump", abstract: "Print a project as a seed.",
      discussion: "Rules are not in it: a seed names their file.")

    enum Format: String, ExpressibleByArgument, CaseIterable {
      case json, yaml
    }

    @OptionGroup var server: ServerAddress

    @Option(help: "json or yaml.")
    var format = Format.json

    func run() async throws {
      let seed = try await server.ask("GET", "/emulator/v1/projects/\(server.projectSegment)/seed")
      switch format {
      case .json: print(String(decoding: seed.prettyBytes, as: UTF8.self))
      case .yaml: print(YAMLText.of(seed), terminator: "")
      }
    }
  }
}

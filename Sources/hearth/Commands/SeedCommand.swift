import ArgumentParser
import HearthServer
import HearthWire
import HearthYAML

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `hearth seed`: puts a seed into a project of a running server, prints a project as a seed, and the
/// schema of seeds.
struct SeedCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "seed",
    abstract: "Load a seed, print a project as a seed, or the schema of seed files.",
    discussion: "hearth seed --schema > seed.schema.json",
    subcommands: [Load.self, Dump.self])

  @Flag(help: "Print the JSON Schema of seeds, for editors that complete and check them.")
  var schema = false

  func run() throws {
    guard schema else { throw CleanExit.helpRequest(Self.self) }
    print(WebFiles.`seed.schema.json`)
  }

  struct Load: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "load", abstract: "Put a seed into a project of a running server.",
      usage: "hearth seed load <file> [<options>]",
      discussion: "The files that the seed names are read by the server.")

    @Argument(help: "The seed, YAML or JSON.") var file: String

    @OptionGroup var server: ServerAddress

    func run() async throws {
      let path = URL(fileURLWithPath: file).path
      guard let data = FileManager.default.contents(atPath: path),
        let content = String(validating: data, as: UTF8.self)
      else { throw CommandFailure("cannot read \(file)") }
      _ = try await server.ask(
        "POST", path: "/emulator/v1/projects/\(server.projectSegment)/seed",
        body: .members(["content": .string(content), "path": .string(path)]))
      print("Loaded \(file).")
    }
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

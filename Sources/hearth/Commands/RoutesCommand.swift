import ArgumentParser
import HearthGoogle
import HearthOperations
import HearthServer
import HearthWire

/// `hearth routes`: the route table.
struct RoutesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "routes", abstract: "List every operation, and whether it is implemented.")

  @Flag(help: "Print how each operation differs from the official emulator, as Markdown.")
  var differences = false

  @Flag(help: "Print what production has and --as-google does not, as Markdown.")
  var asGoogle = false

  func run() {
    if asGoogle { return print(GoogleDifferences.markdown) }
    if differences {
      print(Differences.markdown)
      return
    }
    for route in RouteCatalogue.all + RouteCatalogue.ofHub {
      let state = route.isImplemented ? "built" : "501"
      print(
        [
          route.method, route.template.description, route.id, route.credential.rawValue, state,
        ].joined(separator: "\t"))
    }
  }
}

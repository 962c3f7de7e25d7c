import ArgumentParser
import HearthCore
import HearthServer
import HearthStore

/// `hearth routes`: the route table.
struct RoutesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "routes", abstract: "List every operation, and whether it is built.")

  func run() {
    for route in RouteCatalogue.all {
      let state = route.isImplemented ? "built" : "501"
      print(
        [
          route.method, route.template.description, route.id, route.credential.rawValue, state,
        ].joined(separator: "\t"))
    }
  }
}

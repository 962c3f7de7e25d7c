import HearthWire

/// Goes back to a snapshot.
enum RestoreSnapshot: Tool {
  static let name = "restore"
  static let summary = """
    Restores the project to a snapshot. Later changes are lost; tokens issued since then are \
    refused.
    """
  static let example: JSON = ["name": "seeded"]
  static let effect = ToolEffect.replaces
  static let parameters = [
    Parameter("name", kind: .string, text: "The name given to snapshot.", isRequired: true),
    Parameter("keepClock", kind: .boolean, text: "Leave the project's clock as it is."),
  ]

  static func run(
    _ arguments: Arguments, in project: HearthProject
  ) async throws(ToolFailure) -> JSON {
    let name = PercentCoding.encodeComponent(arguments.string("name") ?? "")
    do throws(ToolFailure) {
      return try await project.control(
        "POST", path: "/snapshots/\(name):restore", body: .object(arguments.only("keepClock")))
    } catch {
      let list = try await project.control("GET", path: "/snapshots")
      let names = (list["snapshots"]?.array ?? []).compactMap { $0["name"]?.string }.prefix(20)
      throw ToolFailure(
        error.reason,
        next: names.isEmpty
          ? "The project has no snapshots. Make one with the tool snapshot."
          : "Snapshots: \(names.joined(separator: ", ")).")
    }
  }
}

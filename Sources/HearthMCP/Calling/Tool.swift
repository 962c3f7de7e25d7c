import HearthWire

/// One tool: its name, what it takes, and what it does.
protocol Tool: Sendable {
  static var name: String { get }
  /// What it does, in a sentence or two.
  static var summary: String { get }
  static var parameters: [Parameter] { get }
  /// Arguments of a typical call.
  static var example: JSON { get }
  static var effect: ToolEffect { get }

  static func run(
    _ arguments: Arguments, in project: HearthProject
  ) async throws(ToolFailure) -> JSON
}

/// What a call may change, which clients ask about.
enum ToolEffect {
  case reads, adds, replaces
}

extension Tool {
  /// As `tools/list` describes it.
  static var description: JSON {
    let all = parameters + [Parameter.project]
    return .members([
      "name": .string(name), "description": .string("\(summary) Example: \(example.text)"),
      "inputSchema": .members([
        "type": "object",
        "properties": .object(JSONObject(members: all.map { ($0.name, $0.schema) })),
        "required": .strings(all.filter(\.isRequired).map(\.name)),
        "additionalProperties": false,
      ]),
      "annotations": .members([
        "readOnlyHint": .bool(effect == .reads), "destructiveHint": .bool(effect == .replaces),
        "openWorldHint": false,
      ]),
    ])
  }
}

/// All tools, in the order in which they are listed.
enum ToolTable {
  static let all: [any Tool.Type] = [
    WaitForMail.self, OpenLink.self, RegisterDevice.self, CreateUser.self, SignIn.self,
    MintToken.self, Query.self, Write.self, ExplainDenial.self, TryRules.self, MissingIndexes.self,
    AdvanceClock.self,
    AddFault.self, TakeSnapshot.self, RestoreSnapshot.self, Rewind.self, Requests.self,
  ]

  static func tool(_ name: String) -> (any Tool.Type)? { all.first { $0.name == name } }

  static func advice(on name: String) -> String { nearest(to: name, of: all.map { $0.name }) }

  /// A question about the nearest name, or all of them.
  static func nearest(to name: String, of names: [String]) -> String {
    let near = names.map { ($0, name.editDistance(to: $0)) }.min { $0.1 < $1.1 }
    if let near, near.1 <= max(1, near.0.count / 2) { return "Did you mean \(near.0)?" }
    return "There are: \(names.joined(separator: ", "))."
  }
}

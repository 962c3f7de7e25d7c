package import HearthWire

/// A server that runs, as the others of its user see it.
package struct Instance: Sendable, Equatable {
  package var process: Int32
  /// What was called, such as `exec -- npm test`.
  package var command: String
  /// Where it was called.
  package var folder: String
  package var project: String
  package var version: String
  /// In milliseconds since 1970.
  package var startedAt: Int64
  /// By what they are for, in the order in which they are shown.
  package var ports: [Port]

  package struct Port: Sendable, Equatable {
    package let name: String
    package let number: Int

    package init(name: String, number: Int) {
      self.name = name
      self.number = number
    }
  }

  package init(
    process: Int32, command: String, folder: String, project: String, version: String,
    startedAt: Int64, ports: [Port]
  ) {
    self.process = process
    self.command = command
    self.folder = folder
    self.project = project
    self.version = version
    self.startedAt = startedAt
    self.ports = ports
  }

  /// Nil for anything else.
  package init?(_ json: JSON) {
    guard let process = json["process"]?.integer.flatMap(Int32.init(exactly:)), process > 0,
      let folder = json["folder"]?.string, let project = json["project"]?.string,
      let startedAt = json["startedAt"]?.integer, let ports = json["ports"]?.object
    else { return nil }
    self.init(
      process: process, command: json["command"]?.string ?? "", folder: folder, project: project,
      version: json["version"]?.string ?? "", startedAt: Int64(startedAt),
      ports: ports.members.compactMap { name, number in
        number.integer.flatMap(Int.init(exactly:)).map { Port(name: name, number: $0) }
      })
  }

  /// The text of a folder or a command in one line: what would break the line, steer a terminal or
  /// turn the reading order is written as its number.
  package static func shown(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { shown, scalar in
      let properties = scalar.properties
      switch properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator:
        shown += "\\u{\(String(scalar.value, radix: 16))}"
      case _ where properties.isBidiControl: shown += "\\u{\(String(scalar.value, radix: 16))}"
      default: shown.unicodeScalars.append(scalar)
      }
    }
  }

  package var json: JSON {
    .members([
      "process": .int(Int64(process)), "command": .string(command), "folder": .string(folder),
      "project": .string(project), "version": .string(version), "startedAt": .int(startedAt),
      "ports": .object(
        JSONObject(members: ports.map { (key: $0.name, value: .int(Int64($0.number))) })),
    ])
  }
}

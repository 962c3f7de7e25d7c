import ArgumentParser
import HearthInstances
import HearthTime
import HearthWire

/// `hearth ps`: the servers of this user that run.
struct PsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ps",
    abstract: "List the running servers of this user: project, ports, age and folder.")

  @Flag(help: "Print JSON, a line for each server.")
  var json = false

  func run() {
    let instances = InstanceFolder.standard.running()
    if json {
      for instance in instances { print(instance.json.text) }
      return
    }
    guard !instances.isEmpty else { return warn("no hearth is running") }
    let now = SystemClock().now.milliseconds
    let header = ["PROCESS", "PROJECT", "PORTS", "AGE", "FOLDER", "COMMAND"]
    for line in Self.table([header] + instances.map { Self.row($0, at: now) }) { print(line) }
  }

  private static func row(_ instance: Instance, at now: Int64) -> [String] {
    [
      String(instance.process), instance.project,
      instance.ports.map { "\($0.name) \($0.number)" }.joined(separator: ", "),
      age(ofMilliseconds: now - instance.startedAt), Instance.shown(instance.folder),
      Instance.shown(instance.command),
    ]
  }

  /// In the largest unit that says something.
  static func age(ofMilliseconds age: Int64) -> String {
    let seconds = max(0, age / 1000)
    return switch seconds {
    case ..<120: "\(seconds) s"
    case ..<7200: "\(seconds / 60) min"
    case ..<172_800: "\(seconds / 3600) h"
    default: "\(seconds / 86400) d"
    }
  }

  /// Columns as wide as their longest cell; the last one has no end.
  private static func table(_ rows: [[String]]) -> [String] {
    let widths = (rows.first ?? []).indices.map { column in
      rows.map { $0[column].count }.max() ?? 0
    }
    return rows.map { row in
      let cells = zip(row, widths).map { cell, width in
        cell + String(repeating: " ", count: width - cell.count)
      }
      var line = cells.joined(separator: "  ")
      while line.hasSuffix(" ") { line.removeLast() }
      return line
    }
  }
}

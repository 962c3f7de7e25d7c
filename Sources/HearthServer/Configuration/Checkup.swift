import HearthDialects
import HearthExports
import HearthFirestoreRules
import Logging

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Whether a server would start with a configuration: its files, its directory and its ports. It
/// opens no port and changes nothing.
package struct Checkup {
  package enum Finding: Sendable {
    case good
    /// The server starts all the same.
    case warning
    case bad
  }

  package struct Line: Sendable {
    package let finding: Finding
    package let subject: String
    package let words: String
  }

  package private(set) var lines: [Line] = []

  package init(_ configuration: Configuration) {
    addSettings(configuration)
    addRules(configuration)
    addFiles(configuration)
    addData(configuration)
    addPorts(configuration)
  }

  private mutating func add(_ finding: Finding, _ subject: String, _ words: String) {
    lines.append(Line(finding: finding, subject: subject, words: words))
  }

  private mutating func addSettings(_ configuration: Configuration) {
    add(.good, "settings", configuration.settingsPath ?? "no firebase.json here or above")
    for warning in configuration.warnings { add(.warning, "settings", warning) }
    do {
      try configuration.checkTLS()
    } catch {
      add(.bad, "settings", error.description)
    }
    add(.good, "project", configuration.project)
  }

  private mutating func addRules(_ configuration: Configuration) {
    let paths = configuration.rulesPaths
    if paths.isEmpty { add(.warning, "rules", "none: \(configuration.effectWithoutRules)") }
    for path in paths {
      do throws(ConfigurationError) {
        let rules = try Configuration.readRules(path)
        for warning in rules.parts.flatMap(\.warnings) {
          add(.warning, "rules", "\(path):\(warning.description)")
        }
        add(.good, "rules", path)
      } catch {
        add(.bad, "rules", error.description)
      }
    }
  }

  private mutating func addFiles(_ configuration: Configuration) {
    for path in Set(configuration.indexFiles.values).sorted() {
      do throws(ConfigurationError) {
        _ = try Configuration.readIndexes(path)
        add(.good, "indexes", path)
      } catch {
        add(configuration.requiresIndexFiles ? .bad : .warning, "indexes", error.description)
      }
    }
    for path in configuration.seedPaths {
      do {
        _ = try SeedFile(path: path).read(for: configuration.project)
        add(.good, "seed", path)
      } catch {
        add(.bad, "seed", "\(error)")
      }
    }
    if let path = configuration.importPath {
      let isThere = FileManager.default.fileExists(atPath: path)
      add(isThere ? .good : .bad, "import", isThere ? path : "not found: \(path)")
    }
    do throws(ConfigurationError) {
      _ = try configuration.dialects()
      for path in configuration.dialectPaths { add(.good, "dialect", path) }
    } catch {
      add(.bad, "dialect", error.description)
    }
  }

  private mutating func addData(_ configuration: Configuration) {
    guard let directory = configuration.dataDirectory else {
      return add(.good, "data", "in memory")
    }
    guard FileManager.default.fileExists(atPath: directory) else {
      return add(.good, "data", "\(directory), which will be created")
    }
    guard Directories.exists(directory) else {
      return add(.bad, "data", "'\(directory)' is a file (--data)")
    }
    let isWritable = access(directory, W_OK) == 0
    add(
      isWritable ? .good : .bad, "data",
      isWritable ? directory : "no permission to write in \(directory) (--data)")
  }

  private mutating func addPorts(_ configuration: Configuration) {
    let dialectPorts = (try? configuration.dialects())?.ports ?? []
    for plan in PortPlan.all(configuration, dialectPorts) where plan.port > 0 {
      let isTaken = PortProbe.isTaken(plan.port, at: configuration.host)
      let place = "port \(plan.port)"
      guard isTaken else {
        add(.good, place, "free (\(plan.flag))")
        continue
      }
      add(
        plan.isNeeded && !plan.mayMove ? .bad : .warning, place,
        plan.takenWords.replacing("\(place) is ", with: ""))
    }
    for plan in SmtpPlan.all(configuration) where plan.port > 0 {
      let isTaken = PortProbe.isTaken(plan.port, at: configuration.host)
      add(
        isTaken ? .warning : .good, "port \(plan.port)",
        isTaken
          ? "already in use\(PortOwner(of: plan.port)?.words ?? ""): SMTP is off (\(plan.flag))"
          : "free (\(plan.flag))")
    }
  }
}

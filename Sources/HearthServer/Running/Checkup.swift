import HearthDialects
import HearthExports
import HearthFirestoreRules
import HearthMailIn
import HearthSeeds
package import HearthSettings
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

  private mutating func add(_ finding: Finding, subject: String, words: String) {
    lines.append(Line(finding: finding, subject: subject, words: words))
  }

  private mutating func addSettings(_ configuration: Configuration) {
    add(
      .good, subject: "settings",
      words: configuration.settingsPath ?? "no firebase.json here or above")
    for warning in configuration.warnings { add(.warning, subject: "settings", words: warning) }
    do {
      try configuration.checkTLS()
    } catch {
      add(.bad, subject: "settings", words: error.description)
    }
    add(.good, subject: "project", words: configuration.project)
  }

  private mutating func addRules(_ configuration: Configuration) {
    let paths = configuration.rulesPaths
    if paths.isEmpty {
      add(.warning, subject: "rules", words: "none: \(configuration.effectWithoutRules)")
    }
    for path in paths {
      do throws(ConfigurationError) {
        let rules = try Configuration.readRules(path)
        for warning in rules.parts.flatMap(\.warnings) {
          add(.warning, subject: "rules", words: "\(path):\(warning.description)")
        }
        add(.good, subject: "rules", words: path)
      } catch {
        add(.bad, subject: "rules", words: error.description)
      }
    }
  }

  private mutating func addFiles(_ configuration: Configuration) {
    for path in Set(configuration.indexFiles.values).sorted() {
      do throws(ConfigurationError) {
        _ = try Configuration.readIndexes(path)
        add(.good, subject: "indexes", words: path)
      } catch {
        add(
          configuration.requiresIndexFiles ? .bad : .warning, subject: "indexes",
          words: error.description)
      }
    }
    for path in configuration.seedPaths {
      do {
        _ = try SeedFile(path: path).read(for: configuration.project)
        add(.good, subject: "seed", words: path)
      } catch {
        add(.bad, subject: "seed", words: "\(error)")
      }
    }
    if let path = configuration.importPath {
      let isThere = FileManager.default.fileExists(atPath: path)
      add(isThere ? .good : .bad, subject: "import", words: isThere ? path : "not found: \(path)")
    }
    do throws(ConfigurationError) {
      _ = try configuration.dialects()
      for path in configuration.dialectPaths { add(.good, subject: "dialect", words: path) }
    } catch {
      add(.bad, subject: "dialect", words: error.description)
    }
  }

  private mutating func addData(_ configuration: Configuration) {
    guard let directory = configuration.dataDirectory else {
      return add(.good, subject: "data", words: "in memory")
    }
    guard FileManager.default.fileExists(atPath: directory) else {
      return add(.good, subject: "data", words: "\(directory), which will be created")
    }
    guard Directories.exists(directory) else {
      return add(.bad, subject: "data", words: "'\(directory)' is a file (--data)")
    }
    let isWritable = access(directory, W_OK) == 0
    add(
      isWritable ? .good : .bad, subject: "data",
      words: isWritable ? directory : "no permission to write in \(directory) (--data)")
  }

  private mutating func addPorts(_ configuration: Configuration) {
    let dialectPorts = (try? configuration.dialects())?.ports ?? []
    for plan in PortPlan.all(configuration, dialectPorts: dialectPorts) where plan.port > 0 {
      let isTaken = PortProbe.isTaken(plan.port, at: configuration.host)
      let place = "port \(plan.port)"
      guard isTaken else {
        add(.good, subject: place, words: "free (\(plan.flag))")
        continue
      }
      add(
        plan.isNeeded && !plan.mayMove ? .bad : .warning, subject: place,
        words: plan.takenWords.replacing("\(place) is ", with: ""))
    }
    for plan in SmtpPlan.all(configuration) where plan.port > 0 {
      let isTaken = PortProbe.isTaken(plan.port, at: configuration.host)
      add(
        isTaken ? .warning : .good, subject: "port \(plan.port)",
        words: isTaken
          ? "already in use\(PortOwner(of: plan.port)?.words ?? ""): \(plan.name) is off (\(plan.flag))"
          : "free (\(plan.flag))")
    }
  }
}

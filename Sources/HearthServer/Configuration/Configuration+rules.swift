import HearthFirestore
import HearthFirestoreRules
import Logging

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Configuration {
  /// All files of rules, each once.
  var rulesPaths: [String] {
    Set([rulesPath].compactMap(\.self) + databaseRules.values).sorted()
  }

  /// The rules that apply to databases without rules of their own, after their warnings were logged.
  ///
  /// - Throws: ``ConfigurationError`` with line and column of the first mistake.
  func rules(_ logger: Logger) throws(ConfigurationError) -> RulesTable {
    var files: [String: Ruleset] = [:]
    for path in rulesPaths { files[path] = try Self.readRules(path, logger) }
    let text = try rulesText.map { text throws(ConfigurationError) in
      try Self.ruleset(text, of: nil)
    }
    return RulesTable(
      standard: rulesPath.map { files[$0] } ?? text,
      ofDatabases: databaseRules.compactMapValues { files[$0] }, budget: rulesBudget)
  }

  /// The rules of a file, after what is odd about them was logged.
  private static func readRules(
    _ path: String, _ logger: Logger
  ) throws(ConfigurationError) -> Ruleset {
    guard let source = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw ConfigurationError("cannot read the rules file \(path)")
    }
    let ruleset = try ruleset(source, of: path)
    for warning in ruleset.parts.flatMap(\.warnings) {
      logger.warning("\(path):\(warning.description)")
    }
    return ruleset
  }

  private static func ruleset(
    _ source: String, of path: String?
  ) throws(ConfigurationError) -> Ruleset {
    do throws(RuleSyntaxError) {
      let name = path?.split(separator: "/").last.map(String.init)
      return try Ruleset(files: [RuleFile(name: name, content: source)])
    } catch {
      throw ConfigurationError(
        "\(path ?? "rules"):\(error.line):\(error.column): \(error.message)")
    }
  }

  /// Reads a file of rules again. Rules with a mistake are not taken over.
  func readRulesAgain(_ path: String, into rules: RulesTable, _ logger: Logger) {
    do throws(ConfigurationError) {
      let ruleset = try Self.readRules(path, logger)
      if path == rulesPath { rules.replaceStandard(ruleset) }
      for database in databaseRules.keys where databaseRules[database] == path {
        rules.replaceStandard(ruleset, of: database)
      }
      logger.info("Read the rules of \(path) again.")
    } catch {
      logger.warning("The old rules stay: \(error.description)")
    }
  }
}

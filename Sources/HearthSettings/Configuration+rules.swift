package import HearthFirestore
package import HearthFirestoreRules
import HearthOperations
package import Logging

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Configuration {
  /// All files of rules, each once.
  package var rulesPaths: [String] {
    Set([rulesPath].compactMap(\.self) + databaseRules.values).sorted()
  }

  /// The file that a database has its rules from, if no others were set; nil where it has none of its
  /// own.
  package func rulesPath(of database: String) -> String? {
    databaseRules[database] ?? (database == "(default)" ? rulesPath : nil)
  }

  /// Whether Firestore refuses clients where nobody has set rules, as production does.
  package var refusesWithoutRules: Bool { profile == .production }

  /// What happens to the clients of a database that has no rules, in words.
  package var effectWithoutRules: String {
    refusesWithoutRules
      ? "every client is refused, as in production" : "Firestore is open to everybody"
  }

  /// The rules that apply to databases without rules of their own, after their warnings were logged.
  ///
  /// - Throws: ``ConfigurationError`` with line and column of the first mistake.
  package func rules(_ logger: Logger) throws(ConfigurationError) -> RulesTable {
    var files: [String: Ruleset] = [:]
    for path in rulesPaths { files[path] = try Self.readRules(path, logger: logger) }
    let text = try rulesText.map { text throws(ConfigurationError) in
      try Self.ruleset(text, of: nil)
    }
    let table = RulesTable(
      standard: rulesPath.map { files[$0] } ?? text,
      ofDatabases: databaseRules.compactMapValues { files[$0] }, budget: rulesBudget)
    table.observeRefusals { logger.warning("A client was refused: \(RulesTable.reason(of: $0))") }
    return table
  }

  /// The rules of a file.
  package static func readRules(_ path: String) throws(ConfigurationError) -> Ruleset {
    guard let source = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw ConfigurationError("cannot read the rules file \(path)")
    }
    return try ruleset(source, of: path)
  }

  /// The same, after what is odd about them was logged.
  private static func readRules(
    _ path: String, logger: Logger
  ) throws(ConfigurationError) -> Ruleset {
    let ruleset = try readRules(path)
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

  /// Makes what a file says the rules of all databases that have theirs from it.
  package func takeOver(_ ruleset: Ruleset, of path: String, into rules: RulesTable) {
    if path == rulesPath { rules.replaceStandard(ruleset) }
    for database in databaseRules.keys where databaseRules[database] == path {
      rules.replaceStandard(ruleset, of: database)
    }
  }

  /// Reads a file of rules again. Rules with a mistake are not taken over.
  package func readRulesAgain(_ path: String, into rules: RulesTable, logger: Logger) {
    do throws(ConfigurationError) {
      takeOver(try Self.readRules(path, logger: logger), of: path, into: rules)
      logger.info("Reloaded the rules from \(path).")
    } catch {
      logger.warning("Keeping the previous rules: \(error.description)")
    }
  }
}

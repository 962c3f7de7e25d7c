import HearthFirestore
import HearthFirestoreRules
import Logging

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Configuration {
  /// The rules that the configuration names.
  ///
  /// - Throws: ``ConfigurationError`` with line and column of the first mistake.
  func ruleset() throws(ConfigurationError) -> Ruleset? {
    guard let source = try rulesSource() else { return nil }
    do throws(RuleSyntaxError) {
      let name = rulesPath?.split(separator: "/").last.map(String.init)
      return try Ruleset(files: [RuleFile(name: name, content: source)])
    } catch {
      throw ConfigurationError(
        "\(rulesPath ?? "rules"):\(error.line):\(error.column): \(error.message)")
    }
  }

  private func rulesSource() throws(ConfigurationError) -> String? {
    guard let rulesPath else { return rulesText }
    guard let source = try? String(contentsOfFile: rulesPath, encoding: .utf8) else {
      throw ConfigurationError("cannot read the rules file \(rulesPath)")
    }
    return source
  }

  /// Says what is odd about rules that were read all the same.
  func report(_ ruleset: Ruleset, _ logger: Logger) {
    guard let rulesPath else { return }
    for warning in ruleset.parts.flatMap(\.warnings) {
      logger.warning("\(rulesPath):\(warning.description)")
    }
  }

  /// The rules that apply to databases without rules of their own, after their warnings were logged.
  func rules(_ logger: Logger) throws -> RulesTable {
    let standard = try ruleset()
    if let standard { report(standard, logger) }
    return RulesTable(standard: standard, budget: rulesBudget)
  }

  /// Reads the rules file again whenever it changes. Rules with a mistake are not taken over.
  func watchRules(_ rules: RulesTable, _ logger: Logger) async {
    guard let rulesPath else { return }
    await FileWatch(paths: [rulesPath]).run { path in
      do throws(ConfigurationError) {
        if let ruleset = try ruleset() {
          rules.replaceStandard(ruleset)
          report(ruleset, logger)
        }
        logger.info("Read the rules of \(path) again.")
      } catch {
        logger.warning("The old rules stay: \(error.description)")
      }
    }
  }
}

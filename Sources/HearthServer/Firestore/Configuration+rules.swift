import Firestore
import FirestoreRules
import Foundation
import Logging

extension Configuration {
  /// The rules that the configuration names.
  ///
  /// - Throws: ``ConfigurationError`` with line and column of the first mistake.
  func ruleset() throws(ConfigurationError) -> Ruleset? {
    guard let rulesPath else { return nil }
    guard let source = try? String(contentsOfFile: rulesPath, encoding: .utf8) else {
      throw ConfigurationError("cannot read the rules file \(rulesPath)")
    }
    do throws(RuleSyntaxError) {
      return try Ruleset(source: source)
    } catch {
      throw ConfigurationError("\(rulesPath):\(error.line):\(error.column): \(error.message)")
    }
  }

  /// Reads the rules file again whenever it changes. Rules with a mistake are not taken over.
  func watchRules(_ rules: RulesTable, _ logger: Logger) async {
    guard let rulesPath else { return }
    func modified() -> Date? {
      (try? FileManager.default.attributesOfItem(atPath: rulesPath))?[.modificationDate] as? Date
    }
    var known = modified()
    while !Task.isCancelled {
      try? await Task.sleep(for: .milliseconds(500))
      guard let now = modified(), now != known else { continue }
      known = now
      do throws(ConfigurationError) {
        if let ruleset = try ruleset() { rules.replaceStandard(ruleset) }
        logger.info("Read the rules of \(rulesPath) again.")
      } catch {
        logger.warning("The old rules stay: \(error.description)")
      }
    }
  }
}

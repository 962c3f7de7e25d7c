import FirestoreRules
import Foundation

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
}

/// What agents read who know only the server's address.
package enum AgentGuide {
  /// In the form of llmstxt.org.
  package static let text = WebFiles.`llms.txt`

  /// The same as a skill, for agents that load one.
  package static let skill = WebFiles.`SKILL.md`
}

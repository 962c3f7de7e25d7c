/// What agents read who know only the server's address.
package enum AgentGuide {
  /// Where the server is that serves the guide.
  package struct Place: Sendable {
    private let values: KeyValuePairs<String, String>

    /// `auth` and `firestore` are a host with a port.
    package init(
      auth: String, firestore: String, console: String, isSecure: Bool, project: String
    ) {
      values = [
        "{auth}": auth, "{firestore}": firestore, "{console}": console,
        "{scheme}": isSecure ? "https" : "http", "{project}": project,
      ]
    }

    fileprivate func filled(into text: String) -> String {
      values.reduce(text) { $0.replacing($1.key, with: $1.value) }
    }
  }

  /// In the form of llmstxt.org.
  package static func text(_ place: Place) -> String { place.filled(into: WebFiles.`llms.txt`) }

  /// The same as a skill, for agents that load one.
  package static let skill = WebFiles.`SKILL.md`
}

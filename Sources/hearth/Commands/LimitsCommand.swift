import ArgumentParser
import HearthLimits

/// `hearth limits`: the table of limits, of which the guide's page is made.
struct LimitsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "limits",
    abstract: "List the limits of Firestore, of rules and of Auth that are enforced.",
    discussion: """
      A line has what is bounded, the number, when it is enforced, the status and the words of the \
      refusal, and the source, with tabs between them.
      """)

  @Flag(help: "Print the tables as Markdown.")
  var markdown = false

  func run() {
    print(markdown ? Limit.markdown : Limit.lines.joined(separator: "\n"))
  }
}

import ArgumentParser
import HearthLimits

/// `hearth limits`: the table of limits, of which the guide's page is made.
struct LimitsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "limits",
    abstract: "List the limits of Firestore, of rules and of Auth that are enforced.",
    discussion: """
      Each line has the subject, the number, when it is enforced, the status and the message of \
      the refusal, and the source, separated by tabs.
      """)

  @Flag(help: "Print the tables as Markdown.")
  var markdown = false

  func run() {
    print(markdown ? Limit.markdown : Limit.lines.joined(separator: "\n"))
  }
}

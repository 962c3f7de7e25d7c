/// Why a document does not become a mail, as its field `delivery.error` says it.
struct MailProblem: Error, Equatable, CustomStringConvertible {
  let description: String

  /// A field has the wrong form.
  static func validation(_ words: String) -> MailProblem {
    MailProblem(description: "ValidationError: \(words)")
  }

  static func other(_ words: String) -> MailProblem { MailProblem(description: "Error: \(words)") }
}

import HearthErrors
import HearthIdentityToolkit
import HearthOperations
import HearthWire

/// Lists the codes of text messages that were not used yet, in the order of their sending.
enum ListVerificationCodes: Operation {
  static func run(
    _ request: NoFields, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    .json(["verificationCodes": .array(try VerificationCodes(in: project).allPending().map(\.json))]
    )
  }
}

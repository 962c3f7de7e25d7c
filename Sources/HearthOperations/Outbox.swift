package import HearthWire

/// What an operation wants done once its transaction has been committed.
package struct Outbox: Sendable {
  /// Lines for the console, word for word: scripts grep for them.
  package var lines: [String] = []
  package var warnings: [String] = []
  /// Warnings that a run of the server gives once, however often their reason comes.
  package var notices: Set<Notice> = []
  package var changes: [Change] = []
  /// For a functions emulator.
  package var userEvents: [JSON] = []

  package init() {}

  /// What users of the official emulator know as a warning for each request.
  package enum Notice: Sendable {
    case handlesCodeInApp
    case unverifiedCustomToken

    package var text: String {
      switch self {
      case .handlesCodeInApp:
        "canHandleCodeInApp has no effect: links in mails open Hearth's page, which leads to the "
          + "continueUrl. (Further ones are not mentioned.)"
      case .unverifiedCustomToken:
        "The signature of a custom token was not verified: only with --as-google Hearth has the key "
          + "of the service account. (Further ones are not mentioned.)"
      }
    }
  }
}

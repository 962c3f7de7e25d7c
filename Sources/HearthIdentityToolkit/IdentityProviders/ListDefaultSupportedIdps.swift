import HearthErrors
import HearthOperations
import HearthWire

/// The providers that need no description.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v2/defaultSupportedIdps/list
enum ListDefaultSupportedIdps: Operation {
  static let known: [(id: String, description: String)] = [
    ("apple.com", "Apple"), ("facebook.com", "Facebook"), ("gc.apple.com", "Game Center"),
    ("github.com", "GitHub"), ("google.com", "Google"), ("linkedin.com", "LinkedIn"),
    ("microsoft.com", "Microsoft"), ("playgames.google.com", "Play Games"),
    ("twitter.com", "Twitter"), ("yahoo.com", "Yahoo"),
  ]

  static func run(
    _ request: NoFields, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    let shown: [JSON] =
      switch try project.answers {
      case .emulator:
        known.map { ["idpId": .string($0.id), "description": .string($0.description)] }
      case .production: known.map { ["idpId": .string($0.id)] }
      }
    return .json(["defaultSupportedIdps": .array(shown)])
  }
}

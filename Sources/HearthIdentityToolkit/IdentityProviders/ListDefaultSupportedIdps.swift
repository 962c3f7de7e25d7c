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
    _ request: NoFields, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    let isProduction = try project.answersAsProduction
    return .json([
      "defaultSupportedIdps": .array(
        known.map {
          .members([
            "idpId": .string($0.id),
            "description": isProduction ? nil : .string($0.description),
          ])
        })
    ])
  }
}

import HearthErrors
import HearthIdentityToolkit
import HearthOperations

/// Where a link in a mail leads to.
enum ActionPlace {
  /// The official emulator's address: JSON for programs, a page for browsers.
  case emulator
  /// Production's address, which is a page.
  case authDomain

  /// Where the page's form goes.
  var path: String {
    switch self {
    case .emulator: "/emulator/action"
    case .authDomain: "/__/auth/action"
    }
  }

  /// Whether the answer is a page.
  func showsPage(_ context: Context) -> Bool {
    switch self {
    case .emulator: context.acceptsHTML
    case .authDomain: !context.asksForJSON
    }
  }
}

/// The page that links of production lead to.
enum AuthDomainAction: Operation {
  static func run(
    _ link: ActionLink.Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try ActionLink.run(link, at: .authDomain, in: project, context: context)
  }
}

/// The form of that page.
enum SubmitAuthDomainAction: Operation {
  static func run(
    _ request: SubmitActionForm.Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try ActionLink.run(request.link, at: .authDomain, in: project, context: context)
  }
}

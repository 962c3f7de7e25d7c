import HearthCore
import HearthStore

/// The page that stands in for every identity provider: pick an account, or make one up.
///
/// SDKs open it in a popup, navigate to it, or open it in a phone's browser.
enum AuthHandler: Operation {
  /// Nobody picks from a longer list.
  private static let longestList = 500

  static func run(
    _ request: WireRequest, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    let query = request.query
    guard query["apiKey"].isGiven, let providerId = query["providerId"].nonEmpty else {
      let problem = JSON.members([
        "authEmulator": .members([
          "error": "missing apiKey or providerId query parameters"
        ])
      ])
      return .answer(
        Answer(status: 400, body: .text(problem.text, contentType: HTML.contentType)))
    }
    let tenantId = query["tenantId"].nonEmpty ?? query["tid"].nonEmpty
    let owner = project.inTenant(tenantId)
    _ = try owner.tenant()
    let accounts = try owner.users(ofProvider: providerId, limit: longestList).compactMap {
      $0.provider(providerId)
    }
    let page = AuthHandlerPage(providerId: providerId, accounts: accounts)
    return .answer(Answer(status: 200, body: .text(page.html, contentType: HTML.contentType)))
  }
}

/// The frame through which the JS SDK hears of a sign-in. It is the same for everybody.
enum AuthIframe: Operation {
  static func run(
    _ request: WireRequest, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    .answer(Answer(status: 200, body: .text(AuthIframePage.html, contentType: HTML.contentType)))
  }
}

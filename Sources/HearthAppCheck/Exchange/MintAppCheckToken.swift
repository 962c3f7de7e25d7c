package import HearthErrors
package import HearthOperations
import HearthTime
import HearthWire

/// `projects.apps.mintAppCheckToken`: a token for a back end that attests its apps by itself.
package enum MintAppCheckToken: Operation {
  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try AppCheckAdmin.check(context)
    let app = try AppID.check(request)
    let limited = request.body["limitedUseConfig"]
    guard limited == nil || limited?.object != nil else {
      throw APIError(.invalidArgument, message: "limited_use_config must be an object.")
    }
    let claims = AppCheckClaims(
      of: app, lifetime: try AppCheckClaims.lifetime(request.body["tokenTtl"], named: "token_ttl"),
      isLimited: limited != nil, id: try LimitedUse.id(limited?["jti"]))
    return IssueAppCheckToken.outcome(claims, in: project) { $0.object ?? JSONObject() }
  }
}

enum LimitedUse {
  private static let longest = 250

  /// The id that the caller wants a token to have; tokens with one id count as one. Shorter ones than
  /// the 16 bytes of production are taken: tests have such.
  static func id(_ value: JSON?) throws(APIError) -> String? {
    guard let value, !value.isNull, value.string != "" else { return nil }
    guard let id = value.string, id.utf8.count <= longest else {
      throw APIError(.invalidArgument, message: "jti must be a text of at most 250 bytes.")
    }
    return id
  }
}

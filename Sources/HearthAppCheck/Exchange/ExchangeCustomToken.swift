package import HearthErrors
package import HearthOperations
import HearthServiceAccounts
import HearthTime
import HearthTokens
import HearthWire

/// A token for an app that a back end vouches for: `createToken` of the Admin SDK.
/// https://firebase.google.com/docs/reference/appcheck/rest/v1/projects.apps/exchangeCustomToken
///
/// Where Hearth knows the service account, its signature counts. Emulators do not ask for one.
package enum ExchangeCustomToken: Operation {
  private static let audience =
    "https://firebaseappcheck.googleapis.com/google.firebase.appcheck.v1.TokenExchangeService"

  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    let app = try AppID.check(request)
    guard let text = request.string("customToken").nonEmpty else {
      throw APIError(.invalidArgument, message: "customToken must not be empty.")
    }
    let claims = try claims(of: text, project.server, at: [context.now, project.server.clock.now])
    guard claims["aud"]?.string == audience, claims["app_id"]?.string == app,
      claims["sub"] == claims["iss"]
    else { throw AttestationRefusal.failed }
    let isLimited = try request.flag("limitedUse")
    let id = try LimitedUse.id(request.body["jti"])
    guard isLimited || id == nil else {
      throw APIError(.invalidArgument, message: "jti needs limitedUse.")
    }
    let issued = AppCheckClaims(
      of: app, lifetime: try AppCheckClaims.lifetime(claims["ttl"], named: "ttl"),
      isLimited: isLimited, id: id)
    return IssueAppCheckToken.outcome(issued, in: project) { $0.object ?? JSONObject() }
  }

  private static func claims(
    of text: String, _ server: ServerFacts, at times: [Timestamp]
  ) throws(APIError) -> JSONObject {
    let accounts = server.serviceAccounts
    if server.google != nil || accounts.known != nil || accounts.acceptsAny {
      do throws(Assertion.Refusal) {
        return try accounts.assertion(text, at: times).claims
      } catch {
        throw AttestationRefusal.failed
      }
    }
    guard let jwt = JWT(text), let expiry = jwt.claims["exp"]?.integer,
      times.contains(where: { expiry > $0.seconds })
    else { throw AttestationRefusal.failed }
    return jwt.claims
  }
}

package import HearthErrors
package import HearthOperations
import HearthTime
import HearthTokens
import HearthWire

/// Consumes a token, for back ends that take limited-use tokens once.
/// https://firebase.google.com/docs/reference/appcheck/rest/v1beta/projects/verifyAppCheckToken
package enum VerifyAppCheckToken: Operation {
  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    guard case .admin = context.caller else { throw APIError(.missingPrincipal) }
    guard let token = request.string("appCheckToken").nonEmpty else {
      throw APIError(.invalidArgument, message: "app_check_token must not be empty.")
    }
    guard let keys = project.server.appCheck.keys.known, keys.currentIfReady() == nil else {
      return try answer(token, in: project, context: context)
    }
    return .away { () async throws(APIError) in
      try? await keys.waitUntilReady()
      return { project, context throws(APIError) in try answer(token, in: project, context: context)
      }
    }
  }

  private static func answer(
    _ text: String, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    guard case .verified(let token) = AppCheckJudge.read(text, server: project.server),
      token.isOf(project.projectId), token.expiry > context.now.seconds
    else {
      throw APIError(.permissionDenied, message: "App Check token is invalid.")
    }
    let isFirst = try ConsumedTokens(in: project).consume(token, at: context.now)
    return .json(isFirst ? [:] : ["alreadyConsumed": true])
  }
}

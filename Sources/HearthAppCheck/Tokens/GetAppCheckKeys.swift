package import HearthErrors
package import HearthOperations
import HearthTokens
import HearthWire

/// The keys that verify tokens of App Check. The first caller has them made.
package enum GetAppCheckKeys: Operation {
  package static func run(
    _ request: NoFields, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    let keys = project.server.appCheck.keys
    return .away { () async throws(APIError) in
      do {
        let jwks = try await keys.keys.jwks().object ?? JSONObject()
        return { _, _ in
          .answer(
            Answer(
              status: 200, body: .json(jwks),
              headers: [("Cache-Control", "public, max-age=3600")]))
        }
      } catch {
        throw APIError(.internalError, detail: "no keys: \(error)")
      }
    }
  }
}

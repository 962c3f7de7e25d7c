import HTTPTypes
import HearthOperations
import HearthSharing
import HearthTransport
import HearthWire

/// Opens a project on a shared server.
enum OpenProject: ServerOperation {
  struct Request: ServerOperationRequest {
    let body: JSONObject

    init(_ request: ServerRequest) { body = request.wire.body }
  }

  static func run(
    _ request: Request, with projects: ProjectControl
  ) async throws -> OutgoingReply { try projects.open(request.body) }
}

/// Takes a project's token for the pages of a browser.
enum SignIn: ServerOperation {
  struct Request: ServerOperationRequest {
    let token: String
    /// Where the browser goes afterwards.
    let target: String
    let isOfOwnPage: Bool
    /// Whether the browser came over TLS, which may end in front of this server.
    let isSecure: Bool

    init(_ request: ServerRequest) {
      token = request.wire.string("token") ?? ""
      target = request.wire.string("continue") ?? SignInPage.home
      isOfOwnPage = request.call.isOfOwnPage
      isSecure =
        request.call.isSecure || request.call.headers[.origin]?.hasPrefix("https://") == true
    }
  }

  static func run(
    _ request: Request, with projects: ProjectControl
  ) async throws -> OutgoingReply { try projects.signIn(request) }
}

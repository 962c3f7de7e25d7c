import HearthOperations
import HearthTransport

/// Opens a project on a shared server.
enum OpenProject: ServerOperation {
  static func run(
    _ request: ServerRequest, with projects: ProjectControl
  ) async throws -> OutgoingReply { try projects.openProject(request) }
}

/// Takes a project's token for the pages of a browser.
enum SignIn: ServerOperation {
  static func run(
    _ request: ServerRequest, with projects: ProjectControl
  ) async throws -> OutgoingReply { try projects.signIn(request) }
}

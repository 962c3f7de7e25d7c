import HearthErrors
import HearthOperations

/// Enables Identity Platform for a project.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v2/projects.identityPlatform/initializeAuth
///
/// Every project here is enabled from the start, so this changes nothing and may be repeated.
enum InitializeAuth: Operation {
  static func run(
    _ request: NoFields, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    .json([:])
  }
}

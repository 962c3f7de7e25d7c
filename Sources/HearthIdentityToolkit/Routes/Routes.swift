package import HearthOperations

/// The table of Identity Toolkit and Secure Token: one row for each
/// HTTP operation that the API description declares, built or not, and the old names of some.
package enum Routes {
  package static let all: [Route] =
    accounts + projectAccounts + configuration + identityProviders + tenants + hearth + legacy

  // MARK: What rows begin with

  static let v1 = RouteRows(
    "/identitytoolkit.googleapis.com/v1/", id: "identitytoolkit.",
    messages: "GoogleCloudIdentitytoolkitV1")
  static let v2 = RouteRows(
    "/identitytoolkit.googleapis.com/v2/", id: "identitytoolkit.",
    messages: "GoogleCloudIdentitytoolkitV2")
  /// Of an administrator's project in `v1`, and its settings in `v2`.
  static let accountsProject = v1.below("projects/{targetProjectId}", id: "projects")
  static let project = v2.with(messages: "GoogleCloudIdentitytoolkitAdminV2")
    .below("projects/{targetProjectId}", id: "projects")

  // MARK: What several rows say of the official emulator

  static let notBuiltThere = "501 there"
  static let tokens = "signed tokens, opaque refresh tokens"
  static let plainPasswords = "no clear-text passwords"
  static let policies = "password policies"
}

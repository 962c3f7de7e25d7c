package import HearthOperations

/// The table of Identity Toolkit, Secure Token and the emulator's own endpoints: one row for each
/// HTTP operation that the API description declares, built or not, and the old names of some.
package enum Routes {
  package static let all: [Route] =
    accounts + projectAccounts + configuration + identityProviders + tenants + emulator + hearth
    + legacy

  static let clientTypes = [
    "CLIENT_TYPE_UNSPECIFIED", "CLIENT_TYPE_WEB", "CLIENT_TYPE_ANDROID", "CLIENT_TYPE_IOS",
  ]
  static let recaptchaVersions = ["RECAPTCHA_VERSION_UNSPECIFIED", "RECAPTCHA_ENTERPRISE"]
}

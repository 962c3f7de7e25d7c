import HearthCore
import HearthStore

/// Parameters of a reCAPTCHA that is never shown; obviously fake, as no test should depend on them.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v1/v1/getRecaptchaParams
enum GetRecaptchaParams: Operation {
  static func run(
    _ request: WireRequest, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    try project.requireAuthEnabled()
    return .json([
      "kind": "identitytoolkit#GetRecaptchaParamResponse",
      "recaptchaStoken": "Hearth-fake-recaptcha-token__The-emulator-does-not-check-reCAPTCHA",
      "recaptchaSiteKey": "Hearth-fake-site-key__not-for-production",
    ])
  }
}

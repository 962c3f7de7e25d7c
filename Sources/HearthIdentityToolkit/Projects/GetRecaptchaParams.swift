import HearthErrors
import HearthOperations
import HearthWire

/// Parameters of a reCAPTCHA that is never shown; obviously fake, as no test should depend on them.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v1/v1/getRecaptchaParams
enum GetRecaptchaParams: Operation {
  /// As long as the official emulator's.
  private static let token =
    "Hearth-fake-recaptcha-token__The-emulator-does-not-check-reCAPTCHA__"
    + "Nothing-should-depend-on-its-value_____"

  static func run(
    _ request: NoFields, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try project.requireAuthEnabled()
    let number: JSON? =
      switch try project.answers {
      case .emulator: nil
      case .production: .string(Token.projectNumber)
      }
    return .json([
      "kind": "identitytoolkit#GetRecaptchaParamResponse",
      "recaptchaStoken": .string(token),
      "recaptchaSiteKey": "Hearth-fake-site-key__not-for-production",
      "producerProjectNumber": number,
    ])
  }
}

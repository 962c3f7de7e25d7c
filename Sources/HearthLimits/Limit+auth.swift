/// The quotas of Auth, as a project of the plan Blaze has them.
extension Limit {
  package static let wrongPasswords = Limit(
    "wrong passwords or codes of an account, in a window (`wrongPasswordLimit`, `rateLimitWindow`)",
    value: 10, unit: "attempts", condition: .rateLimits, status: "TOO_MANY_ATTEMPTS_TRY_LATER",
    text: "", source: .hearth)
  package static let resetMails = Limit(
    "password-reset mails to an account, in a window (`passwordResetLimit`, `rateLimitWindow`)",
    value: 5, unit: "mails", condition: .rateLimits, status: "RESET_PASSWORD_EXCEED_LIMIT",
    text: "", source: .hearth)
  package static let attemptsWindow = Limit(
    "the window of attempts (`rateLimitWindow`)", value: 900, unit: "seconds",
    condition: .rateLimits, status: nil, text: "", source: .hearth)
  package static let signUps = Limit(
    "accounts that an IP address makes (`signUpLimit`)", value: 100, unit: "accounts an hour",
    condition: .rateLimits, status: "TOO_MANY_ATTEMPTS_TRY_LATER", text: "", source: .auth)
  package static let phoneCodes = Limit(
    "codes that an IP address has sent to phones", value: 150, unit: "requests an hour",
    condition: .rateLimits, status: "TOO_MANY_ATTEMPTS_TRY_LATER", text: "", source: .auth)
  package static let verificationMails = Limit(
    "mails that verify an address", value: 100_000, unit: "mails a day", condition: .rateLimits,
    status: "TOO_MANY_ATTEMPTS_TRY_LATER", text: "", source: .auth)
  package static let addressChangeMails = Limit(
    "mails that change an address", value: 10_000, unit: "mails a day", condition: .rateLimits,
    status: "TOO_MANY_ATTEMPTS_TRY_LATER", text: "", source: .auth)
  package static let passwordResetMails = Limit(
    "password-reset mails of a project", value: 10_000, unit: "mails a day", condition: .rateLimits,
    status: "RESET_PASSWORD_EXCEED_LIMIT", text: "", source: .auth)
  package static let signInMails = Limit(
    "mails with a sign-in link", value: 25_000, unit: "mails a day", condition: .rateLimits,
    status: "QUOTA_EXCEEDED", text: "Exceeded daily quota for email sign-in.", source: .auth)
  package static let verificationLinks = Limit(
    "links that verify or change an address, given to a server", value: 1_000_000,
    unit: "links a day", condition: .rateLimits, status: "QUOTA_EXCEEDED", text: "", source: .auth)
  package static let passwordResetLinks = Limit(
    "password-reset links, given to a server", value: 100_000, unit: "links a day",
    condition: .rateLimits, status: "QUOTA_EXCEEDED", text: "", source: .auth)
  package static let signInLinks = Limit(
    "sign-in links, given to a server", value: 250_000, unit: "links a day", condition: .rateLimits,
    status: "QUOTA_EXCEEDED", text: "", source: .auth)

  static let auth = [
    wrongPasswords, resetMails, attemptsWindow, signUps, phoneCodes, verificationMails,
    addressChangeMails, passwordResetMails, signInMails, verificationLinks, passwordResetLinks,
    signInLinks,
  ]
}

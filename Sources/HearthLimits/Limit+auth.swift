/// The quotas of Auth, as a project of the plan Blaze has them.
extension Limit {
  package static let wrongPasswords = Limit(
    "wrong passwords or codes of an account, in a window (`wrongPasswordLimit`, `rateLimitWindow`)",
    10, "attempts", .rateLimits, "TOO_MANY_ATTEMPTS_TRY_LATER", "", .hearth)
  package static let resetMails = Limit(
    "password-reset mails to an account, in a window (`passwordResetLimit`, `rateLimitWindow`)", 5,
    "mails", .rateLimits, "RESET_PASSWORD_EXCEED_LIMIT", "", .hearth)
  package static let attemptsWindow = Limit(
    "the window of attempts (`rateLimitWindow`)", 900, "seconds", .rateLimits, nil, "", .hearth)
  package static let signUps = Limit(
    "accounts that an IP address makes (`signUpLimit`)", 100, "accounts an hour", .rateLimits,
    "TOO_MANY_ATTEMPTS_TRY_LATER", "", .auth)
  package static let phoneCodes = Limit(
    "codes that an IP address has sent to phones", 150, "requests an hour", .rateLimits,
    "TOO_MANY_ATTEMPTS_TRY_LATER", "", .auth)
  package static let verificationMails = Limit(
    "mails that verify an address", 100_000, "mails a day", .rateLimits,
    "TOO_MANY_ATTEMPTS_TRY_LATER", "", .auth)
  package static let addressChangeMails = Limit(
    "mails that change an address", 10_000, "mails a day", .rateLimits,
    "TOO_MANY_ATTEMPTS_TRY_LATER", "", .auth)
  package static let passwordResetMails = Limit(
    "password-reset mails of a project", 10_000, "mails a day", .rateLimits,
    "RESET_PASSWORD_EXCEED_LIMIT", "", .auth)
  package static let signInMails = Limit(
    "mails with a sign-in link", 25_000, "mails a day", .rateLimits, "QUOTA_EXCEEDED",
    "Exceeded daily quota for email sign-in.", .auth)
  package static let verificationLinks = Limit(
    "links that verify or change an address, given to a server", 1_000_000, "links a day",
    .rateLimits, "QUOTA_EXCEEDED", "", .auth)
  package static let passwordResetLinks = Limit(
    "password-reset links, given to a server", 100_000, "links a day", .rateLimits,
    "QUOTA_EXCEEDED", "", .auth)
  package static let signInLinks = Limit(
    "sign-in links, given to a server", 250_000, "links a day", .rateLimits, "QUOTA_EXCEEDED", "",
    .auth)

  static let auth = [
    wrongPasswords, resetMails, attemptsWindow, signUps, phoneCodes, verificationMails,
    addressChangeMails, passwordResetMails, signInMails, verificationLinks, passwordResetLinks,
    signInLinks,
  ]
}

/// What a mail is for: the types of out-of-band code that are mailed.
package enum MailType: String, Sendable, CaseIterable {
  case passwordReset = "PASSWORD_RESET"
  case verifyEmail = "VERIFY_EMAIL"
  case emailSignIn = "EMAIL_SIGNIN"
  case verifyAndChangeEmail = "VERIFY_AND_CHANGE_EMAIL"
  case recoverEmail = "RECOVER_EMAIL"
}

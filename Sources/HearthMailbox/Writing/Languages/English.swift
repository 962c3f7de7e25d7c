extension Language {
  static let english = Language(
    tag: "en",
    greeting: "Hello,",
    copyHint: "If the button does nothing, copy this address into your browser:",
    signature: "Your \(.app) team",
    passwordReset: Wording(
      subject: "Reset your password for \(.app)",
      message: """
        Someone, hopefully you, wants a new password for the \(.app) account \(.address). \
        Open this link to choose one:
        """,
      button: "Choose a new password",
      disregard: "If it was not you, ignore this mail; your password stays as it is."),
    verifyEmail: Wording(
      subject: "Verify your email address for \(.app)",
      message: """
        Please confirm that \(.address) belongs to you and to your \(.app) account. \
        Open this link to do so:
        """,
      button: "Confirm my address",
      disregard: "If you have no such account, ignore this mail."),
    emailSignIn: Wording(
      subject: "Sign in to \(.app)",
      message: "With this link you sign in to \(.app) as \(.address), without a password:",
      button: "Sign in to \(.app)",
      disregard: "If you do not want to sign in, ignore this mail; the link works only once."),
    verifyAndChangeEmail: Wording(
      subject: "Verify your new email address for \(.app)",
      message: """
        From now on you want to sign in to \(.app) with \(.newAddress) instead of \(.address). \
        Open this link to confirm the new address:
        """,
      button: "Confirm my new address",
      disregard: "If you did not ask for this change, ignore this mail; nothing changes."),
    recoverEmail: Wording(
      subject: "Your sign-in email for \(.app) was changed",
      message: """
        The address with which you sign in to \(.app) was changed from \(.address) to \
        \(.newAddress). If this was not your doing, open this link to take the change back:
        """,
      button: "Restore my address",
      disregard: "If you made the change yourself, there is nothing to do."))
}

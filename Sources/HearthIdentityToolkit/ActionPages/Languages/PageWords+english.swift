extension PageWords {
  static let english = PageWords(
    tag: "en",
    choosePassword: "Choose a new password",
    choosePasswordAgain: "Error: choose a new password",
    email: "E-mail address",
    newPassword: "New password",
    passwordLength: "At least {count} characters.",
    savePassword: "Save the password",
    onward: "Continue",
    failed: "That failed",
    passwordChanged: Notice(
      title: "Password changed",
      message: "You can now sign in as {email} with your new password."),
    emailVerified: Notice(
      title: "E-mail address verified",
      message: "{email} is confirmed. You can now sign in with it."),
    emailChanged: Notice(
      title: "E-mail address changed",
      message: "{email} is confirmed. From now on, sign in with this address."),
    emailRestored: Notice(
      title: "E-mail address restored",
      message: """
        {email} is the address of your account again. If you did not ask for the change, \
        somebody may know your password: reset it now.
        """),
    codeExpired: Notice(
      title: "This link has expired",
      message: "The link was valid for a limited time. Ask for a new one in the app."),
    codeInvalid: Notice(
      title: "This link does not work",
      message: """
        It has been used before, was replaced, or was not copied as a whole. Ask for a new one \
        in the app.
        """),
    missingParameter: Notice(
      title: "This link is incomplete",
      message: "Its parameter {name} is missing or not understood. Copy the whole link."),
    missingContinueURL: Notice(
      title: "This link leads nowhere",
      message: """
        A sign-in link needs a continueUrl, where the app takes over. Set it in the action code \
        settings when the link is asked for.
        """))
}

/// The pages of `/emulator/action`, one for each way in which it ends.
extension ActionPage {
  package static func passwordChanged(email: String, continueURL: String? = nil) -> String {
    done(
      title: "Password changed",
      message: "You can now sign in as \(email) with your new password.",
      continueURL: continueURL)
  }

  package static func emailVerified(email: String, continueURL: String? = nil) -> String {
    done(
      title: "E-mail address verified",
      message: "\(email) is confirmed. You can now sign in with it.", continueURL: continueURL)
  }

  package static func emailChanged(newEmail: String, continueURL: String? = nil) -> String {
    done(
      title: "E-mail address changed",
      message: "\(newEmail) is confirmed. From now on, sign in with this address.",
      continueURL: continueURL)
  }

  package static func emailRestored(email: String) -> String {
    done(
      title: "E-mail address restored",
      message: """
        \(email) is the address of your account again. If you did not ask for the change, somebody \
        may know your password: reset it now.
        """)
  }

  package static func codeExpired() -> String {
    problem(
      title: "This link has expired",
      message: "The link was valid for a limited time. Ask for a new one in the app.")
  }

  package static func codeInvalid() -> String {
    problem(
      title: "This link does not work",
      message: """
        It has been used before, was replaced, or was not copied as a whole. Ask for a new one in \
        the app.
        """)
  }

  package static func missingParameter(_ name: String) -> String {
    problem(
      title: "This link is incomplete",
      message: "Its parameter \(name) is missing or not understood. Copy the whole link.")
  }

  package static func signInLinkWithoutContinueURL() -> String {
    problem(
      title: "This link leads nowhere",
      message: """
        A sign-in link needs a continueUrl, where the app takes over. Set it in the action code \
        settings when the link is asked for.
        """)
  }
}
